"""The table before the start: who sits down, who leaves, who may start."""

from typing import TypeVar

from mcmulti.domain.core.course import Course
from mcmulti.domain.core.offers import NumberChoice, Offer, plain
from mcmulti.domain.oil.commands import LeaveSeat, TakeSeat
from mcmulti.domain.oil.events import SeatLeft, SeatTaken
from mcmulti.domain.oil.state import Oilfield

F = TypeVar("F", bound=Oilfield)


def offers_joining(state: Oilfield) -> tuple[Offer, ...]:
    """Anybody may take a free seat before the start (`table/join`)."""
    free = tuple(seat for seat, chair in enumerate(state.chairs) if chair is None)
    seats = NumberChoice(free, "seat_taken", optional=True)
    blocked = None if free else "table_full"
    return (Offer("TakeSeat", "table/join", "Take a free seat.", {"seat": seats}, blocked_by=blocked),)


def offers_seated(state: Oilfield, least: int, *, fewer_seats: bool) -> tuple[Offer, ...]:
    """Leave, or start when the table is ready (`table/leave`, `table/start`).

    `least` players are needed; with `fewer_seats` not all seats have to be taken.
    """
    players = len(state.seated)
    blocked = None
    if players < least:
        blocked = "too_few_players"
    elif players < len(state.chairs) and not fewer_seats:
        blocked = "seats_empty"
    return (
        plain("StartGame", "table/start", f"Start the game with {players} players.", blocked),
        plain("LeaveSeat", "table/leave", "Leave the table."),
    )


def take_seat(play: Course[F], seat: int | None, command: TakeSeat) -> None:
    chairs = play.state.chairs
    taken = chairs.index(None) if command.seat is None else command.seat
    play.record(SeatTaken(taken, command.player, command.name, command.entropy), "table/join")


def leave_seat(play: Course[F], seat: int, command: LeaveSeat) -> None:
    play.record(SeatLeft(seat), "table/leave")
