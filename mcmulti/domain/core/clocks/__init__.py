"""Clocks: how long a seat that is asked may take, what it has besides, and what others grant it.

Where the setup names a clock, a *stretch* is as long as the game waits for the same seat in the same turn, however many
commands that takes: so nobody gains time by trifles. Its deadline is that of the log; what follows from the time is
what the server says by commands of its own, `UseBank` and `TimeOut`, so that the state is a fold of events alone.
"""

from typing import TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat, Seconds
from mcmulti.domain.core.offers import Limit, NumberChoice, Offer, Range
from mcmulti.domain.core.rounds import Pace
from mcmulti.domain.core.setup import Clock
from mcmulti.domain.core.table import Table

T = TypeVar("T", bound=Table)

TOO_LATE = Limit("too_late", "table/clock")
"""Only the server knows the time: it refuses what comes too late."""

LIMITS = (
    TOO_LATE,
    Limit("not_for_seats", "table/clock"),
    Limit("bank_empty", "table/bank"),
    Limit("not_asked", "table/grace"),
    Limit("granted", "table/grace"),
)
"""What keeps people from something in games that may have clocks."""


class GrantTime(Command, frozen=True):
    """Grant the seat that is asked as long again as the clock allows for a move (`table/grace`)."""

    seat: Seat


class UseBank(Command, frozen=True):
    """The server says how many seconds longer a seat took than the clock allows (`table/bank`)."""

    seconds: Seconds


class TimeOut(Command, frozen=True):
    """The server says that the time of the seat that is asked is up (`table/clock`)."""


class BankUsed(Event, frozen=True):
    """A seat took so many seconds of its bank. `left`: how many are left in it."""

    seat: Seat
    seconds: Seconds
    left: Seconds

    def evolve(self, state: T) -> T:
        return replace(state, timing=state.timing.with_used(self.seat, self.seconds))


class TimeGranted(Event, frozen=True):
    """A seat was granted so many seconds more: its deadline moved by them.

    `by`: the seat that granted them. `turn`: the number of the turn in which it did.
    """

    seat: Seat
    by: Seat
    seconds: Seconds
    turn: Count

    def evolve(self, state: T) -> T:
        return replace(state, timing=state.timing.with_grant(self.by, self.seat, self.seconds, self.turn))

    def about(self, actor: int | None) -> int | None:
        return self.by


class MissesForgiven(Event, frozen=True):
    """A seat that had let its time pass played a turn of its own in time: what it missed does not count any more."""

    seat: Seat

    def evolve(self, state: T) -> T:
        return replace(state, timing=state.timing.forgiven(self.seat))


def clock_of(state: Table) -> Clock | None:
    """The clock of a game that runs now; None where there is none, or nobody is asked."""
    clock: Clock | None = state.setup.clock
    return clock if clock is not None and state.status == "running" and state.movers else None


def bank(state: Table, seat: int) -> int:
    """How many seconds a seat has left in its bank; 0 without a clock."""
    clock: Clock | None = state.setup.clock
    return 0 if clock is None else clock.bank_seconds - state.timing.used_by(seat)


def banks(state: Table) -> tuple[int, ...]:
    """How many seconds each seat has left in its bank, by seat; empty without a clock."""
    return () if state.setup.clock is None else tuple(bank(state, seat) for seat in range(len(state.player_ids)))


def pace(state: Table, turn: int) -> Pace | None:
    """How long the game waits for the seat that is asked, in this turn (`table/clock`)."""
    clock = clock_of(state)
    if clock is None:
        return None
    (seat,) = state.movers
    allowed = clock.move_seconds
    return Pace((turn, seat), allowed, allowed + bank(state, seat), state.timing.granted)


def overrun(state: Table, seconds: int) -> UseBank:
    """The command that takes so many seconds from the bank of the seat that is asked, or all that are in it."""
    (seat,) = state.movers
    return UseBank(min(seconds, bank(state, seat)))


def offers(state: Table, seat: int | None, turn: int) -> tuple[Offer, ...]:
    """What clocks let a seat do that is not asked, and the server (None)."""
    clock = clock_of(state)
    if clock is None:
        return ()
    (asked,) = state.movers
    if seat is None:
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
    if seat == asked or state.player_ids[seat] is None:
        return ()
    granted = asked in state.timing.granted_by(seat, turn)
    to = NumberChoice((asked,), "not_asked")
    return (Offer("GrantTime", "table/grace", {"seat": to}, blocked_by="granted" if granted else None),)


def grant_time(course: Course[T], seat: int, command: GrantTime, offer: Offer, turn: int) -> None:
    clock = clock_of(course.state)
    assert clock is not None  # the offer says so
    course.record(TimeGranted(command.seat, seat, clock.move_seconds, turn), offer.rule)


def use_bank(course: Course[T], command: UseBank, offer: Offer) -> None:
    (asked,) = course.state.movers
    left = bank(course.state, asked)
    course.record(BankUsed(asked, command.seconds, left - command.seconds), offer.rule)
