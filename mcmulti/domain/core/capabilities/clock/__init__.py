"""Clocks: how long a seat may take to answer, its time bank, and time that others grant it.

If the setup has a clock, a *stretch* lasts as long as the game waits for the same seat in the same turn, however many
commands that takes, so nobody gains time by trivial moves. Its deadline is that of the log. The server states the
consequences of time by commands of its own, `UseBank` and `TimeOut`, so that the state is a fold of events alone.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier
from mcmulti.domain.core.capabilities.clock.timing import timing_of
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course import unasked
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.deadlines import Deadlines, next_due
from mcmulti.domain.core.course.standing import Pace, Reaction, Standing
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat, Seconds
from mcmulti.domain.core.offers import Limit, NumberChoice, Offer, Range
from mcmulti.domain.core.table import Table

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

T = TypeVar("T", bound=Table)

SECOND = 1_000_000
"""Microseconds."""
DAY = 86_400
"""Seconds."""


class GrantTime(Command, frozen=True):
    """Grant the asked seat the clock's time for a move once more (`table/grace`)."""

    seat: Seat


class UseBank(Command, frozen=True):
    """The server states how many seconds longer a seat took than the clock allows (`table/bank`)."""

    seconds: Seconds


class TimeOut(Command, frozen=True):
    """The server states that the asked seat's time is up (`table/clock`)."""


