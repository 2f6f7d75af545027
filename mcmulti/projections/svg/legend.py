"""The legend below a drawn board: each sign that is used in the picture, and no other."""

from collections.abc import Iterator, Sequence

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.board import Kind, Map, Piece
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.svg import tracks as board_svg_tracks
from mcmulti.projections.svg.map import explained_place
from mcmulti.projections.svg.marks import moved, words
from mcmulti.projections.svg.pieces import chip, explained, explained_mark, figure, is_chip, tile

Explanation = tuple[str, Sequence[svg.Element]]
"""A name, and its look in a box twenty pixels wide."""

_SIDE = 20
_GAP = 8


def legend(picture: Picture, top: float, width: float) -> tuple[list[svg.Element], int]:
    """The look of the kinds and marks that are used, in as many lines as necessary, and where it ends."""
    entries = [*_kinds(picture), *_marks(picture), *board_svg_tracks.explained(picture)]
    shapes: list[svg.Element] = []
    x, named = 0.0, _SIDE + 6
    for text, look in entries:
        room = named + pixels(text, 11) + _GAP
        if x and x + room > width:
            x, top = 0.0, top + 30
        shapes.append(moved(x, top, [*look, words(named, 14, text, "small", width=width - named)], "entry"))
        x += room
    return shapes, round(top) + (34 if entries else 6)


def _kinds(picture: Picture) -> Iterator[Explanation]:
    for kind in picture.kinds:
        if look := _look(picture, kind):
            yield kind.word, look


def _look(picture: Picture, kind: Kind) -> Sequence[svg.Element]:
    """A kind as it looks in the picture; empty if it is not used, or labels itself in words."""
    if any(kind in card.heads for card in picture.cards):
        return explained(kind)
    for piece in picture.standing:
        if piece.kind == kind:
            return _name_only(piece) if piece.name else explained(kind)
    for small in picture.lying:
        if small.kind == kind:
            return _small(picture, small)
    if isinstance(picture.board, Map):
        place = next((place for place in picture.board.places if place.kind == kind), None)
        return explained_place(place, _SIDE) if place else []
    return []


def _name_only(piece: Piece) -> list[svg.Element]:
    """A piece with only its name."""
    return tile(Piece(piece.kind, colour=piece.colour, name=piece.name), 0, 0, _SIDE, _SIDE)


def _small(picture: Picture, piece: Piece) -> list[svg.Element]:
    """A piece that shares its space with others: drawn, or a counting chip; empty if it is shown as its
    owner's sign.
    """
    if is_chip(piece) and isinstance(picture.board, Map):
        return chip(replace(piece, count=1, picks=()), 0, 0, _SIDE)
    if piece.owner is not None and not piece.colour:
        return []
    return [figure(piece.kind, _SIDE / 2, _SIDE / 2, _SIDE, "ink")]


def _marks(picture: Picture) -> Iterator[Explanation]:
    worn = {mark for piece in picture.standing for mark in piece.marks}
    for mark in picture.marks:
        if mark in worn:
            yield mark.word, explained_mark(mark, picture.kinds)
