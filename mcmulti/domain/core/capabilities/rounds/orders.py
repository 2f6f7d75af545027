"""Orders that seats write down beforehand for a round."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from msgspec import Meta, Struct

from mcmulti.domain.core.course.course import Decision
from mcmulti.domain.core.figures import Code, Sentence
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.wording.telling import Language

S = TypeVar("S")
LineNumber = Annotated[int, Meta(ge=1, le=10_000)]


class Remark(Struct, frozen=True):
    """What looks like a mistake in a sheet of orders. `line` is its line, from 1, None for the whole sheet."""

    line: LineNumber | None
    code: Code
    sentence: Sentence


class UnreadOrders(ValueError):
    """Why a text is not a sheet of orders in the game's notation: where, counted from 1, and what was expected."""

    def __init__(self, line: int, column: int, sentences: Mapping[Language, str]) -> None:
        super().__init__(sentences["en"])
        self.line = line
        self.column = column
        self.sentences = sentences


class ReadOrders(NamedTuple):
    """A sheet of orders that was read from its text, and the line of text that each of its lines begins in, from 1."""

    sheet: Any
    places: tuple[int, ...]


class Orders(Struct, Generic[S], frozen=True, kw_only=True):
    """For games in which seats write down beforehand what they want."""

    sheet: type[Struct]
    """What seats write their orders for a round in."""
    forecast: Callable[[S, int, Any], Decision[S] | Rejection]
    """What a seat's orders would lead to if they were carried out now, before any dice."""
    check: Callable[[S, int, Any, Language], tuple[Remark, ...]]
    """What looks like a mistake in a seat's orders."""
    read: Callable[[str, int | None, Sequence[str | None]], ReadOrders]
    """Orders from a text in the game's notation, written by a seat, if it is known which, among players of these names
    by seat. Raises `UnreadOrders`."""
    write: Callable[[Any], str]
    """Orders in the game's notation."""
    sending: Callable[[S, Any], Struct]
    """The move that sends orders for the round."""
    sent: Callable[[S, int], tuple[Any, ...]]
    """The moves that sent a seat's orders which wait to be carried out; each has its `round` and `sheet`."""
    closes: type[Struct]
    """The event that ends the wait for orders. Its `missing` are the seats without orders: for ratings, each other seat
    has decided something."""
