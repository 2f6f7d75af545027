"""The common part of all views, in any game that hides nothing there."""

from typing import Any, Generic, Self, TypeVar

from msgspec import Struct

from mcmulti.domain.core.figures import BySeat, PlayerId, PlayerName, Seat, Seats, Sha256
from mcmulti.domain.core.table import Status, TableSetup

A = TypeVar("A", bound=TableSetup)


class SeatView(Struct, frozen=True):
    """A seat. `player`: the id of its player, null for an empty seat. `name`: the player's name, null also if no name
    is known.
    """

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None


_FIELDS = """\
`status`: whether it is open, running, or finished. `you`: the reader's seat; null for spectators. `to_move`: the seats
that the game is waiting for. `setup`: the terms of the table. `seats`: who sits where. `winners`: the seats
that won. `commitment`: the SHA-256 of the secret seed. `seed`: the secret seed; null until the game is over.
"""
"""Descriptions of the fields that every such view has, published together with those that a game adds."""


class ViewInTurns(Struct, Generic[A], frozen=True):
    """A game as one reader sees it. A game gives it its tag, and adds fields of its state, under the same names."""

    status: Status
    you: Seat | None
    to_move: Seats
    setup: A
    seats: BySeat[SeatView]
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None

    def __init_subclass__(cls) -> None:
        cls.__doc__ = f"{cls.__doc__}\n\n{_FIELDS}"

    @classmethod
    def of(cls, state: Any, you: int | None) -> Self:
        """The game as the seat `you` sees it; None for a spectator."""
        seated = enumerate(zip(state.player_ids, state.names, strict=True))
        seats = tuple(SeatView(seat, *who) for seat, who in seated)
        read = {name: getattr(state, name) for name in cls.__struct_fields__ if name not in ("you", "seats")}
        return cls(you=you, seats=seats, **read)
