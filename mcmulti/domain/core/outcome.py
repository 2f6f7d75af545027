"""Who plays, and what came of it."""

from typing import Any

from msgspec import Struct


class Outcome(Struct, frozen=True):
    """Names by seat, None for an empty one, and where no name is known.

    `winners` are the seats that won, none before the game is over. `declared_by` is the seat that brought the end
    about, None where nobody did, as at a standstill.
    """

    names: tuple[str | None, ...]
    winners: tuple[int, ...]
    declared_by: int | None


def outcome(state: Any) -> Outcome:
    """Who plays and who won, where nobody declares the end."""
    return Outcome(state.names, state.winners, None)
