"""How long games wait for those whom they ask."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from mcmulti.domain.core.course.pace import Pace
from mcmulti.domain.core.course.standing import Due
from mcmulti.domain.core.offers import Limit

S = TypeVar("S")


class Deadlines(Struct, Generic[S], frozen=True, kw_only=True):
    """For games that do not wait for ever."""

    pace: Callable[[S], Pace | None]
    """How long the game waits now; None as long as it takes."""
    timeout: Callable[[S], Struct]
    """The command, an automatic one, that the server sends when the pace is up."""
    late: Limit
    """Why what a seat sends when the pace is up is refused. The server knows the time."""
    overrun: Callable[[S, int], Struct] | None = None
    """The command, an automatic one, that the server sends before one which ends a stretch that took so many seconds
    longer than `Pace.late_after`. Where there is none, nobody's time is counted: then what anybody sends is late, and
    not only what those send whom the game waits for."""
    banks: Callable[[S], tuple[int, ...]] = lambda state: ()
    """The seconds that each seat has left besides, by seat; empty where there are none."""
    misses: Mapping[type[Struct], Callable[[S, Any], tuple[int, ...]]] = {}
    """By event, the seats that let a deadline pass by it; from the state before it."""


def next_due(before: Pace | None, after: Pace | None) -> Due | None:
    """How the deadline of a game changes that waited, and waits now, at this pace; None if it stays as it was."""
    if after is None:
        return None if before is None else Due()
    if before is None or before.stretch != after.stretch:
        return Due(after.closes_after)
    return Due(longer=after.granted - before.granted) if after.granted != before.granted else None
