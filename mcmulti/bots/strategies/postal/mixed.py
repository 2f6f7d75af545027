"""Sheets that nobody can compute without the seed: a mixed strategy, in each round of each game another mood.

A strategy without chance may be known to everybody, and then its sealed sheets follow from the position.
"""

from functools import cached_property
from random import Random

from mcmulti.bots.strategies.almanac import Kind
from mcmulti.bots.strategies.postal.magnate import MagnateOutlook
from mcmulti.bots.strategies.postal.outlook import PostalOutlook
from mcmulti.bots.strategies.postal.tycoon import sheet_by
from mcmulti.bots.strategy import View
from mcmulti.client.client import Json

SWAYING = 0.1
"""How far its opinion of what a kind earns sways from round to round, as a standard deviation."""


def mood(seed: int, view: View, seat: int) -> str:
    """What the chance of a seat in the round that the view shows comes from: nobody can tell it from the position."""
    return f"{seed} {view['commitment']} {view['round']} {seat}"


class _Swaying(PostalOutlook):
    """An outlook in a `mood` that the view has been given."""

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


class SwayingTycoon(_Swaying):
    """A tycoon in a mood."""


class SwayingMagnate(_Swaying, MagnateOutlook):
    """A magnate in a mood."""


class MixedSheets:
    """The sheets of whoever has this `outlook`, in another mood each time."""

    def __init__(self, seed: int, outlook: type[_Swaying]) -> None:
        self._seed = seed
        self._outlook = outlook

    def __call__(self, view: View, seat: int, /) -> Json:
        return sheet_by(self._outlook(view | {"you": seat, "mood": mood(self._seed, view, seat)}))
