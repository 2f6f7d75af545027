"""Draws in the log: dice and cards, wherever they stand in an event."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from itertools import chain
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from mcmulti.domain.core.chance import Draw, SeededChance
from mcmulti.domain.core.figures import MOST, RuleId
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import Seq
from mcmulti.events.log.positions import Position
from mcmulti.projections.fold import Fold, Growing


class ProvenDraw(Struct, frozen=True, gc=False):
    """A draw in the log: event `seq` holds it, and `rule` asked for it. `value` is 1 to `sides`."""

    seq: Seq
    number: Annotated[int, Meta(ge=1, le=MOST)]
    sides: Annotated[int, Meta(ge=1, le=64)]
    value: Annotated[int, Meta(ge=1, le=64)]
    rule: RuleId


MAY_DRAW = b'"sides"'
"""Stands in the data of every event that holds a draw."""
DRAW = 150
"""Bytes of a draw, about."""
_MEMBERS = frozenset(Draw.__struct_fields__)


class RecordedChance:
    """Chance that gives the dice as they are recorded in the data of some events.

    For deciding again while the seed is secret. A draw that is not recorded gets some value: what is decided then
    differs from the record where the draw should stand. It reveals no seed, so it never leads to the end of a game.
    """

    def __init__(self, commitment: str, recorded: Sequence[bytes]) -> None:
        self.commitment = commitment
        self._recorded = recorded
        self._values: dict[tuple[int, int], int] | None = None

    def value(self, number: int, sides: int, entropy: str) -> int:
        if self._values is None:
            self._values = dict(chain.from_iterable(map(_values, self._recorded)))
        recorded = self._values.get((number, sides))
        # No constant where none is recorded: rolls that tie are rolled again.
        return recorded or SeededChance(self.commitment.encode(), "").value(number, sides, entropy)

    def salt(self, number: int) -> str:
        salts = (_salt_in(data) for data in self._recorded)
        return next((salt for salt in salts if salt is not None), "")

    def unseal(self) -> None:
        pass

    def reveal(self) -> str:
        return ""


class _Salted(Struct):
    salt: str | None = None


def _salt_in(data: bytes) -> str | None:
    try:
        return msgspec.json.decode(data, type=_Salted).salt
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def _values(data: bytes) -> Iterator[tuple[tuple[int, int], int]]:
    """Number, sides and value of each sound draw in the data; none if that cannot be read."""
    try:
        draws = [msgspec.convert(draw, Draw) for draw in draws_in(data)]
    except (msgspec.DecodeError, ValueError, RecursionError):
        return
    for draw in draws:
        if draw.value <= draw.sides:
            yield (draw.number, draw.sides), draw.value


class Drawn(Fold):
    """What proves a game, gathered as its events pass by: every draw, in the order of their numbers, and the ends."""

    def __init__(self) -> None:
        self.draws: Growing[ProvenDraw] = Growing()
        self.first: Recorded | None = None
        self.last: Recorded | None = None

    def fork(self) -> "Drawn":
        found = copy(self)
        found.draws = self.draws.fork()
        return found

    @property
    def shared(self) -> int:
        return DRAW * len(self.draws)

    def step(self, events: Sequence[Recorded], now: Position | None = None) -> None:
        self.first, self.last = self.first or events[0], events[-1]
        for draw in draws_of(events):
            self.draws.append(draw)


def draws_of(events: Iterable[Recorded]) -> list[ProvenDraw]:
    """Every draw of a log, in the order of their numbers."""
    return [
        ProvenDraw(event.seq, draw["number"], draw["sides"], draw["value"], event.rule)
        for event in events
        for draw in draws_in(event.data)
    ]


def draws_in(data: bytes) -> Iterator[dict[str, Any]]:
    """Every draw in an event's data, as JSON has it; raises ValueError and RecursionError if that is none."""
    if MAY_DRAW in data:
        yield from _draws(msgspec.json.decode(data))


def _draws(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.keys() == _MEMBERS:
            yield value
        else:
            yield from chain.from_iterable(map(_draws, value.values()))
    elif isinstance(value, list):
        yield from chain.from_iterable(map(_draws, value))
