"""Orders that seats write down in advance for a round."""

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
    """A likely mistake in a sheet of orders. `line`: its line, from 1, None for the whole sheet."""

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
    """A sheet of orders parsed from its text, and the line of text where each of its lines begins, from 1."""

    sheet: Any
    places: tuple[int, ...]


class Orders(Struct, Generic[S], frozen=True, kw_only=True):
    """For games in which seats write down their orders in advance."""

    sheet: type[Struct]
    """The type in which seats write their orders for a round."""
    forecast: Callable[[S, int, Any], Decision[S] | Rejection]
    """What a seat's orders would lead to if they were carried out now, up to the first dice."""
    check: Callable[[S, int, Any, Language], tuple[Remark, ...]]
    """Likely mistakes in a seat's orders."""
    read: Callable[[str, int | None, Sequence[str | None]], ReadOrders]
    """Parse orders in the game's notation, written by a seat, if it is known which, among players with these names by
    seat. Raises `UnreadOrders`.
    """
    write: Callable[[Any], str]
    """Write orders in the game's notation."""
    sending: Callable[[S, Any], Struct]
    """The move that sends orders for the round."""
    sent: Callable[[S, int], tuple[Any, ...]]
    """The moves that sent a seat's pending orders; each has its `round` and `sheet`."""
    closes: type[Struct]
    """The event that ends the wait for orders. Its `missing` are the seats without orders. For ratings, each other seat
    has decided something.
    """
