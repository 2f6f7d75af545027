"""A map on a drawn board: ways between places, and pieces in the places and next to the ways."""

from functools import lru_cache

import svg

from mcmulti.domain.core.shown.board import Map, Place, Placed, Way
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.pictures.words import piece, place
from mcmulti.projections.svg.grids import placed
from mcmulti.projections.svg.marks import Kept, box, part, path, words
from mcmulti.projections.svg.pieces import chips, crowded

_TOP = 30
_LARGEST = 56
"""The most pixels of a row and of a column."""
_NAME = 11
"""Pixels of the name above the pieces in a place."""
_SMALLEST_PLACE = 33
"""The fewest pixels of a place."""


def map_of(picture: Picture, board: Map, width: float) -> tuple[list[svg.Element], float]:
    """The whole map in this width, and its height."""
    space = min(_LARGEST, width / board.columns)
    left = (width - space * board.columns) / 2
    places = [
        _place(shown, place(picture, board, number), f"place-{number}", left, space)
        for number, shown in enumerate(board.places)
    ]
    return [
        words(left, 18, board.name, "strong", width=width),
        *(_way(_points(board, way), left, space) for way in board.ways),
        *(_piece(each, piece(picture, each), left, space) for each in board.pieces),
        *places,
    ], _TOP + space * board.rows + 6


def _points(board: Map, way: Way) -> tuple[tuple[int, int], ...]:
    first, second = board.places[way.first], board.places[way.second]
    return ((first.row, first.column), *way.bends, (second.row, second.column))


@lru_cache(maxsize=256)
def _way(points: tuple[tuple[int, int], ...], left: float, space: float) -> svg.Element:
    drawing = "L".join(
        f"{round(left + (column - 0.5) * space, 1)} {round(_TOP + (row - 0.5) * space, 1)}" for row, column in points
    )
    return Kept(path(f"M{drawing}", "way"))


@lru_cache(maxsize=1024)
def _piece(shown: Placed, told: str, left: float, space: float) -> svg.Element:
    """A piece next to the ways; few of them change between two moments."""
    shapes = placed(shown, left, _TOP, space)
    key = f"piece-{shown.row}-{shown.column}"
    return Kept(part(key, told, shapes, "standing", picks=shown.picks, seat=shown.owner))


def explained_place(shown: Place, size: float) -> list[svg.Element]:
    """A place with only its name, with this width in pixels."""
    bare = Place(shown.name, shown.kind, shown.colour, row=shown.row, column=shown.column)
    return [_ground(bare, 0, 0, size), words(size / 2, size / 2 + 4, shown.name, "small", "middle", _ink(shown))]


def _ground(shown: Place, x: float, y: float, size: float) -> svg.Element:
    return box(x, y, size, size, shown.colour or "panel", *(["turn"] if shown.marked else []), rx=7)


def _ink(shown: Place) -> str:
    return f"on-{shown.colour}" if shown.colour else "ink"


@lru_cache(maxsize=1024)
def _place(shown: Place, told: str, key: str, left: float, space: float) -> svg.Element:
    """A place with its name and its pieces; few of them change between two moments."""
    size = max(space - 1, _SMALLEST_PLACE)
    x, y = left + (shown.column - 0.5) * space - size / 2, _TOP + (shown.row - 0.5) * space - size / 2
    name = pixels(shown.name, 12)
    ink = _ink(shown)
    shapes: list[svg.Element] = [_ground(shown, x, y, size)]
    if shown.pieces:
        below = crowded(shown.pieces, x + 1.5, y + _NAME, size - 3, size - _NAME)
        shapes.append(words(x + 3, y + 10.5, shown.name, "small", "strong", ink, width=size - 6))
        shapes += below or chips(shown.pieces, x + 1.5, y + 0.5, size - 3, size, min(name + 3, size), ink)
    else:
        shapes.append(words(x + size / 2, y + size / 2 + 4.5, shown.name, "strong", "middle", ink, width=size - 4))
    return Kept(part(key, told, shapes, "place", picks=shown.picks))
