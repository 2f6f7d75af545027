"""The proof of a series: that its tables had the same dice. Each table is proven by itself."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from mcmulti.domain.core.event import SeriesTable
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.proof.draws import draws_in


class _Opening(Struct):
    commitment: str
    ruleset: str
    version: int
    setup: dict[str, Any]
    series: SeriesTable | None = None


class _Given(Struct):
    entropy: str | None = None


def place_of(first: Recorded) -> SeriesTable | None:
    """The place of a game in a series, given its first event; None if it is in none."""
    try:
        return msgspec.json.decode(first.data, type=_Opening).series
    except (msgspec.DecodeError, ValueError, TypeError, RecursionError):
        return None


def series_fault(tables: Sequence[Sequence[Recorded]]) -> str | None:
    """Why these tables of one series, each proven by itself, did not have the same dice; None if they had.

    They must have the same commitment, and so the same seed, the same setup, and no entropy of their own. Then their
    draws follow from the same text, so equal numbers are equal draws, which is compared, too.
    """
    openings = [msgspec.json.decode(events[0].data, type=_Opening) for events in tables]
    for opening in openings[1:]:
        for name in ("commitment", "ruleset", "version", "setup"):
            if getattr(opening, name) != getattr(openings[0], name):
                return f"table {_number(opening)} has another {name} than table {_number(openings[0])}"
        if opening.series is None or openings[0].series is None or opening.series.series != openings[0].series.series:
            return f"table {_number(opening)} belongs to another series"
    numbers = [_number(opening) for opening in openings]
    if len(set(numbers)) != len(numbers):
        return f"two games are table {next(number for number in numbers if numbers.count(number) > 1)}"
    drawn: dict[tuple[int, int], int] = {}
    for opening, events in zip(openings, tables, strict=True):
        for event in events:
            if b'"entropy":' in event.data and _own_entropy(event):
                return f"table {_number(opening)} adds entropy in event {event.seq}"
            for draw in draws_in(event.data):
                if drawn.setdefault((draw["number"], draw["sides"]), draw["value"]) != draw["value"]:
                    return f"event {event.seq} of table {_number(opening)} holds another die than draw {draw['number']}"
    return None


def _number(opening: _Opening) -> int:
    return 0 if opening.series is None else opening.series.table


def _own_entropy(event: Recorded) -> bool:
    """Whether a seat, or all of them together, gave anything to the dice."""
    given = msgspec.json.decode(event.data, type=_Given).entropy
    return bool(given and given.strip(","))
