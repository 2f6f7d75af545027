"""A game at a moment as something to look at: what is drawn, not how."""

from msgspec import Struct


class Picture(Struct, frozen=True):
    """The board."""

    title: str
