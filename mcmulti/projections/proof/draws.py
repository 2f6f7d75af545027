"""Draws in the log: dice and cards, anywhere in an event."""

from collections.abc import Iterable, Iterator, Sequence
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
    """A draw in the log: event `seq` holds it, and `rule` required it. `value` is 1 to `sides`."""

    seq: Seq
    number: Annotated[int, Meta(ge=1, le=MOST)]
    sides: Annotated[int, Meta(ge=1, le=64)]
    value: Annotated[int, Meta(ge=1, le=64)]
    rule: RuleId


MAY_DRAW = b'"sides"'
"""Occurs in the data of every event with a draw."""
DRAW = 150
"""Approximate bytes of a draw."""
_MEMBERS = frozenset(Draw.__struct_fields__)


class RecordedChance:
    """Chance that returns the dice as they are recorded in the data of some events.

    It is for deciding again while the seed is secret. A draw that is not recorded gets some value: the decision then
    differs from the record where the draw should be. It has no seed, so it never leads to the end of a game.
    """

    def __init__(self, commitment: str, recorded: Sequence[bytes]) -> None:
        self.commitment = commitment
        self._recorded = recorded
        self._values: dict[tuple[int, int], int] | None = None

    def value(self, number: int, sides: int, entropy: str) -> int:
        if self._values is None:
            self._values = dict(chain.from_iterable(map(_draws_in, self._recorded)))
        recorded = self._values.get((number, sides))
        # Not a constant if none is recorded, since rolls that tie are rolled again.
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


def _draws_in(data: bytes) -> Iterator[tuple[tuple[int, int], int]]:
    """Number, sides, and value of each valid draw in the data; none if that cannot be parsed."""
    try:
        draws = [msgspec.convert(draw, Draw) for draw in draws_in(data)]
    except (msgspec.DecodeError, ValueError, RecursionError):
        return
    for draw in draws:
        if draw.value <= draw.sides:
            yield (draw.number, draw.sides), draw.value


class Drawn(Fold):
    """The data for proving a game, collected event by event: every draw, in order, and the final seed."""

    def __init__(self) -> None:
        self.draws: Growing[ProvenDraw] = Growing()
        self.first: Recorded | None = None
        self.last: Recorded | None = None

    @property
    def shared(self) -> int:
        return DRAW * len(self.draws)

    def step(self, events: Sequence[Recorded], now: Position | None = None) -> None:
        self.first, self.last = self.first or events[0], events[-1]
        for draw in draws_of(events):
            self.draws.append(draw)


def draws_of(events: Iterable[Recorded]) -> list[ProvenDraw]:
    """Every draw of a log, in order."""
    return [
        ProvenDraw(event.seq, draw["number"], draw["sides"], draw["value"], event.rule)
        for event in events
        for draw in draws_in(event.data)
    ]


def draws_in(data: bytes) -> Iterator[dict[str, Any]]:
    """Every draw in an event's data, as JSON. Raises ValueError and RecursionError for invalid data."""
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
