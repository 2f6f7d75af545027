"""Pieces on drawn boards: as tiles on their own spaces, as chips or signs if several share one."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import svg

from mcmulti.domain.core.shown.board import Kind, Mark, Piece
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.svg.glyphs import GLYPHS
from mcmulti.projections.svg.marks import Kept, box, moved, owned_by, path, pickable, seat_sign, words

_SMALL = 11.0
_CHIP = 11
"""Pixels from one row of chips to the next."""
_LARGE = 1.35
"""The scale of chips if there is room."""
_SCALES = (1.6, 1.45, 1.3, 1.15, 1.0, 0.9, 0.8)
"""The possible scales of chips in a place of their own."""
_LEAST, _LARGEST = 8, 18
"""The smallest and largest signs, in pixels."""

_Part = Callable[[float, float, float, float], svg.Element]
"""Something drawn around a point, within a width and height."""


def tile(piece: Piece, x: float, y: float, width: float, height: float) -> list[svg.Element]:
    """A piece in a box, filled with its color or else its owner's; one with a mark without dots is outlined.

    It shows the kind or the name, the number, the owner if the color does not show that, and the contents.
    """
    outlined = any(not mark.dots for mark in piece.marks)
    filled = [piece.colour or owned_by(piece.owner), *(["outlined"] if outlined else [])]
    parts = list(_piece_parts(piece, piece.colour or owned_by(piece.owner) if outlined else _on(piece)))
    across = len(parts) if width >= height * 1.5 else 1 if height >= width * 1.5 else 1 + (len(parts) > 1)
    down = -(-len(parts) // across)
    wide, high = width / across, height / down
    drawn = (
        part(x + (column + 0.5) * wide, y + (row + 0.5) * high, wide, high)
        for part, (row, column) in zip(parts, product(range(down), range(across)), strict=False)
    )
    return [
        box(x, y, width, height, "piece", *filled, rx=min(5, min(width, height) / 6)),
        *drawn,
        *_dots(x, y, width, height, max((mark.dots for mark in piece.marks), default=0)),
    ]


@lru_cache(maxsize=256)
def explained(kind: Kind, *marks: Mark) -> Sequence[svg.Element]:
    """A piece without an owner, twenty pixels wide, for the legend."""
    return (Kept(*tile(Piece(kind, marks=marks), 0, 0, 20, 20)),)


def explained_mark(mark: Mark, kinds: Sequence[Kind]) -> Sequence[svg.Element]:
    """A mark without a piece, or on a piece of the last kind if the mark needs one."""
    if mark.dots:
        return _dots(1, 1, 18, 18, mark.dots)
    return explained(kinds[-1] if kinds else Kind(mark.word, mark.sign), mark)


def _on(piece: Piece) -> str:
    return f"on-{piece.colour}" if piece.colour else "glyph"


def _piece_parts(piece: Piece, ink: str) -> Iterator[_Part]:
    yield _label(piece.name, ink) if piece.name else _kind(piece.kind, ink)
    if piece.count != 1:
        yield _label(f"×{piece.count}", ink)
    if piece.colour and piece.owner is not None:
        yield _badge([seat_sign(piece.owner, 0, 0, 11)])
    if piece.holds:
        held = str(sum(each.count for each in piece.holds))
        yield _badge([words(0, 4, held, "small", "strong", "middle")], pixels(held, _SMALL))


def _label(text: str, ink: str) -> _Part:
    return lambda x, y, wide, high: words(x, y + 4.5, text, "strong", "middle", ink, width=max(wide - 2, 0))


def _kind(kind: Kind, ink: str) -> _Part:
    """The drawing of a kind, or its sign."""
    drawing = GLYPHS.get(kind.glyph)

    def draw(x: float, y: float, wide: float, high: float) -> svg.Element:
        room = min(wide, high)
        if drawing is None:
            return moved(x, y, [words(0, 4.5, kind.sign, "strong", "middle", ink)], scale=min(1, room / 16))
        shapes = [path(shape, ink, *(["stroked"] if lines else [])) for shape, lines in drawing]
        return moved(x - room * 0.41, y - room * 0.41, shapes, scale=room * 0.82 / 24)

    return draw


def figure(kind: Kind, x: float, y: float, room: float, ink: str) -> svg.Element:
    """A kind without a box, around a point, on a background with contrast to the ink."""
    return _kind(kind, ink)(x, y, room, room)


def _badge(shapes: list[svg.Element], width: float = 0) -> _Part:
    """Shapes on a background of their own."""
    ground = max(17.0, width + 8)
    badge = [box(-ground / 2, -8.5, ground, 17, "page", rx=8.5), *shapes]
    return lambda x, y, wide, high: moved(x, y, badge)


def _dots(x: float, y: float, width: float, height: float, dots: int) -> list[svg.Element]:
    """A ring around a piece, and dots in its corner."""
    if not dots:
        return []
    plate = 4 + 8 * dots
    left = x + width - plate + 3
    return [
        box(x - 0.5, y - 0.5, width + 1, height + 1, "hit", rx=5),
        box(left, y - 4, plate, 12, "ink", rx=6),
        *(svg.Circle(cx=left + 6 + 8 * dot, cy=y + 2, r=2.6, class_=["page", "dot"]) for dot in range(dots)),
    ]


class _Chip(NamedTuple):
    """A small piece with its number, and its offset: pixels to the right, rows down."""

    piece: Piece
    width: float
    left: float
    row: int


def chips(
    pieces: Sequence[Piece], x: float, y: float, width: float, height: float, first: float, ink: str
) -> list[svg.Element]:
    """Pieces with their numbers, in rows; the first begins at this offset. Without enough room, only the total number.

    They are distinguished by color, which the description names. `ink`: the color of text on the background.
    """
    laid = _laid(pieces, width, first, 0.5)
    if all((chip.row + 1) * _CHIP <= height and chip.left + chip.width <= width for chip in laid):
        return [shape for chip in laid for shape in _drawn(chip, x, y)]
    total = f"×{sum(piece.count for piece in pieces)}"
    return [words(x + width / 2, y + height - 4, total, "small", "strong", "middle", ink, width=width)]


def crowded(pieces: Sequence[Piece], x: float, y: float, width: float, height: float) -> list[svg.Element]:
    """Pieces with their numbers as large as possible, in rows around the center; nothing if they do not fit."""
    for scale in _SCALES:
        laid = _laid(pieces, width / scale, 0, 0.5)
        rows = [[chip for chip in laid if chip.row == row] for row in range(1 + laid[-1].row)]
        widths = [(row[-1].left + row[-1].width) * scale for row in rows]
        high = len(rows) * _CHIP * scale
        if high <= height and max(widths) <= width:
            return [
                moved(
                    x + (width - wide) / 2,
                    y + (height - high) / 2,
                    [shape for chip in row for shape in _drawn(chip, 0, 0)],
                    scale=scale,
                )
                for row, wide in zip(rows, widths, strict=True)
            ]
    return []


def chip_rows(pieces: Sequence[Piece], width: float, ends: tuple[str, str] | None) -> tuple[list[svg.Element], float]:
    """Pieces with their numbers, larger, in as many rows as they need, and the height of these.

    `ends`: the texts before the first and after the last.
    """
    front, back = (pixels(end, _SMALL) + 6 if end else 0 for end in ends or ("", ""))
    laid = _laid(pieces, width / _LARGE, front / _LARGE, 2)
    chips = moved(0, 0, [shape for chip in laid for shape in _drawn(chip, 0, 0)], scale=_LARGE)
    high = _CHIP * _LARGE
    row = laid[-1].row if laid else 0
    if not (ends and laid):
        return [chips], (row + 1) * high
    end = (laid[-1].left + laid[-1].width) * _LARGE + 6
    if end + back > width:
        row, end = row + 1, 0
    first, last = (
        words(x, number * high + high - 4, text, "small", "muted")
        for x, number, text in zip((0, end), (0, row), ends, strict=True)
    )
    return [first, chips, last], (row + 1) * high


def chip(piece: Piece, x: float, y: float, room: float) -> list[svg.Element]:
    """A single chip, in the center of this space."""
    [laid] = _laid([piece], room, 0, 0)
    shapes = list(_drawn(laid, 0, 0))
    left, top = x + (room - laid.width * _LARGE) / 2, y + (room - _CHIP * _LARGE) / 2
    return [moved(left, top, shapes, scale=_LARGE)]


def _laid(pieces: Sequence[Piece], width: float, first: float, gap: float) -> list[_Chip]:
    laid: list[_Chip] = []
    left, row = first, 0
    for piece in pieces:
        wide = 0.0 if is_chip(piece) else _CHIP + 1.0
        if text := _piece_text(piece):
            wide += pixels(text, _SMALL) + 3
        if left + wide > width and left:
            left, row = 0, row + 1
        laid.append(_Chip(piece, wide, left, row))
        left += wide + gap
    return laid


def is_chip(piece: Piece) -> bool:
    """Whether a chip is a box with text inside, not a sign with text next to it."""
    return bool(piece.colour or piece.name) and piece.owner is None


def _piece_text(piece: Piece) -> str:
    if piece.name:
        return piece.name if piece.count == 1 else f"{piece.name} ×{piece.count}"
    return str(piece.count) if piece.count != 1 or piece.colour else ""


def _drawn(chip: _Chip, x: float, y: float) -> Iterator[svg.Element]:
    """A chip, which can be picked by itself."""
    shapes = list(_shapes(chip, x, y))
    if chip.piece.picks:
        yield svg.G(data=pickable(chip.piece.picks), elements=shapes)
    else:
        yield from shapes


def _shapes(chip: _Chip, x: float, y: float) -> Iterator[svg.Element]:
    piece, left, top = chip.piece, x + chip.left, y + chip.row * _CHIP
    if is_chip(piece):
        ink = [f"on-{piece.colour}"] if piece.colour else []
        yield box(left, top, chip.width, _CHIP - 0.5, piece.colour or "free", "chip", rx=3)
        yield words(left + chip.width / 2, top + 9.2, _piece_text(piece), "small", "middle", *ink)
        return
    yield from _sign(piece, left + _CHIP / 2, top + _CHIP / 2, _CHIP)
    yield words(left + _CHIP + 1, top + 9.2, _piece_text(piece), "small")


def signs(pieces: Sequence[Piece], x: float, y: float, width: float, height: float) -> list[svg.Element]:
    """The owners of pieces, or their kinds, as large as possible; nothing if they do not fit."""
    known = {(piece.owner, piece.colour, piece.kind if piece.owner is None else None): piece for piece in pieces}
    sizes = range(_LARGEST, _LEAST - 1, -1)
    size = next((size for size in sizes if (width // size) * (height // size) >= len(known)), None)
    if size is None or not pieces:
        return []
    across = min(len(known), int(width // size))
    left, top = x + (width - across * size) / 2, y + (height - -(-len(known) // across) * size) / 2
    return [
        shape
        for number, piece in enumerate(known.values())
        for shape in _sign(
            piece, left + (number % across + 0.5) * size, top + (number // across + 0.5) * size, size - 1
        )
    ]


def _sign(piece: Piece, x: float, y: float, size: float) -> list[svg.Element]:
    """A piece as a sign around a point: its owner's, or a small tile."""
    if piece.owner is not None and not piece.colour:
        return [seat_sign(piece.owner, x, y, min(size, 12))]
    return tile(Piece(piece.kind, colour=piece.colour), x - size / 2, y - size / 2, size, size)
