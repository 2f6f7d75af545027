"""Positions that practice games begin with, and their faults: a field, and why no game can stand like that."""

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST, GameId, Sha256
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import Language

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


class Reason(NamedTuple):
    """What is wrong with a field, as a phrase: its text in every language, and the values in it."""

    texts: Mapping[Language, str]
    values: Mapping[str, object]

    def told(self, language: Language = "en") -> str:
        """The phrase in a language."""
        return self.texts[language].format(**self.values)


class Reasons:
    """The reasons in ``faults.toml`` of a package. Raises `ValueError` if one is missing in a language."""

    def __init__(self, package: str) -> None:
        self._texts = texts(package, "faults.toml")

    def __call__(self, key: str, /, **values: object) -> Reason:
        return Reason({language: by_key[key] for language, by_key in self._texts.items()}, values)


class Fault(NamedTuple):
    """A field of a position, such as ``players[0].cash``, and what is wrong with it."""

    field: str
    because: Reason

    @property
    def reason(self) -> str:
        """What is wrong, as a phrase in English."""
        return self.because.told()

    def told(self, language: Language = "en") -> str:
        """The field and the reason in a language."""
        return f"{self.field}: {self.because.told(language)}" if self.field else self.because.told(language)


_BECAUSE = Reasons(__package__)


def outside(field: str, value: int, least: int, most: int) -> Iterator[Fault]:
    """A fault if a number is out of range."""
    if not least <= value <= most:
        yield Fault(field, _BECAUSE("outside", value=value, least=least, most=most))


def wrong_length(field: str, values: Collection[object], wanted: int) -> Iterator[Fault]:
    """A fault if a list has the wrong number of items."""
    if len(values) != wanted:
        yield Fault(field, _BECAUSE("wrong_length", items=len(values), wanted=wanted))


def differs(field: str, value: object, wanted: object) -> Iterator[Fault]:
    """A fault if a value is not the only possible one."""
    if value != wanted:
        yield Fault(field, _BECAUSE("differs", wanted=wanted))


def no_seat(field: str, seat: int | None, seats: int) -> Iterator[Fault]:
    """A fault if a number is not that of a seat. None is allowed."""
    return iter(()) if seat is None else outside(field, seat, 0, seats - 1)


def repeats(field: str, values: Collection[object]) -> Iterator[Fault]:
    """A fault for each value that occurs twice."""
    if len(set(values)) != len(values):
        yield Fault(field, _BECAUSE("repeats"))
