"""Moves made for a seat that does not make them, because its time is up or it is vacant."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock.timing import timing_of
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat, TypeName
from mcmulti.domain.core.offers import leave_a_choice, open_offers
from mcmulti.domain.core.table import Table

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

T = TypeVar("T", bound=Table)
Why = Literal["time", "vacant"]


class MovedUnasked(Event, frozen=True):
    """A default answer was given for a seat. Its consequences follow.

    `why`: its `time` was up, or the seat is `vacant`. `move`: the command that was given. `missed`: how many moves the
    seat has missed, though it had a choice, since its misses were cleared. `turn`: the turn's number.
    """

    counted: ClassVar[str] = "moves_unasked"

    seat: Seat
    why: Why
    move: TypeName
    missed: Count
    turn: Count

    def evolve(self, state: T) -> T:
        if self.missed == timing_of(state).missed_by(self.seat):
            return state
        return replace(state, timing=timing_of(state).with_missed(self.seat, self.missed, self.turn))

    def form(self, say: object) -> Why:
        return self.why


def let_pass(state: Table, event: MovedUnasked) -> tuple[int, ...]:
    """The seat that missed a deadline though it had a choice, once per stretch; from the state before the event."""
    return (event.seat,) if event.missed > timing_of(state).missed_by(event.seat) else ()


RULES: dict[Why, str] = {"time": "table/clock", "vacant": "table/vacant"}
"""The rules by which moves are made for a seat."""


def move_unasked(game: "GameFlow[Any]", course: Course[Any], seat: int, why: Why) -> None:
    """Give the default answers of a seat until the game waits for another seat, or another turn begins.

    If its time was up, and it had a choice in one of them, that is a miss.
    """
    turn, before = game.turn_of(course.state), timing_of(course.state).missed_by(seat)
    missed = before
    while course.state.phase != "over" and seat in course.state.movers and game.turn_of(course.state) == turn:
        offers = open_offers(game.offers[course.state.phase](course.state, seat, False))
        if why == "time" and leave_a_choice(offers):
            missed = before + 1
        command = game.default_answer(course.state, seat)
        course.record(MovedUnasked(seat, why, type(command).__name__, missed, turn), RULES[why])
        game.carry_on(course, seat, command, next(offer for offer in offers if offer.admits(command)))
