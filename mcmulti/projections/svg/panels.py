"""The seats next to a drawn board, and their property."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.picture import Picture, Seat
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures.fit import in_rows, pixels
from mcmulti.projections.pictures.words import notes, seat
from mcmulti.projections.pictures.words_table import seat_name
from mcmulti.projections.svg.marks import Kept, Serialized, alone, box, of_seat, part, pickable, seat_sign, title, words

_ROW = 34
_NAME = 28
"""Where names begin."""
_NAMED = 118
"""The fewest pixels of a name with the sign before it."""
_LINE = 17
_EDGE, _GAP, _LEAST_GAP = 8, 14, 6
_CHIEF, _SMALL = 15.2, 11.0
_WIDEST = 110
"""The most pixels of a column of amounts."""


class _Column(NamedTuple):
    """A column of amounts of a unit: where it ends, its width, and its line below the name, 0 for the same line."""

    end: float
    width: float
    line: int


def seats(picture: Picture, top: float, width: float) -> tuple[list[svg.Element], float]:
    """The seats with their property, and where they end."""
    columns = _columns(picture, width)
    goal = "" if picture.goal is None else f"{PICTURE[picture.language].goal}: {picture.number(picture.goal)}"
    shapes: list[svg.Element] = [words(0, top + 10, goal, "small", "muted", width=_NAMED + _GAP)]
    for unit, column in zip(picture.units, columns, strict=True):
        y = top + 10 + _down(column)
        shapes.append(words(column.end, y, unit.name, "small", "muted", "end", width=column.width))
    bare = replace(alone(picture), units=picture.units)
    more = max((_down(column) for column in columns), default=0)
    top += 16 + more
    for shown in picture.seats:
        shapes.append(_seat(bare, shown, top, width, _ROW - 4 + more, tuple(columns)))
        top += _ROW + more
    return shapes, top


def _down(column: _Column) -> float:
    """Pixels below the line of the name; notes are in between."""
    return column.line * _LINE + 4 if column.line else 0


def _columns(picture: Picture, width: float) -> list[_Column]:
    """All columns in the line of the name if there is room, or else only the first, with the others below."""
    wide = [_widest(picture, number) for number in range(len(picture.units))]
    ends, end = [], width - _EDGE
    for each in reversed(wide):
        ends.append(end)
        end -= each + _GAP
    if end >= _NAMED or not wide:
        return [_Column(end, each, 0) for end, each in zip(reversed(ends), wide, strict=True)]
    chief, *others = wide
    below = (
        _Column(end, each, number)
        for number, line in enumerate(in_rows(others, width - 2 * _EDGE, _LEAST_GAP), start=1)
        for end, each in _spread(line, width - _EDGE)
    )
    return [_Column(width - _EDGE, chief, 0), *below]


def _widest(picture: Picture, unit: int) -> float:
    """The pixels that the name of a unit and its amounts need."""
    size = 12.0 if unit else _CHIEF
    amounts = (pixels(picture.number(seat.amounts[unit]), size) for seat in picture.seats)
    return min(_WIDEST, max(pixels(picture.units[unit].name, _SMALL), *amounts, 0))


def _spread(widths: list[float], room: float) -> Iterator[tuple[float, float]]:
    """Where each column ends, with equal gaps before all of them."""
    gap, end = (room - sum(widths)) / len(widths), 0.0
    for each in widths:
        end += gap + each
        yield end, each


@lru_cache(maxsize=1024)
def _seat(
    picture: Picture, shown: Seat, top: float, width: float, height: float, columns: tuple[_Column, ...]
) -> svg.Element:
    """A seat; few of them change between two moments."""
    rank = "" if shown.rank is None else f"{shown.rank}. "
    said = " · ".join(notes(picture, shown))
    beside = (column.end - column.width for column in columns if column.line == 0)
    room = min(beside, default=width) - _GAP / 2 - _NAME
    plate: list[svg.Element] = [
        box(0, top, width, height, "panel", rx=5),
        seat_sign(shown.seat, 14, top + 15),
        words(
            _NAME,
            top + (13 if said else 19),
            rank + seat_name(picture, shown),
            "muted" if shown.name is None else "strong",
            width=room,
        ),
    ]
    if said:
        plate.append(words(_NAME, top + 25, said, "small", "muted", width=room))
    if shown.waited_for:
        plate.append(box(0, top, width, height, "next", rx=5))
    key = f"seat-{shown.seat}"
    shapes: list[svg.Element] = [title(seat(picture, shown)), part(key, "", plate)]
    for number, (column, amount) in enumerate(zip(columns, shown.amounts, strict=True)):
        look = ["h2", "strong"] if number == 0 else ["muted"] if amount == 0 and column.line else []
        shapes.append(
            _amount(f"{key}-amount-{number}", column.end, top + 19 + _down(column), picture.number(amount), *look)
        )
    data = {**of_seat(shown.seat), **pickable([f"seat={shown.seat}"])}
    return Kept(svg.G(class_=["seat"], data=data, elements=shapes))


@lru_cache(maxsize=4096)
def _amount(key: str, x: float, y: float, amount: str, *look: str) -> svg.Element:
    """An amount of a unit; few of them change between two moments."""
    return Serialized(str(part(key, "", [words(x, y, amount, *look, "figure", "end")])))
