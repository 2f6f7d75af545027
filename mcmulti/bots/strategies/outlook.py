"""A tycoon's outlook: its property, and the marginal value of a barrel or an asset.

Money is in millions of dollars. A round is the time from one turn of a player to the next.
"""

from dataclasses import dataclass
from functools import cached_property
from math import pow as power
from typing import Any, ClassVar

from mcmulti.bots.strategies.almanac import BOX, Almanac, Kind
from mcmulti.bots.strategy import View

STRIKE_STEP = 5
CLEAN_UP = 25
_GAIN = 40
"""What a good player earns in a round."""


@dataclass(frozen=True)
class Outlook:
    """The game from the seat of the view. The numbers here are for the box game; other games have others.

    `salvage`: the value factor of a barrel that can only be sold back. `soon`: that of one used a round later. `slope`:
    how much less each further barrel at the pumps sells for. `reserve`: the cash that is kept for a strike or a barrel.
    `least_return`: the least value of an asset for each million it costs.
    """

    view: View
    almanac: ClassVar[Almanac] = BOX
    salvage: ClassVar[float] = 0.8
    soon: ClassVar[float] = 0.94
    slope: ClassVar[float] = 0.5
    reserve: ClassVar[int] = 15
    least_return: ClassVar[float] = 1.15

    @cached_property
    def most_rigs(self) -> int:
        """The most rigs in a quadrant: they are cheap, but take space from earning assets."""
        return 12

    @cached_property
    def me(self) -> dict[str, Any]:
        """The seat."""
        seat: dict[str, Any] = self.view["seats"][self.view["you"]]
        return seat

    @cached_property
    def cash(self) -> int:
        """Cash in hand."""
        cash: int = self.me["cash"]
        return cash

    @cached_property
    def assets(self) -> list[dict[str, Any]]:
        """The seat's assets, anywhere on the board."""
        mine = [self.view["quadrants"][quadrant] for quadrant in self.me["quadrants"]]
        return [asset for quadrant in mine for asset in quadrant["assets"]]

    def count(self, kind: Kind) -> int:
        """The number of its assets of a kind, without idle refineries."""
        return sum(asset["kind"] == kind and not asset["idle"] for asset in self.assets)

    @cached_property
    def last_turn(self) -> bool:
        """Whether victory is declared, so that what is not sold in this turn brings little or nothing."""
        return self.view["declared_by"] is not None

    @cached_property
    def rounds(self) -> int:
        """The estimated number of remaining rounds."""
        if self.last_turn:
            return 0
        richest: int = max(seat["cash"] for seat in self.view["seats"])
        return max(1, min(10, (self.target - richest) // _GAIN))

    @cached_property
    def target(self) -> int:
        """The cash required to declare victory."""
        target: int = self.view["setup"]["target"]
        return target

    @cached_property
    def card(self) -> str:
        """The state of the economy."""
        card: str = self.view["economy"]["card"]
        return card

    @cached_property
    def consumer_price(self) -> int:
        """What consumers pay for the next barrel of gasoline; 0 if they buy none."""
        return self.view["consumer"]["next_sale"] or 0

    @cached_property
    def cleaning_pays(self) -> bool:
        """Whether an idle refinery earns more than its clean-up costs."""
        return self.income("refinery", 1) * self.rounds > 1.2 * CLEAN_UP

    def sale(self, good: str) -> int:
        """The best market price for selling a barrel."""
        best: int = max((market["sell"] or 0) for market in self.view["markets"] if market["good"] == good)
        return best

    def cost(self, good: str) -> int:
        """The best market price for buying a barrel."""
        prices: list[int] = [
            market["buy"] for market in self.view["markets"] if market["good"] == good and market["buy"]
        ]
        return min(prices, default=99)

    def gasoline(self, barrels: int) -> float:
        """The value of the last of N barrels of gasoline: sold to the consumers in time, or back to a market."""
        if self.last_turn:
            return 0
        salvage: float = self.salvage * (self.sale("gasoline") - 2 * max(0, barrels - 1))
        stations = self.count("station")
        if not stations:
            return max(0, salvage)
        rounds = barrels / (stations * 2 / 3)
        if rounds > self.rounds + 1:
            return max(0, salvage)
        price: float = self.consumer_price - self.slope * barrels
        return max(0, salvage, price * power(self.soon, rounds))

    def crude(self, barrels: int) -> float:
        """The value of the last of N barrels of crude: refined in time, or sold back to a market."""
        if self.last_turn:
            return 0
        salvage: float = self.salvage * (self.sale("crude") - max(0, barrels - 1))
        refineries = self.count("refinery")
        if not refineries:
            return max(0, salvage)
        rounds = barrels / (refineries * 4 / 3)
        if rounds > self.rounds:
            return max(0, salvage)
        return max(0, salvage, self.gasoline(self.me["gasoline"] + barrels) * power(self.soon, rounds))

    def income(self, kind: Kind, more: int = 0) -> int:
        """The income of an asset in a round, with this many more of its kind."""
        if kind == "station":
            price = self.consumer_price - (self.count("station") + more)
            return max(0, round(2 / 3 * (price - min(self.cost("gasoline"), price))))
        if kind == "refinery":
            gasoline = self.gasoline(self.me["gasoline"] + 2 * (self.count("refinery") + more) + 1)
            return max(0, round(4 / 3 * (gasoline - self.cost("crude"))))
        if kind == "well":
            crude = self.crude(self.me["crude"] + 2 * (self.count("well") + more) + 1)
            return max(0, round(4 / 3 * crude))
        return 0

    @cached_property
    def strike_price(self) -> int:
        """The price of the next well on the board."""
        kinds = [asset["kind"] for quadrant in self.view["quadrants"] for asset in quadrant["assets"]]
        return STRIKE_STEP * (1 + kinds.count("well"))

    def keep(self, kind: Kind, more: int = 0) -> float:
        """The value of holding an asset beyond this turn, with this many more of its kind."""
        strike = 0
        if kind == "rig":
            strike = max(0, self.almanac.cards[self.card].sells["well"] - self.strike_price)
        return self.almanac.worth(kind, self.card, self.rounds, self.income(kind, more), strike)
