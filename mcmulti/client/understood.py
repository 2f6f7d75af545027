"""The parts of a server's responses that a player needs; a newer server may send more, or other things."""

from contextlib import suppress
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from mcmulti.client.client import HttpProblem
from mcmulti.client.json_object import Json
from mcmulti.domain.core.wording.grammar import words_of

_Figure = Annotated[int, Meta(ge=-(2**53), le=2**53)]
_Told = TypeVar("_Told")


class SeenTable(Struct, frozen=True):
    """Whether a game is running."""

    status: str


class SeenGame(Struct, frozen=True):
    """A game, with the needed parts of its table."""

    table: SeenTable


class SentMove(Struct, frozen=True):
    """The result of a move. `seq`: the game's last event now."""

    seq: int


class _Happened(Struct, frozen=True):
    rule: str = ""


class TriedMove(Struct, frozen=True):
    """The result of a trial. `undecided`: null unless chance or sealed data decides.

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
    """What a sheet would lead to before any dice, and its likely mistakes.

    `text`: the sheet in the game's notation. `places`: the line where each line of the sheet begins, in the text that
    was sent, or else in this one. `command`: what sends it.
    """

    events: tuple[_Foreseen, ...]
    remarks: tuple[_Remarked, ...]
    text: str
    places: tuple[int, ...]
    command: Json


class _SentSheet(Struct, frozen=True):
    text: str


class SentSheets(Struct, frozen=True):
    """Pending sheets that were sent."""

    orders: tuple[_SentSheet, ...]


class MayDo(NamedTuple):
    """What a seat may do: what the game asks, and what it may do at any time; `sayable`: what phrases can express."""

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
    """A response, decoded as this type. Raises `HttpProblem` if it is something else."""
    try:
        return msgspec.convert(told, as_)
    except (msgspec.ValidationError, RecursionError) as error:
        raise HttpProblem(
            200, {"detail": f"This program does not understand the server's response: {error}."}
        ) from error


def may_do(told: Json) -> MayDo:
    """The offers in a response. Raises `HttpProblem` if it has none, or if one of its offers names no command."""
    asked = understood(told, _Asked)
    sayable = [offer for offer in (*asked.offers, *asked.besides) if _sayable(understood(offer, _Stated))]
    return MayDo(asked.seat, asked.offers, asked.besides, sayable)


def _sayable(offer: _Stated) -> bool:
    """Whether the short grammar can express it: a command in words, and fields of known kinds."""
    return bool(words_of(offer.command)) and all(map(_of_a_known_kind, offer.fields.values()))


def _of_a_known_kind(field: Json) -> bool:
    kind = _Written if "schema" in field else _Listed if "options" in field else _Spanned
    with suppress(msgspec.ValidationError, RecursionError):
        return bool(msgspec.convert(field, kind))
    return False
