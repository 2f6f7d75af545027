"""What can be read off a game at a moment: the figures that are followed through its course."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.course.posting import Unit
from mcmulti.domain.core.figures import MOST_SEATS, Code, Count, Money, Seat


class Holding(Struct, frozen=True, gc=False):
    """What a seat has.

    `amounts`: how much of each unit of the books that its accounts are checked against, money first.
    `worth`: what all it has is worth, in money; null where nothing but money counts.
    """

    seat: Seat
    amounts: dict[Unit, Count]
    worth: Money | None


Holdings = Annotated[tuple[Holding, ...], Meta(max_length=MOST_SEATS)]


class Gauges(Struct, frozen=True):
    """`period` is the times that the game is in; None where all times are alike.

    `prices` are in money, by name; None where there is none now. Empty before the start.
    """

    period: Code | None
    holdings: Holdings
    prices: dict[Code, Money | None] = {}


def everybody_has(unit: Unit, amounts: Sequence[int]) -> Gauges:
    """The gauges of a game that counts one thing only: how much of it each seat has."""
    return Gauges(None, tuple(Holding(seat, {unit: amount}, None) for seat, amount in enumerate(amounts)))
