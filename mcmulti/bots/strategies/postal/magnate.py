"""Its sheets beat tycoons: it builds scarce kinds, each less the more it has, and leaves no barrel unused."""

from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from mcmulti.bots.strategies.almanac import Almanac, Kind
from mcmulti.bots.strategies.postal.climates import CLIMATES, price
from mcmulti.bots.strategies.postal.outlook import PostalOutlook

BOOM = frozenset({"rapid_growth", "prosperity", "downturn"})
"""The climates in which assets are expensive."""
DEAR = 1.2
"""The required value of an asset in a boom, for each million it costs."""
RIGS = 15
"""The most rigs at the start. None is built later, when there is less time for a strike."""
STRIKES = 1.5
"""A factor for the value of a rig: the numbers ignore the crude of the future well."""
BARRELS: dict[Kind, float] = {"station": 2 / 3, "refinery": 4 / 3, "well": 4 / 3}
"""How many barrels an asset sells, refines, or brings in a round, on average."""
CROWDING: dict[Kind, float] = {"station": 6, "refinery": 9, "well": 0.5}
"""How much less each barrel earns per asset of the kind that the seat has: its own barrels move the prices."""
REFINING = 2
"""The weight of the margin between crude and gasoline; it won most games."""
HOPE = 14
"""How much more consumers are expected to pay, as long as nobody has built what sells to them."""


class MagnateOutlook(PostalOutlook):
    """The income of assets at current market prices, which the seat's own barrels move."""

    almanac: ClassVar[Almanac] = replace(CLIMATES, patience=1)
    salvage: ClassVar[float] = 1
    soon: ClassVar[float] = 0.9
    slope: ClassVar[float] = 1.8
    gain: ClassVar[float] = 100
    reserve: ClassVar[int] = 0
    clinging: ClassVar[float] = 0.85
    least_return: ClassVar[float] = 1.28

    @cached_property
    def most_rigs(self) -> int:
        """Many at the start, none later."""
        return RIGS if self.view["round"] == 1 else 0

    def appeal(self, kind: Kind, more: int = 0) -> float:
        """How good a purchase an asset is, with this many more of its kind: not worthwhile from 0 down."""
        wanted = self.least_return + DEAR * (self.card in BOOM)
        better = STRIKES if kind == "rig" else 1
        return better * self.keep(kind, more) / price(kind, self.card) - wanted

    def income(self, kind: Kind, more: int = 0) -> int:
        """The income of an asset in a round. A barrel is worth the middle between a market's two prices."""
        if kind == "rig":
            return 0
        gasoline, crude = self._middle("gasoline"), self._middle("crude")
        margin = {"station": self.consumer_price + HOPE - gasoline, "refinery": gasoline - crude, "well": crude}[kind]
        margin -= CROWDING[kind] * (self.count(kind) + more)
        return max(0, round(BARRELS[kind] * margin * (REFINING if kind == "refinery" else 1)))

    def _middle(self, good: str) -> float:
        """The value of a barrel on the markets."""
        return (self.sale(good) + self.cost(good)) / 2
