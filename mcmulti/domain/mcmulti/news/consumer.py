"""Moves on the price track of the consumer market."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import BarrelCount, Millions


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
