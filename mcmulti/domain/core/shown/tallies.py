"""Tallies: tables of numbers that a game keeps in addition to its books, added up event by event."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.course.posting import Amount
from mcmulti.domain.core.figures import Code, Seat

RowName = Annotated[str, Meta(pattern="^[a-z0-9_]+$", description="What a row is about: a word of the rule set.")]
Columns = Mapping[Code, tuple[Code, ...]]
"""The columns of every table, in order, by the word for the table."""


class Tallied(Struct, frozen=True, gc=False):
    """Amounts to add to one row, which is identified by a seat, a name, or both."""

    table: Code
    seat: Seat | None
    name: RowName | None
    figures: Mapping[Code, Amount]
