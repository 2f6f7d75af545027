"""Any rule set as numbers. Observations follow from the types of the view, actions from the commands.

A game that deserves more thought has a `Subject` of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from math import log2, prod
from typing import Any, NamedTuple

from msgspec import Struct, inspect

from mcmulti.domain.core.capabilities.capability import options
from mcmulti.domain.core.figures import BY_SEAT, OF_SEAT
from mcmulti.domain.core.offers import Choice, Offer, Range
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import TableSetup
from mcmulti.library.actions import LegalActions
from mcmulti.training.actions import ActionFamily, Domain, Enumerated, Numbers, Product
from mcmulti.training.layout import Part, around, flags, one_of


class Subject(Struct, frozen=True, kw_only=True):
    """A rule set as something to learn.

    `parts`: the parts of an observation, by number of players. `home`: if every seat has its own part of the board, the
    number of the part from which a seat counts the others. `lost`: which legal commands no action maps to, in a
    sentence for the documentation.
    """

    ruleset: Ruleset[Any]
    families: Sequence[ActionFamily]
    parts: Callable[[int], Sequence[Part]]
    home: Callable[[Any, int], int] = lambda state, seat: 0
    lost: str


MOST_ACTIONS = 2_000
"""The most actions of a command whose values are all numbered. A command with more has `SLOTS`."""
SLOTS = 64
"""Actions of a command that stand for its current offers, in order."""
MOST_ITEMS = 32
"""The number of list items that are observed."""
FINE = 1_000
"""A number with a wider range is encoded as hundredths, up to one, and as a logarithm."""
_WIDEST = 31
"""Bits of the largest possible number."""
_AGREED = (*options(), "seats")
"""Fields of a setup without information: they are the same in every game, and all seats are seen anyway."""


def subject_of(ruleset: Ruleset[Any]) -> Subject:
    """The rule set as a subject, derived from its view and its commands."""
    families = tuple(_family(command) for command in _played(ruleset))
    slotted = [family.command.__name__ for family in families if isinstance(family, Slots)]
    return Subject(
        ruleset=ruleset,
        families=families,
        parts=lambda seats: _parts(ruleset, seats),
        lost=f"What is offered of {', '.join(slotted)} beyond the first {SLOTS}." if slotted else "Nothing.",
    )


# Actions


class Slots(ActionFamily, frozen=True):
    """The current offers of a command: the first offer's values, the last field fastest, then the next offer's."""

    @property
    def size(self) -> int:
        return SLOTS

    def legal(self, offers: Sequence[Offer], home: int) -> Sequence[int]:
        return range(min(SLOTS, len(self._actions(offers))))

    def command_for(self, index: int, offers: Sequence[Offer], home: int) -> Struct | None:
        actions = self._actions(offers)
        return actions[index] if index < len(actions) else None

    def _actions(self, offers: Sequence[Offer]) -> LegalActions:
        """All actions of these offers; none of an offer with a free-form field."""
        listed = [offer for offer in offers if all(isinstance(each, Choice | Range) for each in offer.fields.values())]
        return LegalActions(listed, {self.command.__name__: self.command}, {})

    def description(self) -> str:
        return f"the first {SLOTS} that are offered"


def _played(ruleset: Ruleset[Any]) -> Iterator[type[Struct]]:
    """The commands that the game's own phases offer."""
    for command in ruleset.flow.carriers:
        if not issubclass(command, ruleset.flow.undecided):
            yield command


def _family(command: type[Struct]) -> ActionFamily:
    """A family that numbers all values of the command, if they all have numbers and are not too many."""
    kind = inspect.type_info(command)
    assert isinstance(kind, inspect.StructType)
    domains = {field.name: _domain(_plain(field.type).kind) for field in kind.fields}
    known = {name: domain for name, domain in domains.items() if domain is not None}
    if len(known) < len(domains) or prod(domain.size for domain in known.values()) > MOST_ACTIONS:
        return Slots(command)
    return Product(command, known)


def _domain(kind: inspect.Type) -> Domain | None:
    """The values of a field in an action space; None if they cannot be listed."""
    if isinstance(kind, inspect.BoolType):
        return Enumerated((False, True))
    if isinstance(kind, inspect.LiteralType):
        return Enumerated(kind.values)
    if isinstance(kind, inspect.IntType) and kind.ge is not None and kind.le is not None:
        return Numbers(kind.ge, kind.le)
    return None


# Observations


class Encoding(NamedTuple):
    """How values of a type are encoded: N numbers from 0 to 1, for a seat, with a description for the documentation."""

    size: int
    numbers: Callable[[Any, int], Sequence[float]]
    says: str


class _Plain(NamedTuple):
    """A type without its annotations. `extra`: what `figures` says about it; `optional`: it can be null."""

    kind: inspect.Type
    extra: str | None
    optional: bool


def _plain(kind: inspect.Type) -> _Plain:
    extra, optional = None, False
    while isinstance(kind, inspect.Metadata | inspect.UnionType):
        if isinstance(kind, inspect.Metadata):
            extra, kind = (kind.extra or {}).get("is", extra), kind.type
            continue
        others = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        if len(others) != 1:
            break
        optional, kind = True, others[0]
    return _Plain(kind, extra, optional)


