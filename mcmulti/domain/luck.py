"""Luck: what a roll hit, next to what rolls hit on average."""

from msgspec import Struct


class Luck(Struct, frozen=True, gc=False):
    """What a production roll allowed a seat: barrels that its assets of a kind could operate.

    `expected` is the sum over all 36 rolls, so its average is `expected` / 36.
    """

    seat: int
    kind: str
    actual: int
    expected: int
