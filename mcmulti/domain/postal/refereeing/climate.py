"""The economic climate, and its effect on the consumer price."""

from bisect import bisect_right
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.oil.figures import Millions
from mcmulti.domain.oil.names import EconomyName
from mcmulti.domain.postal.components import CLIMATES, KEY_STEPS
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing.play import Play
from mcmulti.domain.postal.state import State


class ClimateChanged(Event, frozen=True):
    """A double changed the climate. `double`: its number.

    `price_before` and `price_after`: what the next barrel brings at a pump, 0 if none could be sold.
    """

    double: Annotated[int, Meta(ge=1, le=6)]
    before: EconomyName
    after: EconomyName
    price_before: Millions
    price_after: Millions

    def evolve(self, state: State) -> State:
        return replace(
            state,
            economy=self.after,
            consumer_price=self.price_after,
            climate_changes=state.climate_changes + 1,
        )

    def form(self, say: Phrases) -> Literal["opens", "rises", "stays"]:
        if not self.price_before:
            return "opens"
        return "rises" if self.price_after > self.price_before else "stays"


def raised(price: int, steps: int) -> int:
    """The price this many key steps above, not counting the current one; at most the highest (`postal/demand`)."""
    above = KEY_STEPS[bisect_right(KEY_STEPS, price) :]
    return above[min(steps, len(above)) - 1] if above else price


def change_climate(play: Play, double: int) -> None:
    """Change to the climate that the double names. Its demand raises the consumer price (`postal/climate`)."""
    before, price = play.state.economy, play.state.consumer_price
    after = CLIMATES[before].next[double - 1]
    changed = ClimateChanged(double, before, after, price, raised(price, CLIMATES[after].demand))
    play.record(changed, "postal/climate")
