"""The parts next to a board on a terminal: seats with their property, counters, cards, piles."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from mcmulti.domain.core.shown.picture import Card, Counter, Picture, Pile, Seat
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures import words as board_words
from mcmulti.projections.pictures.fit import in_cells, in_rows, lines_in_cells
from mcmulti.projections.pictures.seats import seat_mark
from mcmulti.projections.pictures.words import seat_name

_NAMED = 12
"""The fewest columns of a name with its sign, next to amounts."""
_CHIEF, _LEAST, _WIDEST = 8, 7, 14
"""The fewest columns of the first amount, and of others next to it; the most columns of a heading."""
_SHORT_NAME, _SHORT = 16, 5
"""Where there is little room: the fewest columns of a name with its sign, and of an amount."""
_INDENT = "   "
_NAMES, _FIGURE = 12, 6
"""Columns of a card: for the names of its rows, for a number."""


class _Column(NamedTuple):
    """The width of a unit's amounts, and their line below the name, 0 for the same line."""

    width: int
    line: int


def seats(picture: Picture, width: int) -> Iterator[Text]:
    """The seats with their property and notes, below a heading."""
    heading, *rows = _seat_table(picture, width, _columns(picture, width))
    yield from heading
    for seat, row in zip(picture.seats, rows, strict=True):
        yield from row
        yield from (Text(f"{_INDENT}{in_cells(note, width - len(_INDENT))}", "dim") for note in seat.notes)


def short_seats(picture: Picture, width: int) -> Iterator[Text]:
    """The seats below a heading, a line each: shorter headings, and without notes. If the amounts do not fit in it, the
    first and the last stay, and the others go below.
    """
    return chain.from_iterable(_seat_table(picture, width, _short_columns(picture, width)))


def _seat_table(picture: Picture, width: int, columns: Sequence[_Column]) -> Iterator[list[Text]]:
    """The lines of the heading, and then of each seat."""
    room = width - sum(column.width for column in columns if column.line == 0)
    heads = [in_cells(unit.name, column.width - 1) for unit, column in zip(picture.units, columns, strict=True)]
    yield _row(Text(in_cells(_goal(picture), room - 1), "dim"), room, heads, columns, "dim", "dim")
    for seat in picture.seats:
        amounts = [picture.number(amount) for amount in seat.amounts]
        yield _row(_plate(picture, seat, room), room, amounts, columns, "bold", "")


def _goal(picture: Picture) -> str:
    return "" if picture.goal is None else f"{PICTURE[picture.language].goal} {picture.number(picture.goal)}"


def _plate(picture: Picture, seat: Seat, room: int) -> Text:
    mark, colour = seat_mark(seat.seat)
    name = in_cells(seat_name(picture, seat, ranked=True), room - 3)
    return Text.assemble(("▸" if seat.waited_for else " ", "bold"), (mark, colour), " ", (name, f"bold {colour}"))


def _columns(picture: Picture, width: int) -> list[_Column]:
    """All columns in the line of the name if there is room, or else only the first, with the others below."""
    wide = [_widest(picture, number) for number in range(len(picture.units))]
    beside = [max(_LEAST if number else _CHIEF, each) for number, each in enumerate(wide)]
    if width - sum(beside) >= max(_NAMED, 1 + cell_len(_goal(picture))):
        return [_Column(each, 0) for each in beside]
    below = in_rows(wide[1:], width - len(_INDENT))
    return [_Column(beside[0], 0), *(_Column(int(each), line) for line, row in enumerate(below, 1) for each in row)]


def _widest(picture: Picture, unit: int) -> int:
    """The columns that the name of a unit and its amounts need, with one between units."""
    amounts = (len(picture.number(seat.amounts[unit])) for seat in picture.seats)
    return 1 + max(min(cell_len(picture.units[unit].name), _WIDEST), *amounts, 0)


def _row(
    first: Text, room: int, texts: Sequence[str], columns: Sequence[_Column], chief: str, style: str
) -> list[Text]:
    """Texts of units, aligned right in their columns, the first line after another text."""
    lines = [first, *(Text(_INDENT) for _ in range(max((column.line for column in columns), default=0)))]
    first.pad_right(room - first.cell_len)
    for number, (text, column) in enumerate(zip(texts, columns, strict=True)):
        padding = " " * (column.width - cell_len(text))
        lines[column.line].append(padding + text, style if number else chief)
    return lines


def _short_columns(picture: Picture, width: int) -> list[_Column]:
    wide = [_widest(picture, number) for number in range(len(picture.units))]
    plates = (_plate(picture, seat, _SHORT_NAME - 1).cell_len for seat in picture.seats)
    spare = width - 1 - max(*plates, cell_len(_goal(picture)), _NAMED - 1)
    least = [
        max(_SHORT, *(1 + len(picture.number(seat.amounts[number])) for seat in picture.seats), 0)
        for number in range(len(wide))
    ]
    if sum(least) > spare:
        if len(wide) == 1 or wide[0] + wide[-1] > spare:
            return _columns(picture, width)
        below = in_rows(wide[1:-1], width - len(_INDENT))
        inner = [_Column(int(each), line) for line, row in enumerate(below, 1) for each in row]
        return [_Column(wide[0], 0), *inner, _Column(wide[-1], 0)]
    for number, each in enumerate(least):
        least[number] = each + min(max(wide[number] - each, 0), spare - sum(least))
    return [_Column(each, 0) for each in least]


def counter(shown: Counter, width: int) -> Iterator[Text]:
    """A counter as a scale, or as a number if it is too long."""
    scale = Text()
    for value in range(shown.highest + 1):
        reached = value == min(shown.value, shown.highest)
        scale.append(f"[{value}]" if reached else f" {value} ", "bold" if reached else "dim")
    yield Text(in_cells(shown.name, width), "dim")
    yield scale if scale.cell_len <= width else Text(f"{shown.value}/{shown.highest}", "bold")


def card(picture: Picture, shown: Card, width: int) -> Iterator[Text]:
    """A card with its text."""
    name = shown.name or "-"
    style = "bold" if shown.in_force or shown.rows else ""
    if cell_len(in_cells(shown.place, width)) + 2 + cell_len(in_cells(name, width)) <= width:
        yield Text.assemble((in_cells(f"{shown.place}:", width), "dim"), " ", (in_cells(name, width), style))
    else:
        yield Text(in_cells(f"{shown.place}:", width), "dim")
        yield from (Text(f"  {line}", style) for line in lines_in_cells(name, width - 2))
    if shown.heads:
        heads = "".join(f"{head.sign:>{_FIGURE}}" for head in shown.heads)
        note = in_cells(shown.note, _NAMES + _FIGURE - 2)
        yield Text(note + f"{'':{_NAMES}}{heads}"[cell_len(note) :], "dim")
    elif shown.note:
        yield from (Text(f"  {line}", "dim") for line in lines_in_cells(shown.note, width - 2))
    for row in shown.rows:
        figures = "".join(f"{'-' if each is None else picture.number(each):>{_FIGURE}}" for each in row.figures)
        named = max(_NAMES, width - len(figures)) if not shown.heads else _NAMES
        told = in_cells(row.name, named - 1)
        yield Text(told + " " * (named - cell_len(told)) + figures)


def pile(picture: Picture, shown: Pile, width: int) -> Iterator[Text]:
    """A pile in order."""
    first, *more = lines_in_cells(board_words.pile(picture, shown), width - 2)
    yield Text(first)
    yield from (Text(f"  {line}") for line in more)
