"""A sheet that beats tycoons: it builds what is short, each kind less the more it has, and lets no barrel lie."""

from functools import cached_property
from math import pow as power
from typing import ClassVar

from mcmulti.bots.almanac import Kind
from mcmulti.bots.postal.outlook import PostalOutlook
from mcmulti.bots.postal.tycoon import sheet_by
from mcmulti.bots.strategy import View
from mcmulti.client.client import Json

BOOM = frozenset({"rapid_growth", "prosperity", "downturn"})
"""The climates in which assets are dear."""
DEAR = 0.85
"""How much more an asset has to be worth in a boom, for each million it costs."""
RIGS_FIRST = 15
"""How many rigs the set-up has at most."""
RIGS_LATER = 5
"""How many it is worth to fill up to later, when there is less time for a strike."""
LEAN = {"rig": 1.4, "station": 1.0, "refinery": 1.0}
"""How much better than its figures say an asset is."""
HITS: dict[Kind, float] = {"station": 2 / 3, "refinery": 4 / 3, "well": 4 / 3}
"""How often in a round the dice hit an asset, or barrels that a well brings."""
HOPE = 12
"""How much more consumers will pay than now, as long as nothing is built that sells to them."""
SOON = 0.9
"""What a barrel counts for that is used a round later."""
SLOPE = 1.7
"""By how much the price at the pumps falls until one's next barrel is sold, as others sell there as well."""


class MagnateOutlook(PostalOutlook):
    """What an asset earns, at the prices that markets have now, and that one's own barrels move."""

    gain: ClassVar[float] = 97
    reserve: ClassVar[int] = 0
    clinging: ClassVar[float] = 0.85
    least_return: ClassVar[float] = 1.28

    @cached_property
    def most_rigs(self) -> int:  # type: ignore[override]
        """Many at the beginning, few later."""
        return RIGS_FIRST if self.view["round"] == 1 else RIGS_LATER

    def appeal(self, kind: Kind, more: int = 0) -> float:
        """How good a buy an asset is, if one had so many more of its kind: none from 0 down."""
        wanted = self.least_return + DEAR * (self.card in BOOM)
        return LEAN[kind] * (super().appeal(kind, more) + self.least_return) - wanted

    def income(self, kind: Kind, more: int = 0) -> int:
        """What an asset earns in a round. A barrel is worth what lies between what a market pays and what it asks."""
        if kind == "rig":
            return 0
        number = self.count(kind) + more
        gasoline, crude = self._middle("gasoline"), self._middle("crude")
        if kind == "station":
            margin = self.consumer_price + HOPE - gasoline - 5 * number
        elif kind == "refinery":
            margin = 2 * (gasoline - crude - 8 * number)
        else:
            margin = crude - number / 2
        return max(0, round(HITS[kind] * margin))

    def gasoline(self, barrels: int) -> float:
        """What the last of so many barrels of gasoline is worth: to the consumers in time, or back to a market."""
        salvage: float = self.sale("gasoline") - 2 * max(0, barrels - 1)
        stations = self.count("station")
        if not stations:
            return max(0, salvage)
        rounds = barrels / (stations * HITS["station"])
        if rounds > self.rounds + 1:
            return max(0, salvage)
        return max(0, salvage, (self.consumer_price - SLOPE * barrels) * power(SOON, rounds))

    def crude(self, barrels: int) -> float:
        """What the last of so many barrels of crude is worth: refined in time, or back to a market."""
        salvage: float = self.sale("crude") - max(0, barrels - 1)
        refineries = self.count("refinery")
        if not refineries:
            return max(0, salvage)
        rounds = barrels / (refineries * HITS["refinery"])
        if rounds > self.rounds:
            return max(0, salvage)
        return max(0, salvage, self.gasoline(self.me["gasoline"] + barrels) * power(SOON, rounds))

    def _middle(self, good: str) -> float:
        """What a barrel is worth on the markets."""
        return (self.sale(good) + self.cost(good)) / 2


def magnate_sheet(view: View, seat: int) -> Json:
    """The sheet of a seat for the round that the view shows. It depends on nothing else, and changes nothing."""
    return sheet_by(MagnateOutlook(view | {"you": seat}))
