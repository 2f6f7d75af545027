"""Who plays, and what came of it."""

from typing import Any

from msgspec import Struct


class Outcome(Struct, frozen=True):
    """Names by seat, None for an empty one, and where no name is known.

    `winners` are the seats that won, none before the game is over. `declared_by` is the seat that brought the end
    about, None where nobody did, as at a standstill. `decided_by` is what decided over the
    victory, in a word of the rule set, or how people ended the game before: ``left``, ``agreed``, ``called_off``; None
    before it is over.
    """

    names: tuple[str | None, ...]
    winners: tuple[int, ...]
    declared_by: int | None
    decided_by: str | None = None


def outcome(state: Any) -> Outcome:
    """Who plays and who won, where nobody declares the end."""
    return Outcome(state.names, state.winners, None, decided_by(state))


def decided_by(state: Any) -> str | None:
    """What decided over the victory, or how people ended the game before its rules did."""
    ended: str | None = state.departures.ended or state.decided_by
    return ended
