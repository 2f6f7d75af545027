"""Who plays, and what came of it."""

from msgspec import Struct


class Outcome(Struct, frozen=True):
    """Names by seat, None for an empty one. `winners` are the seats that won, none before the game is over.

    `declared_by` is the seat that brought the end about, None where nobody did, as at a standstill.
    """

    names: tuple[str | None, ...]
    winners: tuple[int, ...]
    declared_by: int | None
