"""Duplicate play: what different players made of the same seat with the same dice.

A larger part of the victory is the better result; if it is equal, more money at the end. A seat that was given up is
the worst. Luck that belongs to the seat and the dice is the same on both sides of every comparison.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from mcmulti.domain.core.ruleset import Ruleset

T = TypeVar("T")


class SeatResult(NamedTuple):
    """Whether a seat was kept, its part of the victory, and its money at the end: more is better, in this order."""

    kept: bool
    won: float
    money: int


def seat_result(seat: int, winners: Sequence[int], left: Sequence[int], money: Sequence[int]) -> SeatResult:
    """The result of a seat, given the seats that won and those that were given up, and the money of all seats."""
    return SeatResult(seat not in left, 1 / len(winners) if seat in winners else 0.0, money[seat])


def money_of(ruleset: Ruleset[Any], state: Any) -> tuple[int, ...]:
    """What each seat has, in the game's money: the worth of everything if not only money counts."""
    return tuple(
        holding.amounts[ruleset.books.money] if holding.worth is None else holding.worth
        for holding in ruleset.books.gauges(state).holdings
    )


def given_up(ruleset: Ruleset[Any], state: Any) -> tuple[int, ...]:
    """The seats whose players left."""
    return tuple(seat for seat, player in enumerate(ruleset.players(state)) if player is None)


def compared(held: Sequence[tuple[T, SeatResult]]) -> Iterator[tuple[T, float]]:
    """Each of those who had the same seat, with its points in each comparison with another one: 1 for a better result,
    half a point for an equal one.
    """
    for one, result in held:
        for other, theirs in held:
            if other != one:
                yield one, 0.5 if result == theirs else 1.0 if result > theirs else 0.0
