"""Positions that practice games begin with, and their faults: a field, and why no game can stand like that."""

from collections.abc import Collection, Iterator
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST, GameId, Sha256

PositionFields = Annotated[
    dict[str, Any],
    Meta(max_length=64, description="What stands on the table: the fields of a position of the rule set."),
]


class Moment(Struct, frozen=True, gc=False):
    """A moment of another game: its id, and the number and the hash of its last event then."""

    game: GameId
    seq: Annotated[int, Meta(ge=1, le=MOST, description="Number of the last event at that moment.")]
    hash: Sha256


class Origin(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a practice game begins with.

    `position`: what stands on the table. `branch_of`: the moment of another game that it is taken from, if it is.
    """

    position: PositionFields
    branch_of: Moment | None = None

    @property
    def begun(self) -> "Origin":
        """What remains to be known once the game has begun."""
        return Origin({}, self.branch_of)


class Fault(NamedTuple):
    """A field of a position, such as ``players[0].cash``, and what is wrong with it, as a phrase."""

    field: str
    reason: str


def outside(field: str, value: int, least: int, most: int) -> Iterator[Fault]:
    """A fault if a number is out of range."""
    if not least <= value <= most:
        yield Fault(field, f"{value} is not between {least} and {most}")


def wrong_length(field: str, values: Collection[object], wanted: int) -> Iterator[Fault]:
    """A fault if a list has the wrong number of items."""
    if len(values) != wanted:
        yield Fault(field, f"it has {len(values)} items instead of {wanted}")


def differs(field: str, value: object, wanted: object) -> Iterator[Fault]:
    """A fault if a value is not the only possible one."""
    if value != wanted:
        yield Fault(field, f"it can only be {wanted!r} here")


def no_seat(field: str, seat: int | None, seats: int) -> Iterator[Fault]:
    """A fault if a number is not that of a seat. None is allowed."""
    return iter(()) if seat is None else outside(field, seat, 0, seats - 1)


def repeats(field: str, values: Collection[object]) -> Iterator[Fault]:
    """A fault for each value that occurs twice."""
    if len(set(values)) != len(values):
        yield Fault(field, "an item is there twice")
