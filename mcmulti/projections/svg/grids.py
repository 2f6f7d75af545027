"""The grids of a drawn board, with the lines that run through several of them."""

from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import accumulate, product
from typing import NamedTuple

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.board import Grid, Line, Placed
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.pictures.words import line, owner, piece
from mcmulti.projections.pictures.words import spot as spot_words
from mcmulti.projections.svg.marks import (
    Kept,
    Once,
    Serialized,
    box,
    group,
    owned_by,
    part,
    pieces_of,
    seat_sign,
    words,
)
from mcmulti.projections.svg.pieces import tile

_GAP = 16
_NUMBERS = 18
"""Pixels next to the grids for the numbers of rows and columns."""
_PLATE = 26
"""Pixels above and below for the names of grids."""
_LARGEST = 48
"""The most pixels of a space."""


class _Table(NamedTuple):
    """The layout of grids: pixels of a space, where their columns and rows begin, and the total height."""

    space: int
    lefts: tuple[float, ...]
    tops: tuple[float, ...]
    height: float

    def corner(self, grid: Grid) -> tuple[float, float]:
        """The top left of a grid's spaces."""
        return self.lefts[grid.across], self.tops[grid.down]

    def below(self, grid: Grid) -> bool:
        """Whether its name and numbers are below it: the lowest of several above each other."""
        return 0 < grid.down == len(self.tops) - 1


def grids(picture: Picture, grids: tuple[Grid, ...], width: float, once: Once) -> tuple[list[tuple[str, ...]], float]:
    """All grids in this width, in pieces by section: the ground of all, and each one's spaces with what stands on
    them; and their height. `picture`: only its language and the names of its seats.
    """
    bare = tuple(map(_bare, grids))
    ground = once("ground", (picture, bare, width), lambda: _grounds(picture, bare, width))
    spaces = (
        once(f"grid-{number}", (plot, grid.pieces, grid.at_turn), partial(plot.drawn, grid.pieces, grid.at_turn))
        for number, (plot, grid) in enumerate(zip(ground.plots, grids, strict=True))
    )
    return [ground.pieces, *spaces], ground.height


class _Ground(NamedTuple):
    """What is below the pieces of all grids, the spaces of each, and the height."""

    pieces: tuple[str, ...]
    plots: tuple["_Plot", ...]
    height: float


def _grounds(picture: Picture, grids: tuple[Grid, ...], width: float) -> _Ground:
    table = _laid_out(grids, width)
    below = [
        *(_ground(picture, table, grid, number) for number, grid in enumerate(grids)),
        *(_band(picture, table, each, lying) for each, lying in _shared_lines(grids)),
    ]
    plots = (_plot(picture, table, replace(grid, lines=()), number) for number, grid in enumerate(grids))
    return _Ground(tuple(pieces_of(below)), tuple(plots), table.height)


def _bare(grid: Grid) -> Grid:
    """The grid without its frequently changing parts."""
    return replace(grid, pieces=(), at_turn=False)


@lru_cache(maxsize=64)
def _laid_out(grids: tuple[Grid, ...], width: float) -> _Table:
    columns = [max(grid.columns for grid in grids if grid.across == place) for place in _places(grids, "across")]
    rows = [max(grid.rows for grid in grids if grid.down == place) for place in _places(grids, "down")]
    gaps = (len(columns) - 1) * _GAP
    space = int(min(_LARGEST, (width - 2 * _NUMBERS - gaps) / sum(columns)))
    left = (width - sum(columns) * space - gaps) / 2
    lefts = tuple(accumulate((count * space + _GAP for count in columns[:-1]), initial=left))
    heading = _PLATE + _NUMBERS
    # All rows of grids except the last have their names above, so these are between them and the row above.
    steps = [count * space + _GAP + heading * (place < len(rows) - 2) for place, count in enumerate(rows[:-1])]
    tops = tuple(accumulate(steps, initial=heading))
    return _Table(space, lefts, tops, tops[-1] + rows[-1] * space + (heading if len(rows) > 1 else 4))


def _places(grids: tuple[Grid, ...], direction: str) -> range:
    return range(1 + max(getattr(grid, direction) for grid in grids))


