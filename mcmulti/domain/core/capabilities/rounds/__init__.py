"""Rounds: the game waits for all seats at once, and goes on for all of them together.

Seats may write down orders in advance, and a referee may report the round.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, NamedTuple, TypeVar

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.course.course import Decision
from mcmulti.domain.core.course.deadlines import Deadlines, next_due
from mcmulti.domain.core.course.standing import Reaction, Standing
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import MOST, Code, Count, RuleId, Seat, Seats, Sentence
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.wording.telling import Language

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow
    from mcmulti.domain.core.ruleset import Ruleset


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


Round = Annotated[int, Meta(ge=0, le=MOST, description="Number of a round, from 1; 0 before the first.")]
RoundNumber = Annotated[int, Meta(ge=1, le=MOST, description="Number of the round, from 1.")]
Label = Annotated[str, Meta(min_length=1, pattern=r"\S", description="Words for display.")]
Cell = Annotated[int, Meta(ge=-MOST, le=MOST)] | Label | None


class Past(NamedTuple):
    """An event of a round: its number in the game, the event, and its rule."""

    seq: int
    event: Any
    rule: str


class Detail(Struct, frozen=True):
    """A detail of an entry.

    `depth`: how deep it is nested below the details before it, from 0. `sentence`: what it adds.
    """

    depth: Annotated[int, Meta(ge=0, le=100)]
    sentence: Sentence


class Entry(Struct, frozen=True):
    """What a report says about one event.

    `seq`: the event. `phase`: the part of the turn in which it happened, null outside of any. `line`: the line of a
    player's orders that it comes from, null for none. `seat`: whose orders these are, null for none. `outcome`: the
    outcome of that line; `told` for events that come from no line. `sentence`: what happened. `details`: the reasons,
    such as the conditions of the line with the values that decided. `have`: for a skipped line, what the player had,
    null if no number explains it. `need`: for a skipped line, what it required, null if no number explains it.
    `written`: that line of the orders in the game's notation, null for none.
    """

    seq: Count
    phase: Label | None
    line: LineNumber | None
    seat: Seat | None
    outcome: Literal["done", "curtailed", "skipped", "checked", "told"]
    sentence: Sentence
    details: tuple[Detail, ...]
    rule: RuleId
    have: Count | None = None
    need: Count | None = None
    written: Label | None = None


class Section(Struct, frozen=True):
    """A part of a report.

    `title`: what it is about. `seat`: whose turn it covers, null for none. `entries`: what happened, in order. `notes`:
    what did not happen.
    """

    title: Label
    seat: Seat | None
    entries: tuple[Entry, ...]
    notes: tuple[Sentence, ...] = ()


class ReportTable(Struct, frozen=True):
    """Numbers after the round.

    `title`: what they are. `columns`: what each column has. `rows`: the cells of each row, as many as there are
    columns; null for an empty cell.
    """

    title: Label
    columns: Annotated[tuple[Label, ...], Meta(min_length=1)]
    rows: tuple[tuple[Cell, ...], ...]


class RoundReport(Struct, frozen=True):
    """A round as its referee reports it: a letter to the players.

    `title`: which game and round. `greeting`: whom the letter is for. `headline`: the round in a sentence. `summary`:
    what everybody should know. `sections`: what happened, in order. Every event of the round is an entry of one of
    them. `tables`: the standings after it. `closing`: how the letter ends. `winners`: the seats that won in this round.
    """

    round: RoundNumber
    title: Label
    greeting: Sentence
    headline: Sentence
    summary: tuple[Sentence, ...]
    sections: tuple[Section, ...]
    tables: tuple[ReportTable, ...]
    closing: Sentence
    winners: Seats


class Rounds(Capability, Generic[S], frozen=True, kw_only=True):
    """Rounds, with the parts that a game adds."""

    room: ClassVar[str] = __name__

    number: Callable[[S], int]
    """The number of the current round, from 1; 0 before the first."""
    orders: Orders[S] | None = None
    """What seats write down in advance; None if they do not."""
    waits: Deadlines[S] | None = None
    """How long a round waits; None if there is no limit."""

    def deadlines(self, game: "GameFlow[Any]") -> Deadlines[Any] | None:
        return self.waits

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """Each round has its own deadline."""
        return Reaction(next_due(None if before is None else before.pace, after.pace))


def rounds_of(ruleset: "Ruleset[Any]") -> Rounds[Any] | None:
    """The rounds of a game; None if it has none."""
    return ruleset.flow.has(Rounds)


def orders_of(ruleset: "Ruleset[Any]") -> Orders[Any] | None:
    """What seats of a game write down in advance; None if they do not."""
    rounds = rounds_of(ruleset)
    return None if rounds is None else rounds.orders
