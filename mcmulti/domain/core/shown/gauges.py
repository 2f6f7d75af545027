"""Gauges: the numbers that are tracked through the course of a game."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.course.posting import Unit
from mcmulti.domain.core.figures import MOST_SEATS, Code, Count, Money, Seat


class Holding(Struct, frozen=True, gc=False):
    """What a seat has.

    `amounts`: how much of each unit of the books that its accounts are checked against, money first. `worth`: the total
    worth in money; null if only money counts.
    """

    seat: Seat
    amounts: dict[Unit, Count]
    worth: Money | None


Holdings = Annotated[tuple[Holding, ...], Meta(max_length=MOST_SEATS)]


class Gauges(Struct, frozen=True):
    """`period`: the times that the game is in; None if all times are alike.

    `prices`: in money, by name; None if there is none now. Empty before the start.
    """

    period: Code | None
    holdings: Holdings
    prices: dict[Code, Money | None] = {}


def everybody_has(unit: Unit, amounts: Sequence[int]) -> Gauges:
    """The gauges of a game that counts only one thing: how much of it each seat has."""
    return Gauges(None, tuple(Holding(seat, {unit: amount}, None) for seat, amount in enumerate(amounts)))
