"""Pieces on a terminal: three columns for each of their spaces."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from mcmulti.domain.core.shown.board import Colour, Piece, Placed, Ring
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import in_cells
from mcmulti.projections.pictures.seats import seat_mark

SPACE = 3
"""Columns of a space."""
COLOURS: Mapping[Colour, str] = {
    "red": "red",
    "blue": "blue",
    "green": "green",
    "yellow": "yellow",
    "purple": "magenta",
    "brown": "yellow",
    "black": "bright_black",
    "beige": "white",
}


def standing(piece: Placed, row: int, column: int, filler: tuple[str, str]) -> Text:
    """A space of a piece, which fills all of its spaces except the sides; `filler`: what continues there.

    At its top right is the mark with dots, or the number; at its top left its name, with the owner if the color does
    not show that, and in the next space its contents.
    """
    style = f"bold {look(piece)}"
    first, last = column == piece.column, column == piece.column + piece.columns - 1
    nth = (row - piece.row) * piece.columns + column - piece.column
    if piece.name and nth < 2:
        return Text(_named_piece(piece) if nth == 0 else _held(piece), style)
    sign = _filling(piece)
    noted = _noted(piece) if row == piece.row and last else ""
    right = (noted, "bold reverse") if noted else filler
    return Text.assemble(
        *([filler] if first else [(sign, style)]), (sign, style), *([right] if last else [(sign, style)])
    )


def _filling(piece: Piece) -> str:
    """The sign that fills the spaces of a piece."""
    return next((mark.sign for mark in piece.marks if not mark.dots), piece.kind.sign)


def signs_of(picture: Picture) -> set[str]:
    """The signs of kinds and marks in a picture."""
    heads = {head.sign for card in picture.cards for head in card.heads}
    pieces = {sign for piece in picture.standing for sign in (_filling(piece), _strongest(piece)) if sign}
    ring = {_sign(piece)[0] for piece in picture.lying} if isinstance(picture.board, Ring) else set()
    return heads | pieces | ring


def look(piece: Piece) -> str:
    """The color of a piece."""
    return COLOURS[piece.colour] if piece.colour else seat_mark(piece.owner)[1]


def _named_piece(piece: Placed) -> str:
    whose = seat_mark(piece.owner)[0] if piece.owner is not None else ""
    return _padded(in_cells(piece.name, SPACE - len(whose)) + whose, piece.kind.sign)


def _held(piece: Placed) -> str:
    """The number of pieces inside a piece, in at most two columns."""
    held = sum(each.count for each in piece.holds)
    return _padded(f"×{held}" if 0 < held < 100 else "", piece.kind.sign)


def _padded(text: str, sign: str) -> str:
    return text + sign * (SPACE - cell_len(text))


def _noted(piece: Piece) -> str:
    """The sign of the strongest mark, or else the number of pieces."""
    return _strongest(piece) or _counted(piece)


def _strongest(piece: Piece) -> str:
    dots = max((mark for mark in piece.marks if mark.dots), key=lambda mark: mark.dots, default=None)
    return dots.sign if dots else ""


def _counted(piece: Piece) -> str:
    return "" if piece.count == 1 else str(piece.count) if piece.count < 10 else "+"


def signs(pieces: Sequence[Piece]) -> Text:
    """The owners of pieces on a space, or their kinds, in the columns of a space; a plus for those without room."""
    known = {(mark := _sign(piece)): mark for piece in pieces}
    shown = list(known)[: SPACE if len(known) <= SPACE else SPACE - 1]
    text = Text.assemble(*shown, *(["+"] if len(known) > SPACE else []))
    text.pad_left((SPACE - text.cell_len + 1) // 2)
    text.pad_right(SPACE - text.cell_len)
    return text


def _sign(piece: Piece) -> tuple[str, str]:
    sign, colour = seat_mark(piece.owner)
    if piece.colour or piece.owner is None:
        return piece.kind.sign, f"bold {look(piece)}"
    return sign, f"bold {colour}"
