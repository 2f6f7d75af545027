"""What a round came to, as its referee tells it."""

from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.rounds.orders import LineNumber
from mcmulti.domain.core.figures import MOST, Count, RuleId, Seat, Seats, Sentence

Round = Annotated[int, Meta(ge=0, le=MOST, description="Number of a round, from 1; 0 before the first.")]
RoundNumber = Annotated[int, Meta(ge=1, le=MOST, description="Number of the round, from 1.")]
Label = Annotated[str, Meta(min_length=1, pattern=r"\S", description="Words for display.")]
Cell = Annotated[int, Meta(ge=-MOST, le=MOST)] | Label | None


class Past(NamedTuple):
    """An event of a round: its number in the game, what it says, and the rule it follows from."""

    seq: int
    event: Any
    rule: str


class Detail(Struct, frozen=True):
    """What is added to an entry.

    `depth`: how deep it belongs below the details before it, from 0.
    `sentence`: what is added.
    """

    depth: Annotated[int, Meta(ge=0, le=100)]
    sentence: Sentence


class Entry(Struct, frozen=True):
    """What a report says of one event.

    `seq`: the event.
    `phase`: the part of the turn it happened in, null outside of any.
    `line`: the line of a player's orders that it comes from, null for none.
    `seat`: whose orders these are, null for none.
    `outcome`: what became of that line; `told` for what comes from no line.
    `sentence`: what happened.
    `details`: the reasons, such as the conditions of the line with the values that decided.
    `have`: for a line that was skipped what there was, null where figures say nothing.
    `need`: for a line that was skipped what it took, null where figures say nothing.
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

    `title`: what it is about.
    `seat`: whose turn it tells, null for none.
    `entries`: what happened, in order.
    `notes`: what did not happen.
    """

    title: Label
    seat: Seat | None
    entries: tuple[Entry, ...]
    notes: tuple[Sentence, ...] = ()


class ReportTable(Struct, frozen=True):
    """Figures after the round.

    `title`: what they are.
    `columns`: what each column has.
    `rows`: the cells of each row, as many as there are columns; null for what there is not.
    """

    title: Label
    columns: Annotated[tuple[Label, ...], Meta(min_length=1)]
    rows: tuple[tuple[Cell, ...], ...]


class RoundReport(Struct, frozen=True):
    """A round as its referee tells it: a letter to the players.

    `title`: which game and round.
    `greeting`: whom the letter is for.
    `headline`: the round in a sentence.
    `summary`: what everybody should know.
    `sections`: what happened, in order; every event of the round is an entry of one of them.
    `tables`: how things stand after it.
    `closing`: how the letter ends.
    `winners`: the seats that won in this round.
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
