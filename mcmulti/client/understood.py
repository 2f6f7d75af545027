"""What a server answers to who plays, as far as it is understood here: a newer one may say more, or other things."""

from contextlib import suppress
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from mcmulti.client.client import HttpProblem, Json
from mcmulti.domain.core.wording.grammar import words_of

_Figure = Annotated[int, Meta(ge=-(2**53), le=2**53)]
_Told = TypeVar("_Told")


class SeenTable(Struct, frozen=True):
    """Whether a game runs."""

    status: str


class SeenGame(Struct, frozen=True):
    """A game, with what is told of its table."""

    table: SeenTable


class SentMove(Struct, frozen=True):
    """What came of a move: `seq` is the event that the game stands at now."""

    seq: int


class _Happened(Struct, frozen=True):
    rule: str = ""


class TriedMove(Struct, frozen=True):
    """What would come of a move. `undecided` is null unless chance or what is sealed decides.

    `told`: the events in sentences.
    """

    events: tuple[_Happened, ...]
    undecided: int | None
    told: tuple[str, ...] = ()


class _Foreseen(Struct, frozen=True):
    sentence: str
    rule: str


class _Remarked(Struct, frozen=True):
    line: int | None
    sentence: str


class SheetForecast(Struct, frozen=True):
    """What a sheet would lead to before any dice, and what looks like a mistake in it.

    `text`: the sheet in the game's notation. `places`: the line of the text that was sent, else of this one, in which
    each line of the sheet begins. `command`: what sends it.
    """

    events: tuple[_Foreseen, ...]
    remarks: tuple[_Remarked, ...]
    text: str
    places: tuple[int, ...]
    command: Json


class _SentSheet(Struct, frozen=True):
    text: str


class SentSheets(Struct, frozen=True):
    """Sheets that were sent and wait to be carried out."""

    orders: tuple[_SentSheet, ...]


class MayDo(NamedTuple):
    """What a seat may do: what the game asks, and what it may do at any time; `sayable` is what phrases can say."""

    seat: int
    offers: list[Json]
    besides: list[Json]
    sayable: list[Json]


class _Asked(Struct, frozen=True):
    seat: int
    offers: list[Json]
    besides: list[Json]


class _Stated(Struct, frozen=True):
    command: str
    sentence: str
    rule: str
    fields: dict[str, Json] = {}


class _Listed(Struct, frozen=True):
    options: Annotated[list[bool | _Figure | str | dict[str, _Figure]], Meta(min_length=1)]
    optional: bool = False


class _Spanned(Struct, frozen=True):
    min: _Figure
    max: _Figure
    step: Annotated[int, Meta(ge=1, le=2**53)] = 1


class _Written(Struct, frozen=True):
    schema: str | Json
    optional: bool = False


def understood(told: Any, as_: type[_Told]) -> _Told:
    """What a server answered, as this; raises `HttpProblem` where it says something else."""
    try:
        return msgspec.convert(told, as_)
    except (msgspec.ValidationError, RecursionError) as error:
        raise HttpProblem(
            200, {"detail": f"This program does not understand the server's response: {error}."}
        ) from error


def may_do(told: Json) -> MayDo:
    """The offers of an answer; raises `HttpProblem` where it is none, or where one of its offers names no command."""
    asked = understood(told, _Asked)
    sayable = [offer for offer in (*asked.offers, *asked.besides) if _sayable(understood(offer, _Stated))]
    return MayDo(asked.seat, asked.offers, asked.besides, sayable)


def _sayable(offer: _Stated) -> bool:
    """Whether the short grammar can say it: a command in words, and fields of kinds that it knows."""
    return bool(words_of(offer.command)) and all(map(_of_a_known_kind, offer.fields.values()))


def _of_a_known_kind(field: Json) -> bool:
    kind = _Written if "schema" in field else _Listed if "options" in field else _Spanned
    with suppress(msgspec.ValidationError, RecursionError):
        return bool(msgspec.convert(field, kind))
    return False
