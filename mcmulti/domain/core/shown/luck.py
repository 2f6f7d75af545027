"""Luck: which dice were thrown, and what a roll hit, next to what rolls hit on average."""

from msgspec import Struct


class Die(Struct, frozen=True, gc=False):
    """A die of six sides that was thrown: its name, a word of the rule set, and the face, 1 to 6."""

    name: str
    face: int


class Luck(Struct, frozen=True, gc=False):
    """What a roll brought a seat, of a kind that the rule set has a word for.

    `expected` is the sum over all the `ways` the dice can fall, so what was to be expected is `expected` / `ways`.
    """

    seat: int
    kind: str
    actual: int
    expected: int
    ways: int
