"""A round as its referee reports it."""

from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.rounds.orders import LineNumber
from mcmulti.domain.core.figures import MOST, Count, RuleId, Seat, Seats, Sentence

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
