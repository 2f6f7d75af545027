"""The consumer market: its price track, and what moves on it."""

from functools import cache
from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.posting import Transfer, transfer
from mcmulti.domain.mcmulti.components import RED_FIELDS
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.figures import BarrelCount, Millions


class ConsumerPriceMoved(Event, frozen=True):
    """The cheapest consumer barrel moved from `before` to `after`; `removed` barrels above it were taken off."""

    before: Millions
    after: Millions
    removed: BarrelCount

    def evolve(self, state: State) -> State:
        barrels = state.consumer_barrels - self.removed
        return replace(state, consumer_price=self.after, consumer_barrels=barrels)

    def transfers(self) -> tuple[Transfer, ...]:
        return transfer("consumers", "supply", "gasoline", self.removed, "consumed")

    def form(
        self, say: object
    ) -> Literal["rises", "falls", "rises_after_removal", "falls_after_removal", "stays_after_removal"]:
        if not self.removed:
            return "rises" if self.after > self.before else "falls"
        if self.after == self.before:
            return "stays_after_removal"
        return "rises_after_removal" if self.after > self.before else "falls_after_removal"


@cache
def sale_prices(price: int) -> tuple[int, ...]:
    """What barrels bring one after the other, the cheapest of the consumers' being at `price` (`consumer/sale`).

    Each is laid one field below the cheapest; none below 1.
    """
    return tuple(range(price - 1, 0, -1))


def by_red_fields(price: int, steps: int) -> int:
    """The price that many red fields above (below when negative), at most the last one (`consumer/red-fields`)."""
    if steps > 0:
        above = [field for field in RED_FIELDS if field > price]
        return above[min(steps, len(above)) - 1] if above else price
    below = [field for field in reversed(RED_FIELDS) if field < price]
    return below[min(-steps, len(below)) - 1] if steps and below else price


def next_sale(price: int) -> int | None:
    """What the next barrel brings, the cheapest of the consumers' being at `price`; None if none can be sold."""
    prices = sale_prices(price)
    return prices[0] if prices else None
