"""The outlook of a player by post: the same eyes as at the table, other figures."""

from functools import cached_property
from typing import Any, ClassVar

from mcmulti.bots.strategies.almanac import Almanac, Kind
from mcmulti.bots.strategies.outlook import Outlook
from mcmulti.bots.strategies.postal.climates import CLIMATES, price
from mcmulti.bots.strategy import View

TARGET = 1000


class PostalOutlook(Outlook):
    """The game from the seat that the view is for. Nothing is declared: who has the target has won.

    What a player looks for is in the figures, which another kind of player may have otherwise. `gain`: what a good
    player earns in a round. `reserve`: the cash that is kept for barrels. `clinging`: what has to be offered for an
    asset, for each million that it is worth to keep. `least_return`: how much an asset has to be worth for each million
    it costs.
    """

    almanac: ClassVar[Almanac] = CLIMATES
    gain: ClassVar[float] = 60
    reserve: ClassVar[int] = 20
    clinging: ClassVar[float] = 1
    least_return: ClassVar[float] = 1.1

    @cached_property
    def last_turn(self) -> bool:
        """Never known before: it is over at once when somebody has the target."""
        return False

    @cached_property
    def target(self) -> int:
        """The cash that wins."""
        return TARGET

    @cached_property
    def rounds(self) -> int:
        """How many rounds are left, as far as one can tell."""
        richest: int = max(seat["cash"] for seat in self.view["seats"])
        return max(1, min(12, int((TARGET - richest) // self.gain)))

    @cached_property
    def card(self) -> str:
        """The climate."""
        climate: str = self.view["climate"]["climate"]
        return climate

    @cached_property
    def consumer_price(self) -> int:
        """What consumers pay for the next barrel of gasoline; 0 if they buy none."""
        return self.view["climate"]["consumer_price"] or 0

    @cached_property
    def strike_price(self) -> int:
        """What the next conversion costs."""
        cost: int = self.view["climate"]["strike_cost"]
        return cost

    def income(self, kind: Kind, more: int = 0) -> int:
        """What an asset earns in a round. A barrel made is worth no more than one that a market has."""
        if kind == "well":
            return min(super().income(kind, more), round(4 / 3 * self.cost("crude")))
        if kind == "refinery":
            margin = self.cost("gasoline") - self.cost("crude")
            return min(super().income(kind, more), max(0, round(4 / 3 * margin)))
        return super().income(kind, more)

    def appeal(self, kind: Kind, more: int = 0) -> float:
        """How good a buy an asset is, if one had so many more of its kind: none from 0 down."""
        return self.keep(kind, more) / price(kind, self.card) - self.least_return

    @cached_property
    def turns_before(self) -> int:
        """How many players come before this one in the round."""
        place: int = self.view["order"].index(self.view["you"])
        return place

    @cached_property
    def changes_before(self) -> int:
        """How often the climate may change before one's turn."""
        return min(2, self.turns_before)

    @cached_property
    def hits(self) -> list[dict[str, Any]]:
        """One's own assets that may be sold."""
        found: list[dict[str, Any]] = self.view["orders"][self.view["you"]]["hits"]
        return found


def in_climate(view: View, climate: str) -> View:
    """The view, if this were the climate."""
    return view | {"climate": view["climate"] | {"climate": climate}}


def with_holdings(view: View, cash: int, assets: list[dict[str, Any]]) -> View:
    """The view, if the seat had this cash and these assets."""
    you = view["you"]
    seats = [seat | {"cash": cash} if number == you else seat for number, seat in enumerate(view["seats"])]
    quadrants = [
        quadrant | {"assets": assets} if number == you else quadrant
        for number, quadrant in enumerate(view["quadrants"])
    ]
    return view | {"seats": seats, "quadrants": quadrants}
