"""Deadlines for the seats that a game waits for, and questions that the server may answer for them."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.standing import Due, Pace
from mcmulti.domain.core.offers import Limit

S = TypeVar("S")


class Deadlines(Struct, Generic[S], frozen=True, kw_only=True):
    """Deadlines of games that do not wait forever."""

    pace: Callable[[S], Pace | None]
    """How long the game waits now; None if there is no limit."""
    timeout: Callable[[S], Struct]
    """The automatic command that the server sends when the pace is up."""
    late: Limit
    """The refusal of commands that arrive when the pace is up. The server knows the time."""
    overrun: Callable[[S, int], Struct] | None = None
    """The automatic command that the server sends before one that ends a stretch which took this many seconds longer
    than `Pace.late_after`. Without it, nobody's time is counted. Then every command is late, not only those of the
    seats that the game waits for.
    """
    banks: Callable[[S], tuple[int, ...]] = lambda state: ()
    """The seconds left in each seat's bank, by seat; empty if there are no banks."""
    misses: Mapping[type[Struct], Callable[[S, Any], tuple[int, ...]]] = {}
    """For each event type, the seats that missed a deadline by such an event, given the state before it."""


def next_due(before: Pace | None, after: Pace | None) -> Due | None:
    """How the deadline of a game changes, given its previous and current pace; None if it does not change."""
    if after is None:
        return None if before is None else Due()
    if before is None or before.stretch != after.stretch:
        return Due(after.closes_after)
    return Due(longer=after.granted - before.granted) if after.granted != before.granted else None


class Questions(Struct, Generic[S], frozen=True, kw_only=True):
    """For games in which seats may be asked in other players' turns, and all answers are given at the same moment."""

    after: Callable[[S], int | None]
    """The delay of answers at a table, in seconds; None if they are given at once."""
    asked: Callable[[S], tuple[int, int] | None]
    """The turn, and the seat that is asked in another's turn; None if no seat is, or it answers at once."""
    answer: Callable[[S], Command | None]
    """The next command with which the server answers for the seat that is asked; None if it does not."""
    given: Callable[[Any], bool]
    """Whether a command is an answer. What a seat may do at any time is not."""
    one_by_one: Limit
    """The refusal of several answers in one request: each has its own moment."""
