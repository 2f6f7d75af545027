"""Luck: which dice were thrown, and what a roll hit, next to what rolls hit on average."""

from msgspec import Struct


class Die(Struct, frozen=True, gc=False):
    """A die of six sides that was thrown: its name, a word of the rule set, and the face, 1 to 6."""

    name: str
    face: int


class Luck(Struct, frozen=True, gc=False):
    """What a production roll allowed a seat: barrels that its assets of a kind could operate.

    `expected` is the sum over all 36 rolls, so its average is `expected` / 36.
    """

    seat: int
    kind: str
    actual: int
    expected: int
