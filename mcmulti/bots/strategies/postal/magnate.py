"""A sheet that beats tycoons: it builds what is short, each kind less the more it has, and lets no barrel lie."""

from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from mcmulti.bots.strategies.almanac import Almanac, Kind
from mcmulti.bots.strategies.postal.climates import CLIMATES, price
from mcmulti.bots.strategies.postal.outlook import PostalOutlook
from mcmulti.bots.strategies.postal.tycoon import sheet_by
from mcmulti.bots.strategy import View
from mcmulti.client.client import Json

BOOM = frozenset({"rapid_growth", "prosperity", "downturn"})
"""The climates in which assets are dear."""
DEAR = 1.2
"""How much more an asset has to be worth in a boom, for each million it costs."""
RIGS = 15
"""How many rigs the set-up has at most. None is built later, when there is less time for a strike."""
STRIKES = 1.5
"""How much better a rig is than its figures say: they know nothing of the crude that a well brings."""
BARRELS: dict[Kind, float] = {"station": 2 / 3, "refinery": 4 / 3, "well": 4 / 3}
"""How many barrels an asset sells, refines or brings in a round, as the dice go."""
CROWDING: dict[Kind, float] = {"station": 6, "refinery": 9, "well": 0.5}
"""How much less each barrel earns for every asset of the kind that one has: one's own barrels move the prices."""
REFINING = 2
"""What the margin between crude and gasoline counts for, by what won most games."""
HOPE = 14
"""How much more consumers will pay than now, as long as nothing is built that sells to them."""


class MagnateOutlook(PostalOutlook):
    """What an asset earns, at the prices that markets have now, and that one's own barrels move."""

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
        """Many at the beginning, none later."""
        return RIGS if self.view["round"] == 1 else 0

    def appeal(self, kind: Kind, more: int = 0) -> float:
        """How good a buy an asset is, if one had so many more of its kind: none from 0 down."""
        wanted = self.least_return + DEAR * (self.card in BOOM)
        better = STRIKES if kind == "rig" else 1
        return better * self.keep(kind, more) / price(kind, self.card) - wanted

    def income(self, kind: Kind, more: int = 0) -> int:
        """What an asset earns in a round. A barrel is worth what lies between what a market pays and what it asks."""
        if kind == "rig":
            return 0
        gasoline, crude = self._middle("gasoline"), self._middle("crude")
        margin = {"station": self.consumer_price + HOPE - gasoline, "refinery": gasoline - crude, "well": crude}[kind]
        margin -= CROWDING[kind] * (self.count(kind) + more)
        return max(0, round(BARRELS[kind] * margin * (REFINING if kind == "refinery" else 1)))

    def _middle(self, good: str) -> float:
        """What a barrel is worth on the markets."""
        return (self.sale(good) + self.cost(good)) / 2


def magnate_sheet(view: View, seat: int) -> Json:
    """The sheet of a seat for the round that the view shows. It depends on nothing else, and changes nothing."""
    return sheet_by(MagnateOutlook(view | {"you": seat}))
