"""The referee's dice: a double changes the climate, but at most twice a round."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil import turn
from mcmulti.domain.oil.figures import Seat
from mcmulti.domain.oil.rules.board import Lines
from mcmulti.domain.oil.rules.hits import productive_assets
from mcmulti.domain.postal.components import CLIMATE_CHANGES
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing.climate import change_climate
from mcmulti.domain.postal.refereeing.play import Play
from mcmulti.domain.postal.state import State


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