class Clock(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """How long a seat may take to answer.

    `move_seconds`: seconds for each move. `bank_seconds`: extra seconds of a seat, once for the whole game. `misses`: a
    seat is vacated after missing this many moves, if they were not cleared before (`table/clock`).
    """

    move_seconds: Annotated[int, Meta(ge=5, le=30 * DAY)]
    bank_seconds: Annotated[int, Meta(ge=0, le=30 * DAY)] = 0
    misses: Annotated[int, Meta(ge=1, le=100)] = 3


ClockOption = Annotated[
    Clock | None,
    Meta(description="Time limits for moves; null for none (`table/clock`)."),
]
"""The field of a setup."""

TOO_LATE = Limit("too_late", "table/clock")
"""Only the server knows the time: it refuses commands that come too late."""

LIMITS = (
    TOO_LATE,
    Limit("not_for_seats", "table/clock"),
    Limit("bank_empty", "table/bank"),
    Limit("not_asked", "table/grace"),
    Limit("granted", "table/grace"),
)
"""The limits in games that can have clocks."""


class BankUsed(Event, frozen=True):
    """A seat used some seconds of its time bank. `seconds`: how many. `left`: how many are left in it."""

    seat: Seat
    seconds: Seconds
    left: Seconds

    def evolve(self, state: T) -> T:
        return replace(state, timing=timing_of(state).with_used(self.seat, self.seconds))


class TimeGranted(Event, frozen=True):
    """A seat was granted more seconds, and its deadline moved accordingly.

    `by`: the seat that granted them. `turn`: the number of the turn in which it did.
    """

    seat: Seat
    by: Seat
    seconds: Seconds
    turn: Count

    def evolve(self, state: T) -> T:
        return replace(state, timing=timing_of(state).with_grant(self.by, self.seat, self.seconds, self.turn))

    def about(self, actor: int | None) -> int | None:
        return self.by


class MissesForgiven(Event, frozen=True):
    """The misses of a seat were cleared, because it ended a turn of its own and missed no move for a whole round of
    turns.
    """

    seat: Seat

    def evolve(self, state: T) -> T:
        return replace(state, timing=timing_of(state).forgiven(self.seat))


def agreed_clock(setup: Any) -> Clock | None:
    """The clock of a setup; None without one, also in games that have no clocks."""
    clock: Clock | None = getattr(setup, ByClock.option, None)
    return clock


def clock_of(state: Any) -> Clock | None:
    """The clock of a game that runs now; None if there is none, or no seat is asked."""
    clock: Clock | None = state.setup.clock
    return clock if clock is not None and state.status == "running" and state.movers else None


def bank(state: Any, seat: int) -> int:
    """How many seconds a seat has left in its bank; 0 without a clock."""
    clock: Clock | None = state.setup.clock
    return 0 if clock is None else clock.bank_seconds - timing_of(state).used_by(seat)


def banks(state: Any) -> tuple[int, ...]:
    """How many seconds each seat has left in its bank, by seat; empty without a clock."""
    return () if state.setup.clock is None else tuple(bank(state, seat) for seat in range(len(state.player_ids)))


def pace(state: Any, turn: int) -> Pace | None:
    """How long the game waits for the seat that is asked, in this turn (`table/clock`)."""
    clock = clock_of(state)
    if clock is None:
        return None
    (seat,) = state.movers
    allowed = clock.move_seconds
    return Pace((turn, seat), allowed, allowed + bank(state, seat), timing_of(state).granted)


def _overrun(state: Any, seconds: int) -> UseBank:
    """The command that takes N seconds from the bank of the seat that is asked, or all that are left in it."""
    (seat,) = state.movers
    return UseBank(min(seconds, bank(state, seat)))


def _offers(state: Any, seat: int, turn: int) -> tuple[Offer, ...]:
    """What a seat that is not asked may do about clocks."""
    if clock_of(state) is None:
        return ()
    (asked,) = state.movers
    if seat == asked or state.player_ids[seat] is None:
        return ()
    granted = asked in timing_of(state).granted_by(seat, turn)
    to = NumberChoice((asked,), "not_asked")
    return (Offer("GrantTime", "table/grace", {"seat": to}, blocked_by="granted" if granted else None),)


def _offers_to_server(state: Any) -> tuple[Offer, ...]:
    """What the server may state about the time of the seat that is asked."""
    if clock_of(state) is None:
        return ()
    (asked,) = state.movers
    left = bank(state, asked)
    return (
        Offer("TimeOut", "table/clock"),
        Offer(
            "UseBank",
            "table/bank",
            {"seconds": Range(1, left, "bank_empty")},
            blocked_by=None if left else "bank_empty",
        ),
    )


def _grant_time(game: "GameFlow[Any]", course: Course[T], seat: int, command: GrantTime, offer: Offer) -> None:
    clock = clock_of(course.state)
    assert clock is not None  # guaranteed by the offer
    course.record(TimeGranted(command.seat, seat, clock.move_seconds, game.turn_of(course.state)), offer.rule)


def _use_bank(game: "GameFlow[Any]", course: Course[T], seat: None, command: UseBank, offer: Offer) -> None:
    (asked,) = course.state.movers
    left = bank(course.state, asked)
    course.record(BankUsed(asked, command.seconds, left - command.seconds), offer.rule)


def _time_out(game: "GameFlow[Any]", course: Course[T], seat: None, command: TimeOut, offer: Offer) -> None:
    """Use up the bank of the seat that is asked, give its default answers, and vacate it after too many misses."""
    (asked,) = course.state.movers
    clock, left = clock_of(course.state), bank(course.state, asked)
    assert clock is not None  # guaranteed by the offer
    if left:
        course.record(BankUsed(asked, left, 0), "table/bank")
    unasked.move_unasked(game, course, asked, "time")
    if timing_of(course.state).missed_by(asked) >= clock.misses and course.state.phase != "over":
        leaving.vacate(game, course, asked, "missed", "table/clock")


class ClockWatch(NamedTuple):
    """The start of the stretch, and how many seconds had been granted then.

    The server may act later than it could: time lost to an outage is given back, which the log does not record.
    """

    pace: Callable[[Any], Pace | None]
    stretch: tuple[int, ...] | None = None
    since: int = 0
    granted: int = 0

    def wrong(self, seq: int, at: int, state: Any, command: Any) -> str | None:
        pace = None if self.stretch is None else self.pace(state)
        if pace is None:
            return None
        took = at - self.since - (pace.granted - self.granted) * SECOND
        if isinstance(command, TimeOut) and took < pace.closes_after * SECOND:
            return f"ends a move after {took / SECOND:g} of {pace.closes_after} seconds"
        if isinstance(command, UseBank) and command.seconds * SECOND > took - pace.late_after * SECOND:
            taken, time = command.seconds, f"{took / SECOND:g}, of {pace.late_after}"
            return f"takes {taken} seconds from a bank for a move that took {time}"
        return None

    def passed(self, at: int, state: Any) -> "ClockWatch":
        pace = self.pace(state)
        if pace is None:
            return self if self.stretch is None else self._replace(stretch=None)
        return (
            self
            if self.stretch == pace.stretch
            else self._replace(stretch=pace.stretch, since=at, granted=pace.granted)
        )


class ByClock(Capability, frozen=True, kw_only=True):
    """Clocks, in games that ask one seat at a time."""

    room: ClassVar[str] = __name__
    option: ClassVar[str] = "clock"
    slot: ClassVar[str] = "timing"
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)
    events: ClassVar[tuple[type[Event], ...]] = (BankUsed, TimeGranted, MissesForgiven)
    limits: ClassVar[tuple[Limit, ...]] = LIMITS
    carriers: ClassVar[Mapping[type[Command], CapabilityCarrier]] = {GrantTime: _grant_time}
    automatic: ClassVar[Mapping[type[Command], CapabilityCarrier]] = {UseBank: _use_bank, TimeOut: _time_out}
    aside: ClassVar[tuple[type[Command], ...]] = (UseBank, GrantTime)

    def deadlines(self, game: "GameFlow[Any]") -> Deadlines[Any]:
        return Deadlines(
            pace=lambda state: None if state.setup.clock is None else pace(state, game.turn_of(state)),
            timeout=lambda state: TimeOut(),
            late=TOO_LATE,
            overrun=_overrun,
            banks=banks,
            misses={unasked.MovedUnasked: unasked.let_pass},
        )

    def concerns(self, setup: Any) -> bool:
        return setup.clock is not None

    def watch(self, game: "GameFlow[Any]") -> ClockWatch:
        return ClockWatch(lambda state: pace(state, game.turn_of(state)))

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """Each stretch has its own deadline. Granted time moves it."""
        return Reaction(next_due(None if before is None else before.pace, after.pace))

    def besides(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        return _offers(state, seat, game.turn_of(state))

    def offers_to_server(self, game: "GameFlow[Any]", state: Any) -> tuple[Offer, ...]:
        return _offers_to_server(state)

    def follow(self, game: "GameFlow[Any]", course: Course[Any], before: Any, seat: int | None, command: Any) -> None:
        """Clear the misses of the seat to move, if its turn is over and it missed no move for a round of turns.

        No shorter time is enough. Otherwise a stalling seat could stay by one trivial answer per turn, or by one timely
        turn.
        """
        if not before.timing.missed:
            return
        played, turn, state = game.at_turn(before), game.turn_of(before), course.state
        if played is None or played not in state.taken or state.phase == "over" or game.turn_of(state) == turn:
            return
        timing = timing_of(state)
        if timing.missed_by(played) and timing.in_time(played, turn, game.lap(state)):
            course.record(MissesForgiven(played), "table/clock")
