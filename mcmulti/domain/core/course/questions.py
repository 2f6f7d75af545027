"""Questions to a seat in another player's turn, which the server may answer for it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Limit

S = TypeVar("S")


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