@lru_cache(maxsize=64)
def _ground(picture: Picture, table: _Table, grid: Grid, number: int) -> svg.Element:
    """Plate, spaces, and numbers, which seldom change."""
    return Kept(*_below(picture, table, grid, number))


def _below(picture: Picture, table: _Table, grid: Grid, number: int) -> Iterator[svg.Element]:
    (x, y), space = table.corner(grid), table.space
    wide, high = grid.columns * space, grid.rows * space
    plate = y + high + _NUMBERS + _PLATE / 2 if table.below(grid) else y - _NUMBERS - _PLATE / 2
    yield part(f"plate-{number}", "", list(_plate(picture, grid, x, plate, wide)), seat=_grid_owner(grid))
    yield _spaces(x, y, space, grid.rows, grid.columns)
    lines = {(each.direction, each.number): each for each in grid.lines}
    last = 0 < grid.across == len(table.lefts) - 1
    for row in range(1, grid.rows + 1):
        if last or grid.across == 0:
            beside = x + wide + 9 if last else x - 9
            yield from _number(row, beside, y + (row - 0.5) * space, lines.get(("row", row)))
    for column in range(1, grid.columns + 1):
        beside = y + high + 9 if table.below(grid) else y - 9
        yield from _number(column, x + (column - 0.5) * space, beside, lines.get(("column", column)))


@lru_cache(maxsize=64)
def _spaces(x: float, y: float, space: float, rows: int, columns: int) -> svg.Element:
    """The empty spaces."""
    corners = [(x + column * space + 1.5, y + row * space + 1.5) for row in range(rows) for column in range(columns)]
    return Kept(*(box(left, top, space - 3, space - 3, "space", rx=3) for left, top in corners))


def _plate(picture: Picture, grid: Grid, x: float, y: float, width: float) -> Iterator[svg.Element]:
    """The name of a grid, and its owner."""
    if grid.owner is None:
        yield words(x, y + 4.5, grid.name, "strong", width=width)
        return
    seat = _grid_owner(grid)
    room = width - 34 - pixels(grid.name, 11)
    yield seat_sign(seat, x + 8, y)
    yield words(x + 22, y + 4.5, owner(picture, grid), "strong", owned_by(seat), width=room)
    yield words(x + width, y + 4, grid.name, "small", "muted", "end")


def _grid_owner(grid: Grid) -> int | None:
    """The owner of a grid, if it has one."""
    return None if grid.owner == "nobody" else grid.owner


def _number(number: int, x: float, y: float, line: Line | None) -> Iterator[svg.Element]:
    if line is not None:
        yield svg.Circle(cx=x, cy=y, r=8.5, class_=[line.colour])
    yield words(x, y + 4, str(number), "small", "middle", *(["strong", f"on-{line.colour}"] if line else ["muted"]))


def _shared_lines(grids: tuple[Grid, ...]) -> Iterator[tuple[Line, tuple[Grid, ...]]]:
    """Each line once, rows first, with the grids it runs through."""
    through: dict[tuple[Line, int], list[Grid]] = {}
    for grid in grids:
        for each in grid.lines:
            through.setdefault((each, grid.down if each.direction == "row" else grid.across), []).append(grid)
    for (each, _), lying in sorted(through.items(), key=lambda item: item[0][0].direction, reverse=True):
        yield each, tuple(lying)


@lru_cache(maxsize=256)
def _band(picture: Picture, table: _Table, shown: Line, lying: tuple[Grid, ...]) -> svg.Element:
    """A line through one or more grids."""
    space, offset = table.space, (shown.number - 1) * table.space
    corners = [table.corner(grid) for grid in lying]
    x, y = min(corners)
    if shown.direction == "row":
        end = max(left + grid.columns * space for (left, _), grid in zip(corners, lying, strict=True))
        shape = box(x, y + offset, end - x, space, shown.colour, "band")
    else:
        end = max(top + grid.rows * space for (_, top), grid in zip(corners, lying, strict=True))
        shape = box(x + offset, y, space, end - y, shown.colour, "band")
    names = ", ".join(grid.name for grid in lying)
    return Kept(group(f"{line(picture, shown)}: {names}", [shape], "line"))


