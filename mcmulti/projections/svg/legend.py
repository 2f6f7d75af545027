"""The legend below a drawn board: each sign that is used in the picture, and no other."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.board import Kind, Map, Piece
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.svg import tracks as board_svg_tracks
from mcmulti.projections.svg.map import explained_place
from mcmulti.projections.svg.marks import Kept, moved, words
from mcmulti.projections.svg.pieces import chip, explained, explained_mark, figure, is_chip, tile


class Explanation(NamedTuple):
    """A name, and its look in a box twenty pixels wide: what draws it, and of what."""

    name: str
    draw: Callable[..., Sequence[svg.Element]]
    of: tuple[Any, ...] = ()


_SIDE = 20
_GAP = 8


def explanations(picture: Picture) -> tuple[Explanation, ...]:
    """The look of the kinds and marks that are used."""
    tracks = (Explanation(name, draw) for name, draw in board_svg_tracks.explained(picture))
    return (*_kinds(picture), *_marks(picture), *tracks)


def legend(entries: Sequence[Explanation], top: float, width: float) -> tuple[list[svg.Element], int]:
    """What is explained, in as many lines as necessary, and where it ends."""
    shapes: list[svg.Element] = []
    x, named = 0.0, _SIDE + 6
    for entry in entries:
        room = named + pixels(entry.name, 11) + _GAP
        if x and x + room > width:
            x, top = 0.0, top + 30
        shapes.append(_entry(entry, x, top, width - named))
        x += room
    return shapes, round(top) + (34 if entries else 6)


@lru_cache(maxsize=512)
def _entry(shown: Explanation, x: float, top: float, width: float) -> svg.Element:
    """An entry in its place; few of them change between two moments."""
    look = shown.draw(*shown.of)
    return Kept(moved(x, top, [*look, words(_SIDE + 6, 14, shown.name, "small", width=width)], "entry"))


def _kinds(picture: Picture) -> Iterator[Explanation]:
    standing, lying = _by_kind(picture.standing), _by_kind(picture.lying)
    for kind in picture.kinds:
        if look := _look(picture, kind, standing.get(kind), lying.get(kind)):
            yield Explanation(kind.word, *look)


def _by_kind(pieces: Iterable[Piece]) -> dict[Kind, Piece]:
    """The first piece of each kind."""
    found: dict[Kind, Piece] = {}
    for piece in pieces:
        found.setdefault(piece.kind, piece)
    return found


def _look(
    picture: Picture, kind: Kind, standing: Piece | None, lying: Piece | None
) -> tuple[Callable[..., Sequence[svg.Element]], tuple[Any, ...]] | None:
    """A kind as it looks in the picture; None if it is not used, or labels itself in words.

    `standing`, `lying`: the first piece of the kind.
    """
    if any(kind in card.heads for card in picture.cards):
        return explained, (kind,)
    if standing is not None:
        return (_name_only, (_bare(standing),)) if standing.name else (explained, (kind,))
    if lying is not None:
        return _small(picture, lying)
    if isinstance(picture.board, Map):
        place = next((place for place in picture.board.places if place.kind == kind), None)
        return (explained_place, (place, _SIDE)) if place else None
    return None


def _bare(piece: Piece) -> Piece:
    """A piece with only its kind, color, and name."""
    return Piece(piece.kind, colour=piece.colour, name=piece.name)


def _name_only(piece: Piece) -> list[svg.Element]:
    return tile(piece, 0, 0, _SIDE, _SIDE)


def _small(picture: Picture, piece: Piece) -> tuple[Callable[..., Sequence[svg.Element]], tuple[Any, ...]] | None:
    """A piece that shares its space with others: drawn, or a counting chip; None if it is shown as its owner's sign."""
    if is_chip(piece) and isinstance(picture.board, Map):
        return chip, (replace(piece, count=1, picks=()), 0, 0, _SIDE)
    if piece.owner is not None and not piece.colour:
        return None
    return _figure, (piece.kind,)


def _figure(kind: Kind) -> list[svg.Element]:
    return [figure(kind, _SIDE / 2, _SIDE / 2, _SIDE, "ink")]


def _marks(picture: Picture) -> Iterator[Explanation]:
    worn = {mark for piece in picture.standing for mark in piece.marks}
    for mark in picture.marks:
        if mark in worn:
            yield Explanation(mark.word, explained_mark, (mark, picture.kinds))
