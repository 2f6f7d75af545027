"""Which pieces of a picture have spaces of their own, and which share them."""

from collections.abc import Iterator

from mcmulti.domain.core.board import Map, Piece, Placed, Ring
from mcmulti.domain.core.picture import Picture


def standing(picture: Picture) -> Iterator[Placed]:
    """The pieces that have spaces of their own, on grids or beside the ways of a map."""
    match picture.board:
        case Ring() | None:
            return
        case Map() as board:
            yield from board.pieces
        case grids:
            for grid in grids:
                yield from grid.pieces


def lying(picture: Picture) -> Iterator[Piece]:
    """The pieces that lie on spaces of a ring or places of a map; what lies inside a ring is told in words."""
    match picture.board:
        case Ring() as ring:
            spaces = ring.spaces
        case Map() as board:
            spaces = board.places
        case _:
            return
    for space in spaces:
        yield from space.pieces
