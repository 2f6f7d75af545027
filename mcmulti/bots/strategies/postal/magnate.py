"""A sheet that beats tycoons: it builds what is short, each kind less the more it has, and lets no barrel lie."""

from dataclasses import replace
from functools import cached_property
from random import Random
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


SWAYING = 0.1
"""How far its opinion of what a kind earns sways from round to round, as a standard deviation."""


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


class MixedOutlook(MagnateOutlook):
    """The same, in a `mood` that the view has been given, which nobody can tell from the position."""

    @cached_property
    def moods(self) -> dict[str, float]:
        """What each kind is thought to earn, and how much a buy has to be worth, times what the figures say."""
        dice = Random(self.view["mood"])
        return {name: dice.gauss(1, SWAYING) for name in ("rig", "well", "station", "refinery", "return", "barrel")}

    def gasoline(self, barrels: int) -> float:
        """What the last of so many barrels of gasoline is worth, as the mood is."""
        return super().gasoline(barrels) * self.moods["barrel"]

    def appeal(self, kind: Kind, more: int = 0) -> float:
        """How good a buy an asset is, as the mood is."""
        return super().appeal(kind, more) + self.least_return * (1 - self.moods["return"]) / 2

    def income(self, kind: Kind, more: int = 0) -> int:
        """What an asset earns in a round, as the mood is."""
        return round(super().income(kind, more) * self.moods[kind])


class MixedSheets:
    """Sheets that nobody can compute without the seed: a mixed strategy, in each round of each game another mood."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __call__(self, view: View, seat: int, /) -> Json:
        mood = f"{self._seed} {view['commitment']} {view['round']} {seat}"
        return sheet_by(MixedOutlook(view | {"you": seat, "mood": mood}))


def magnate_sheet(view: View, seat: int) -> Json:
    """The sheet of a seat for the round that the view shows. It depends on nothing else, and changes nothing."""
    return sheet_by(MagnateOutlook(view | {"you": seat}))
