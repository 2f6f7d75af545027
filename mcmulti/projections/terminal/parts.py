"""What the board for large terminals and that for small ones share: what is on the table, the legend, the layout."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from mcmulti.domain.core.shown.board import Map, Ring
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.svg import tracks
from mcmulti.projections.terminal import spaces
from mcmulti.projections.terminal.grids import grids
from mcmulti.projections.terminal.pieces import signs_of

BESIDE = 31
"""Columns for the part next to the board; with fewer, it goes below."""


def board(picture: Picture, names: bool = True) -> list[Text]:
    """What is on the table, line by line; the names of its parts are optional."""
    match picture.board:
        case Ring() as shown:
            return spaces.ring(shown)[not names :]
        case Map() as shown:
            return spaces.map_of(shown)[not names :]
        case shown:
            return grids(picture, shown or (), names)


def side_by_side(left: Sequence[Text], right: Sequence[Text], taken: int) -> Iterator[Text]:
    """Two columns of lines, the second from column `taken`."""
    for index in range(max(len(left), len(right))):
        line = left[index].copy() if index < len(left) else Text()
        line.pad_right(taken - line.cell_len)
        yield line + right[index] if index < len(right) else line


def legend(picture: Picture) -> Iterator[str]:
    """The meanings of the signs in use, one line for pieces and one for marks."""
    used, board = signs_of(picture), picture.board
    kinds = [(kind.sign, kind.word) for kind in picture.kinds if kind.sign in used]
    there = dict.fromkeys(piece.kind.word for piece in picture.lying) if isinstance(board, Map) else ()
    marked = [("¦", meaning) for meaning in tracks.marked(picture)]
    marks = [(mark.sign, mark.word) for mark in picture.marks if mark.sign in used]
    if any(seat.waited_for for seat in picture.seats):
        marks.append(("▸", PICTURE[picture.language].moves))
    for entries in filter(None, ([*kinds, *(("+", word) for word in there), *marked], marks)):
        yield " · ".join(f"{sign} {word}" for sign, word in entries)
