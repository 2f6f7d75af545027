"""Questions to a seat in another's turn, which something may answer for it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Limit

S = TypeVar("S")


class Questions(Struct, Generic[S], frozen=True, kw_only=True):
    """For games in which seats may be asked in others' turns, and answers are all given at the same moment."""

    after: Callable[[S], int | None]
    """After how many seconds they are given at a table; None where they are given at once."""
    asked: Callable[[S], tuple[int, int] | None]
    """The turn, and the seat that is asked in it, though it is another's; None if none is, or answers at once."""
    answer: Callable[[S], Command | None]
    """The next command by which the server answers for the seat that is asked; None if it does not."""
    given: Callable[[Any], bool]
    """Whether a command is an answer: what a seat may do at any time is none."""
    one_by_one: Limit
    """Why several answers in one request are refused: each has a moment of its own."""
