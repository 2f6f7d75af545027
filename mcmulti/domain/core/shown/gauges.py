"""The numbers of a game: gauges that are tracked through its course, luck, and tallies."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.course.posting import Amount, Unit
from mcmulti.domain.core.figures import MOST_SEATS, Code, Count, Money, Seat


class Holding(Struct, frozen=True, gc=False):
    """What a seat has.

    `amounts`: how much of each unit of the books that its accounts are checked against, money first. `worth`: the total
    worth in money; null if only money counts.
    """

    seat: Seat
    amounts: dict[Unit, Count]
    worth: Money | None


Holdings = Annotated[tuple[Holding, ...], Meta(max_length=MOST_SEATS)]


class Gauges(Struct, frozen=True):
    """`period`: the times that the game is in; None if all times are alike.

    `prices`: in money, by name; None if there is none now. Empty before the start.
    """

    period: Code | None
    holdings: Holdings
    prices: dict[Code, Money | None] = {}


def everybody_has(unit: Unit, amounts: Sequence[int]) -> Gauges:
    """The gauges of a game that counts only one thing: how much of it each seat has."""
    return Gauges(None, tuple(Holding(seat, {unit: amount}, None) for seat, amount in enumerate(amounts)))


class Die(Struct, frozen=True, gc=False):
    """A six-sided die that was thrown: its name, a word of the rule set, and the face, 1 to 6."""

    name: str
    face: int


class Luck(Struct, frozen=True, gc=False):
    """What a roll brought a seat, of a kind that the rule set has a word for.

    `expected` is the sum over all the `ways` the dice can fall, so the expected value is `expected` / `ways`.
    """

    seat: int
    kind: str
    actual: int
    expected: int
    ways: int


RowName = Annotated[str, Meta(pattern="^[a-z0-9_]+$", description="What a row is about: a word of the rule set.")]
Columns = Mapping[Code, tuple[Code, ...]]
"""The columns of every table, in order, by the word for the table."""


class Tallied(Struct, frozen=True, gc=False):
    """Amounts to add to one row, which is identified by a seat, a name, or both."""

    table: Code
    seat: Seat | None
    name: RowName | None
    figures: Mapping[Code, Amount]
