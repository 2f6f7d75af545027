"""Starting a game. If the table is full, anybody seated may. With free seats, the opener may, or all seated
who agree.
"""

from typing import Protocol, TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat, Seats
from mcmulti.domain.core.offers import Limit, Offer, plain
from mcmulti.domain.core.table import Table
from mcmulti.domain.core.tuples import put

T = TypeVar("T", bound=Table)

LIMITS = (
    Limit("seats_empty", "table/start"),
    Limit("agreed_to_start", "table/start"),
)
"""The limits for starting."""


class AgreeToStart(Command, frozen=True):
    """Agree to start the game with the players seated now (`table/start`)."""


class StartAgreedTo(Event, frozen=True):
    """One more player agrees to start. `agreed`: how many do now. `players`: how many are seated."""

    seat: Seat
    agreed: Count
    players: Count

    def evolve(self, state: T) -> T:
        chair = state.chairs[self.seat]
        return state if chair is None else replace(state, chairs=put(state.chairs, self.seat, chair.agreeing()))


class SeatsClosedUp(Event, frozen=True):
    """Players behind free seats moved forward. `chairs`: by seat, the chair that its player had taken."""

    chairs: Seats

    def evolve(self, state: T) -> T:
        return replace(
            state,
            chairs=tuple(state.chairs[chair] for chair in self.chairs),
            player_ids=tuple(state.player_ids[chair] for chair in self.chairs),
        )


class Fewest(Protocol):
    """A game's minimum number of players."""

    @property
    def fewest(self) -> int | None:
        """The fewest players it can start with; None if every seat must be taken."""


def offers_seated(game: Fewest, state: Table, seat: int) -> tuple[Offer, ...]:
    """Leave, start, or agree to start (`table/leave`, `table/start`)."""
    seats = len(state.chairs)
    seated, chair = len(state.seated), state.chairs[seat]
    fewest = seats
    if game.fewest is not None and state.origin is None and state.series is None:  # those two have all their players
        fewest = game.fewest
    too_few = "too_few_players" if seated < fewest else None
    may_start = may_agree = None
    if chair is not None:
        may_start = None if seated == seats or chair.player == state.opened_by else "seats_empty"
        may_agree = "agreed_to_start" if chair.agrees else None
    return (
        plain("StartGame", "table/start", too_few or may_start),
        plain("AgreeToStart", "table/start", too_few or may_agree),
        plain("LeaveSeat", "table/leave"),
    )


def agree(course: Course[T], seat: int, offer: Offer) -> bool:
    """Record a seat's consent. Returns whether all who are seated agree now."""
    agreed = sum(chair is not None and chair.agrees for chair in course.state.chairs) + 1
    players = len(course.state.seated)
    course.record(StartAgreedTo(seat, agreed, players), offer.rule)
    return agreed == players


def close_up(course: Course[T]) -> None:
    """Move players behind free seats forward (`table/start`)."""
    seated = course.state.seated
    if len(seated) < len(course.state.chairs):
        course.record(SeatsClosedUp(seated), "table/start")
