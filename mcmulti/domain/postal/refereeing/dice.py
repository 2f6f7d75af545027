"""The referee's dice, and the climate: a double changes it, but at most twice a round."""

from bisect import bisect_right
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil import turn
from mcmulti.domain.oil.names import EconomyName, Millions, Seat
from mcmulti.domain.oil.rules.board import Lines
from mcmulti.domain.oil.rules.quadrant import productive_assets
from mcmulti.domain.postal.components import CLIMATE_CHANGES, CLIMATES, KEY_STEPS
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.state import Play, State


class DiceRolled(turn.DiceRolled, frozen=True):
    """The roll for row and column. Its hits of the player's own assets can be sold or converted in its next turn."""

    def evolve(self, state: State) -> State:
        seat, lines = state.now.quadrant, Lines(self.red.value, self.black.value)
        quadrant = state.quadrants[seat]
        return replace(
            state,
            draws=self.black.number,
            turn=replace(state.now, red=self.red.value, black=self.black.value),
            hits=put(state.hits, seat, productive_assets(quadrant, lines)),
            struck=put(state.struck, seat, lines.crossing(quadrant.rigs)),
        )

    def form(self, say: Phrases) -> Literal["plain", "double"]:
        return "double" if self.red.value == self.black.value else "plain"


class DoubleVoided(Event, frozen=True):
    """A double that would have been one climate change too many; it was rolled again."""

    seat: Seat
    red: Draw
    black: Draw

    def evolve(self, state: State) -> State:
        return replace(state, draws=self.black.number)


def roll(play: Play, seat: int) -> tuple[int, int]:
    """Roll for row and column. A double that would be the third change is rolled again, or changes nothing."""
    while True:
        red, black = play.draw(), play.draw()
        double = red.value == black.value
        third = double and play.state.climate_changes == CLIMATE_CHANGES
        if third and play.state.setup.third_double == "again":
            play.record(DoubleVoided(seat, red, black), "postal/two-changes")
            continue
        play.record(DiceRolled(seat, red, black), "postal/phase-3")
        if double and not third:
            change_climate(play, red.value)
        return red.value, black.value


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
