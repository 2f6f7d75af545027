"""Moves that are made for a seat which does not make them: its time is up, or nobody sits there."""

from typing import Literal, TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat, TypeName
from mcmulti.domain.core.table import Table

T = TypeVar("T", bound=Table)
Why = Literal["time", "vacant"]


class MovedUnasked(Event, frozen=True):
    """The default answer was given for a seat: what follows is what that led to.

    `why`: its `time` was up, or the seat is `vacant`. `move`: the command that was given. `missed`: how often the
    seat has let its time pass where it had a choice, since it last played a turn in time. `turn`: the turn's number.
    """

    seat: Seat
    why: Why
    move: TypeName
    missed: Count
    turn: Count

    def evolve(self, state: T) -> T:
        if self.missed == state.timing.missed_by(self.seat):
            return state
        return replace(state, timing=state.timing.with_missed(self.seat, self.missed, self.turn))

    def form(self, say: object) -> Why:
        return self.why


def let_pass(state: Table, event: MovedUnasked) -> tuple[int, ...]:
    """The seat that let its time pass where it had a choice, once a stretch; from the state before the event."""
    return (event.seat,) if event.missed > state.timing.missed_by(event.seat) else ()


RULES: dict[Why, str] = {"time": "table/clock", "vacant": "table/vacant"}
"""The rules that moves are made by for a seat."""