def _parts(ruleset: Ruleset[Any], seats: int) -> Sequence[Part]:
    """A part for each field of the view that can be encoded. `you` is always the first seat."""
    seen = _Seen(ruleset)
    return [
        Part(name, encoding.size, encoding.says, seen.reader(name, encoding))
        for name, encoding in _fields(ruleset.view_type, seats, beside=("you",))
    ]


class _Seen:
    """The view of the latest state and seat, cached because every part reads it."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._view, self._state, self._seat = ruleset.view, None, -1
        self._latest: Any = None

    def reader(self, name: str, encoding: Encoding) -> Callable[[Any, int], Sequence[float]]:
        def read(state: Any, seat: int) -> Sequence[float]:
            if state is not self._state or seat != self._seat:
                self._latest, self._state, self._seat = self._view(state, seat), state, seat
            return encoding.numbers(getattr(self._latest, name), seat)

        return read


def _fields(struct: type[Struct], seats: int, beside: Sequence[str]) -> Iterator[tuple[str, Encoding]]:
    """The encodable fields of a struct type, except those in `beside`."""
    kind = inspect.type_info(struct)
    assert isinstance(kind, inspect.StructType)
    for field in kind.fields:
        if field.name not in beside:
            encoding = _encoding(field.type, seats, field.name == "seats")
            if encoding is not None:
                yield field.name, encoding


def _encoding(kind: inspect.Type, seats: int, by_seat: bool = False) -> Encoding | None:
    """How values of a type are encoded; None for texts, and for values without a size."""
    plain = _plain(kind)
    by_seat = by_seat or plain.extra == BY_SEAT
    encoding = _of_seat(seats) if plain.extra == OF_SEAT else _exact(plain.kind, seats, by_seat)
    if encoding is None or not plain.optional:
        return encoding
    size, numbers, says = encoding
    nothing = (0.0,) * (size + 1)
    return Encoding(
        size + 1, lambda value, seat: nothing if value is None else (1.0, *numbers(value, seat)), f"1 if any; {says}"
    )


def _exact(kind: inspect.Type, seats: int, by_seat: bool) -> Encoding | None:
    if isinstance(kind, inspect.BoolType):
        return Encoding(1, lambda value, seat: (float(value),), "1 if so")
    if isinstance(kind, inspect.LiteralType):
        values = kind.values
        return Encoding(len(values), lambda value, seat: one_of(value, values), f"1 for {', '.join(map(str, values))}")
    if isinstance(kind, inspect.IntType):
        return _of_number(kind)
    if isinstance(kind, inspect.StructType):
        return _of_struct(kind.cls, seats, by_seat)
    if isinstance(kind, inspect.VarTupleType):
        return _of_list(kind, seats, by_seat)
    return None


def _of_seat(seats: int) -> Encoding:
    return Encoding(seats, lambda value, seat: one_of(value, around(seat, seats)), "for each seat: 1 if it is")


def _of_number(kind: inspect.IntType) -> Encoding:
    least, most = kind.ge or 0, kind.le
    if most is None or most - least > FINE:
        return Encoding(2, _wide, "hundredths, at most 1, and the logarithm")
    span = max(1, most - least)
    return Encoding(1, lambda value, seat: ((value - least) / span,), f"from {least} to {most}")


def _wide(value: int, seat: int) -> tuple[float, float]:
    return min(1.0, max(0.0, value / 100)), min(1.0, log2(1 + abs(value)) / _WIDEST)


def _of_struct(struct: type[Struct], seats: int, by_seat: bool) -> Encoding | None:
    """Field by field. A list by seat leaves out the number of the seat, and a setup leaves out what is the same
    everywhere.
    """
    beside: Sequence[str] = ("seat",) if by_seat else _AGREED if issubclass(struct, TableSetup) else ()
    fields = tuple(_fields(struct, seats, beside))
    if not fields:
        return None
    return Encoding(
        sum(encoding.size for _, encoding in fields),
        lambda value, seat: [
            number for name, encoding in fields for number in encoding.numbers(getattr(value, name), seat)
        ],
        ", ".join(f"`{name}`: {encoding.says}" for name, encoding in fields),
    )


def _of_list(kind: inspect.VarTupleType, seats: int, by_seat: bool) -> Encoding | None:
    if _plain(kind.item_type).extra == OF_SEAT and not by_seat:
        return Encoding(
            seats, lambda value, seat: flags(value, around(seat, seats)), "for each seat: 1 if it is among it"
        )
    item = _encoding_of_item(kind.item_type, seats, by_seat)
    if item is None:
        return None
    nothing = (0.0,) * item.size
    if by_seat:
        return Encoding(
            seats * item.size,
            lambda value, seat: [
                number
                for each in around(seat, seats)
                for number in (item.numbers(value[each], seat) if each < len(value) else nothing)
            ],
            f"for each seat: {item.says}",
        )
    most = min(kind.max_length or MOST_ITEMS, MOST_ITEMS)
    return Encoding(
        most * (1 + item.size),
        lambda value, seat: [
            number
            for place in range(most)
            for number in ((1.0, *item.numbers(value[place], seat)) if place < len(value) else (0.0, *nothing))
        ],
        f"for each of the first {most}: 1 if it is there; {item.says}",
    )


def _encoding_of_item(kind: inspect.Type, seats: int, by_seat: bool) -> Encoding | None:
    plain = _plain(kind)
    if by_seat and isinstance(plain.kind, inspect.StructType) and not plain.optional:
        return _of_struct(plain.kind.cls, seats, by_seat=True)
    return _encoding(kind, seats)