class _Plot:
    """The spaces of a grid, drawn without pieces."""

    def __init__(self, picture: Picture, table: _Table, grid: Grid, number: int) -> None:
        self._picture, self._grid, self._number = picture, grid, number
        self._corner, self._space = table.corner(grid), table.space
        spots = product(range(1, grid.rows + 1), range(1, grid.columns + 1))
        self._empty = {spot: self.site(spot, ()) for spot in spots}
        (x, y), space = self._corner, self._space
        self._frames = [
            str(box(x - 1, y - 1, grid.columns * space + 2, grid.rows * space + 2, "frame", *turn, rx=4))
            for turn in ((), ("turn",))
        ]

    def drawn(self, pieces: tuple[Placed, ...], at_turn: bool) -> tuple[str, ...]:
        """The frame, and all spaces with these pieces; a space covered by a larger piece is part of that piece's."""
        standing: dict[tuple[int, int], list[Placed]] = {}
        for each in pieces:
            standing.setdefault((each.row, each.column), []).append(each)
        sites = self._empty.copy()
        for each in pieces:
            for spot in _covered(each.row, each.column, each.rows, each.columns):
                if spot not in standing:
                    sites.pop(spot, None)
        for spot in standing.keys() & sites.keys():
            sites[spot] = _occupied(self, spot, tuple(standing[spot]))
        return (self._frames[at_turn], *sites.values())

    def site(self, spot: tuple[int, int], here: tuple[Placed, ...]) -> str:
        """A space with its pieces."""
        picture, grid, (row, column) = self._picture, self._grid, spot
        told = "; ".join(piece(picture, each, grid.owner) for each in here) or spot_words(picture, row, column)
        picks = grid.picks.format(row=row, column=column) if grid.picks else ""
        place = _Place(*self._corner, self._space, row, column)
        return _site(place, here, told, f"site-{self._number}-{row}-{column}", picks, _grid_owner(grid))


_plot = lru_cache(maxsize=64)(_Plot)
"""The spaces of a grid, which seldom change."""
_occupied = lru_cache(maxsize=1024)(_Plot.site)
"""A space of a plot with its pieces; few of them change between two moments."""


@lru_cache(maxsize=64)
def _covered(row: int, column: int, rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    """The spaces that a piece takes."""
    return tuple(product(range(row, row + rows), range(column, column + columns)))


class _Place(NamedTuple):
    """A site of the grid with this corner."""

    x: float
    y: float
    space: float
    row: int
    column: int


@lru_cache(maxsize=4096)
def _site(at: _Place, here: tuple[Placed, ...], told: str, key: str, picks: str, seat: int | None) -> str:
    """A space with its pieces, which is the same in many games."""
    look = ["standing"] if here else []
    shapes = _shapes(at, tuple(map(_unworded, here)))
    return str(part(key, told, shapes, *look, picks=[picks] if picks else [], seat=seat))


@lru_cache(maxsize=2048)
def _shapes(at: _Place, here: tuple[Placed, ...]) -> list[svg.Element]:
    """A space with its pieces, without names: the same in every language."""
    space = at.space
    wide, high = (max((getattr(each, size) for each in here), default=1) for size in ("columns", "rows"))
    cell = box(at.x + (at.column - 1) * space, at.y + (at.row - 1) * space, wide * space, high * space, "cell")
    if not here:
        return [cell]
    shapes = [cell, *(shape for each in here for shape in placed(each, at.x, at.y, space))]
    return [Serialized("".join(map(str, shapes)))]


def _unworded(piece: Placed) -> Placed:
    """A piece without the words for its kind and its marks, which are not written on it."""
    marks = tuple([replace(mark, word="") for mark in piece.marks])
    return replace(piece, kind=replace(piece.kind, word=""), marks=marks, picks=())


def placed(shown: Placed, x: float, y: float, space: float) -> list[svg.Element]:
    """A piece on its spaces, relative to the corner of its grid or map."""
    inset = min(3, space / 10)
    left, top = x + (shown.column - 1) * space + inset, y + (shown.row - 1) * space + inset
    return tile(shown, left, top, shown.columns * space - 2 * inset, shown.rows * space - 2 * inset)
