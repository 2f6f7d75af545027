"""Sheets that nobody can compute without the seed: a mixed strategy, with another mood in each round of each game.

A deterministic strategy may be known to everybody, and then its sealed sheets follow from the position.
"""

from collections.abc import Callable
from functools import cached_property
from random import Random

from mcmulti.bots.strategies.almanac import Kind
from mcmulti.bots.strategies.postal.assets import orders, plan
from mcmulti.bots.strategies.postal.barrels import pumps, trades
from mcmulti.bots.strategies.postal.magnate import MagnateOutlook
from mcmulti.bots.strategies.postal.outlook import PostalOutlook, with_holdings
from mcmulti.bots.strategy import Command, Offer, Strategy, View
from mcmulti.client.json_object import Json

Writer = Callable[[View, int], Json]
"""Writes the sheet of a seat for the round of a view."""
SWAYING = 0.1
"""The standard deviation of its estimates of a kind's income from round to round."""


def mood(seed: int, view: View, seat: int) -> str:
    """The random source of a seat in the view's round, which nobody can derive from the position."""
    return f"{seed} {view['commitment']} {view['round']} {seat}"


class _Swaying(PostalOutlook):
    """An outlook in a `mood` that is stored in the view."""

    @cached_property
    def moods(self) -> dict[str, float]:
        """Factors for the estimated income of each kind, and for the required value of a purchase."""
        dice = Random(self.view["mood"])
        return {name: dice.gauss(1, SWAYING) for name in ("rig", "well", "station", "refinery", "return", "barrel")}

    def gasoline(self, barrels: int) -> float:
        """The value of the last of N barrels of gasoline, in this mood."""
        return super().gasoline(barrels) * self.moods["barrel"]

    def appeal(self, kind: Kind, more: int = 0) -> float:
        """How good a purchase an asset is, in this mood."""
        return super().appeal(kind, more) + self.least_return * (1 - self.moods["return"]) / 2

    def income(self, kind: Kind, more: int = 0) -> int:
        """The income of an asset in a round, in this mood."""
        return round(super().income(kind, more) * self.moods[kind])


class SwayingTycoon(_Swaying):
    """A tycoon in a mood."""


class SwayingMagnate(_Swaying, MagnateOutlook):
    """A magnate in a mood."""


class MixedSheets:
    """The sheets of a player with this `outlook`, in another mood each time."""

    def __init__(self, seed: int, outlook: type[_Swaying]) -> None:
        self._seed = seed
        self._outlook = outlook

    def __call__(self, view: View, seat: int, /) -> Json:
        return sheet_by(self._outlook(view | {"you": seat, "mood": mood(self._seed, view, seat)}))


def sheet_by(outlook: PostalOutlook) -> Json:
    """The sheet of a player with this outlook."""
    left = plan(outlook)
    after = type(outlook)(with_holdings(outlook.view, left.cash, left.assets))
    return {"orders": orders(outlook), "trades": trades(after), "pumps": pumps(after)}


def by_post(write: Writer) -> Strategy:
    """The strategy that sends the result of `write` once a round, and waits while its sheet is in."""

    def strategy(view: View, offers: list[Offer], /) -> list[Command]:
        if view["sheet"] is not None:
            return []
        return [{"type": "SubmitOrders", "round": view["round"], "sheet": write(view, view["you"])}]

    return strategy
