"""Luck: the dice that were thrown, and the result of a roll compared with the average of all rolls."""

from msgspec import Struct


class Die(Struct, frozen=True, gc=False):
    """A six-sided die that was thrown: its name, a word of the rule set, and the face, 1 to 6."""

    name: str
    face: int


class Luck(Struct, frozen=True, gc=False):
    """What a roll brought a seat, of a kind that the rule set has a word for.

    `expected` is the sum over all the `ways` the dice can fall, so the expected value is `expected` / `ways`.
    """

    seat: int
    kind: str
    actual: int
    expected: int
    ways: int
