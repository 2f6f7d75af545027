"""The outlook of a player by post: like that at the table, with other numbers."""

from functools import cached_property
from typing import Any, ClassVar

from mcmulti.bots.strategies.almanac import Almanac, Kind
from mcmulti.bots.strategies.outlook import Outlook
from mcmulti.bots.strategies.postal.climates import CLIMATES, price
from mcmulti.bots.strategy import View

TARGET = 1000


class PostalOutlook(Outlook):
    """The game from the seat of the view. Nothing is declared: whoever has the target has won.

    The preferences of a player are numbers, which another kind of player can change. `gain`: what a good player earns
    in a round. `reserve`: the cash that is kept for barrels. `clinging`: the least price for an asset, for each million
    that it is worth to keep. `least_return`: the least value of an asset for each million it costs.
    """

    almanac: ClassVar[Almanac] = CLIMATES
    gain: ClassVar[float] = 60
    reserve: ClassVar[int] = 20
    clinging: ClassVar[float] = 1
    least_return: ClassVar[float] = 1.1

    @cached_property
    def last_turn(self) -> bool:
        """Never known in advance: the game ends as soon as somebody has the target."""
        return False

    @cached_property
    def target(self) -> int:
        """The cash that wins."""
        return TARGET

    @cached_property
    def rounds(self) -> int:
        """The estimated number of remaining rounds."""
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
        """The price of the next conversion."""
        cost: int = self.view["climate"]["strike_cost"]
        return cost

    def income(self, kind: Kind, more: int = 0) -> int:
        """The income of an asset in a round. A produced barrel is worth no more than one on a market."""
        if kind == "well":
            return min(super().income(kind, more), round(4 / 3 * self.cost("crude")))
        if kind == "refinery":
            margin = self.cost("gasoline") - self.cost("crude")
            return min(super().income(kind, more), max(0, round(4 / 3 * margin)))
        return super().income(kind, more)

    def appeal(self, kind: Kind, more: int = 0) -> float:
        """How good a purchase an asset is, with this many more of its kind: not worthwhile from 0 down."""
        return self.keep(kind, more) / price(kind, self.card) - self.least_return

    @cached_property
    def turns_before(self) -> int:
        """How many players come before this one in the round."""
        place: int = self.view["order"].index(self.view["you"])
        return place

    @cached_property
    def changes_before(self) -> int:
        """How often the climate may change before this seat's turn."""
        return min(2, self.turns_before)

    @cached_property
    def hits(self) -> list[dict[str, Any]]:
        """The seat's assets that can be sold."""
        found: list[dict[str, Any]] = self.view["orders"][self.view["you"]]["hits"]
        return found


def in_climate(view: View, climate: str) -> View:
    """The view, as if this were the climate."""
    return view | {"climate": view["climate"] | {"climate": climate}}


def with_holdings(view: View, cash: int, assets: list[dict[str, Any]]) -> View:
    """The view, as if the seat had this cash and these assets."""
    you = view["you"]
    seats = [seat | {"cash": cash} if number == you else seat for number, seat in enumerate(view["seats"])]
    quadrants = [
        quadrant | {"assets": assets} if number == you else quadrant
        for number, quadrant in enumerate(view["quadrants"])
    ]
    return view | {"seats": seats, "quadrants": quadrants}
