"""The seats next to a drawn board, and their property."""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.picture import Picture, Seat
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures.fit import in_rows, pixels
from mcmulti.projections.pictures.words import notes, seat, seat_name
from mcmulti.projections.svg.marks import (
    END_OF_GROUP,
    Once,
    alone,
    box,
    of_seat,
    opening_tag,
    part,
    pickable,
    pieces_of,
    seat_sign,
    title,
    words,
)

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


def seats(picture: Picture, top: float, width: float, once: Once) -> tuple[list[tuple[str, ...]], float]:
    """The seats with their property, in pieces by section, and where they end."""
    amounts = (picture.seats, picture.units, picture.language, width)
    columns = once("columns", amounts, lambda: tuple(_columns(picture, width)))
    more = max((_down(column) for column in columns), default=0)
    bare = replace(alone(picture), units=picture.units)
    heads = (picture.goal, picture.units, picture.language)
    sections = [once("heads", (*heads, columns, top), lambda: tuple(pieces_of(_heads(picture, columns, top))))]
    top += 16 + more
    for number, shown in enumerate(picture.seats):
        at = (top, width, _ROW - 4 + more, columns)
        sections.append(once(f"seat-{number}", (shown, bare, *at), partial(_seat, bare, shown, *at)))
        top += _ROW + more
    return sections, top


def _heads(picture: Picture, columns: Sequence[_Column], top: float) -> Iterator[svg.Element]:
    """The goal, and the names of the units."""
    goal = "" if picture.goal is None else f"{PICTURE[picture.language].goal}: {picture.number(picture.goal)}"
    yield words(0, top + 10, goal, "small", "muted", width=_NAMED + _GAP)
    for unit, column in zip(picture.units, columns, strict=True):
        y = top + 10 + _down(column)
        yield words(column.end, y, unit.name, "small", "muted", "end", width=column.width)


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
) -> tuple[str, ...]:
    """A seat, in pieces; few of them change between two moments."""
    beside = (column.end - column.width for column in columns if column.line == 0)
    room = min(beside, default=width) - _GAP / 2 - _NAME
    key = f"seat-{shown.seat}"
    amounts = []
    for number, (column, amount) in enumerate(zip(columns, shown.amounts, strict=True)):
        look = ["h2", "strong"] if number == 0 else ["muted"] if amount == 0 and column.line else []
        amounts.append(
            _amount(f"{key}-amount-{number}", column.end, top + 19 + _down(column), picture.number(amount), *look)
        )
    return (
        _seat_opening(shown.seat),
        str(title(seat(picture, shown))),
        _seat_plate(alone(picture), replace(shown, amounts=()), top, width, height, room),
        *amounts,
        END_OF_GROUP,
    )


@lru_cache(maxsize=64)
def _seat_opening(seat: int) -> str:
    return opening_tag(svg.G(class_=["seat"], data={**of_seat(seat), **pickable([f"seat={seat}"])}))


@lru_cache(maxsize=256)
def _seat_plate(picture: Picture, shown: Seat, top: float, width: float, height: float, room: float) -> str:
    """A seat without its property, with this many pixels for its name."""
    said = " · ".join(notes(picture, shown))
    plate: list[svg.Element] = [
        box(0, top, width, height, "panel", rx=5),
        seat_sign(shown.seat, 14, top + 15),
        words(
            _NAME,
            top + (13 if said else 19),
            seat_name(picture, shown, ranked=True),
            "muted" if shown.name is None else "strong",
            width=room,
        ),
    ]
    if said:
        plate.append(words(_NAME, top + 25, said, "small", "muted", width=room))
    if shown.waited_for:
        plate.append(box(0, top, width, height, "next", rx=5))
    return str(part(f"seat-{shown.seat}", "", plate))


@lru_cache(maxsize=4096)
def _amount(key: str, x: float, y: float, amount: str, *look: str) -> str:
    """An amount of a unit; few of them change between two moments."""
    return str(part(key, "", [words(x, y, amount, *look, "figure", "end")]))
