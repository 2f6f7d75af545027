"""The small shapes of drawn boards: texts, assets, seats, dice."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

import svg

from mcmulti.domain.core.picture import AssetKind, Colour
from mcmulti.projections.board_fit import in_pixels, plain

_SIZES = {"h1": 20.0, "h2": 14.0, "small": 11.0}
_BOLD = 1.08

_GLYPHS: dict[AssetKind, tuple[tuple[str, bool], ...]] = {
    "rig": (("M5 21 12 3 19 21M6.6 17H17.4M8.6 12H15.4M6.6 17 15.4 12M17.4 17 8.6 12", True),),
    "well": (("M12 2.5C15.5 8 18.8 11.6 18.8 15.4A6.8 6.8 0 0 1 5.2 15.4C5.2 11.6 8.5 8 12 2.5Z", False),),
    "station": (
        ("M5 21V5.5A2 2 0 0 1 7 3.5H12.5A2 2 0 0 1 14.5 5.5V21ZM7 5.8V10.5H12.5V5.8Z", False),
        ("M14.5 13H16V17.6A1.6 1.6 0 0 0 19.2 17.6V9L16.6 6.2", True),
    ),
    "refinery": (
        ("M3 21V12L8 9V12L13 9V12L15.2 10.7V4.5H18.8V21ZM6 15V17.5H8V15ZM10.5 15V17.5H12.5V15Z", False),
        ("M17.4 2.4Q19 .8 20.4 2.2T23 1.6", True),
    ),
}
"""Paths in a box of 24 by 24, and whether they are lines."""

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def words(x: float, y: float, text: str, *classes: str, width: float | None = None) -> svg.Text:
    """A line of text whose baseline is at `y`, cut short where it is wider than `width` pixels."""
    size = next((_SIZES[name] for name in classes if name in _SIZES), 12.0)
    size *= _BOLD if "strong" in classes or "h1" in classes else 1
    fitted = plain(text) if width is None else in_pixels(text, width, size)
    return svg.Text(x=x, y=y, class_=list(classes) or None, text=escape(fitted))


def box(x: float, y: float, width: float, height: float, *classes: str, rx: float = 0) -> svg.Rect:
    """A rectangle, its corners rounded by `rx` pixels."""
    return svg.Rect(
        x=round(x, 2),
        y=round(y, 2),
        width=round(width, 2),
        height=round(height, 2),
        rx=round(rx, 2) or None,
        class_=list(classes),
    )


def path(drawing: str, *classes: str) -> svg.Path:
    """A shape in the language of SVG paths, in which what is enclosed twice is left out."""
    return svg.Path(d=drawing, fill_rule="evenodd", class_=list(classes))  # type: ignore[arg-type]


def title(text: str) -> svg.Title:
    """What a shape is, for pointers that rest on it and for readers of the source."""
    return svg.Title(text=escape(plain(text)))


def group(text: str, elements: Sequence[svg.Element], *classes: str) -> svg.G:
    """Shapes that are one thing, which the text names."""
    return svg.G(class_=list(classes) or None, elements=[title(text), *elements])


def owned_by(seat: int | None) -> str:
    """The class of what belongs to a seat."""
    return "nobody" if seat is None else f"seat-{seat}"


def tile(
    kind: AssetKind, x: float, y: float, side: float, owner: int | None, *, idle: bool = False
) -> list[svg.Element]:
    """An asset on a square: filled with the owner's colour, or only outlined if it is idle."""
    classes = [owned_by(owner), *(["idle"] if idle else [])]
    glyph_class = owned_by(owner) if idle else "glyph"
    scale = side * 0.82 / 24
    inset = side * 0.09
    return [
        box(x, y, side, side, "asset", *classes, rx=min(5, side / 6)),
        svg.G(
            transform=[svg.Translate(round(x + inset, 2), round(y + inset, 2)), svg.Scale(round(scale, 3))],
            elements=[path(drawing, glyph_class, *(["stroked"] if lines else [])) for drawing, lines in _GLYPHS[kind]],
        ),
    ]


def hit_marks(x: float, y: float, side: float, hits: int) -> list[svg.Element]:
    """A ring around what was hit, and as many dots in its corner as it was hit."""
    if not hits:
        return []
    width = 4 + 8 * hits
    left = x + side - width + 3
    return [
        box(x - 0.5, y - 0.5, side + 1, side + 1, "hit", rx=5),
        box(left, y - 4, width, 12, "ink", rx=6),
        *(svg.Circle(cx=left + 6 + 8 * dot, cy=y + 2, r=2.6, class_=["page", "dot"]) for dot in range(hits)),
    ]


def seat_mark(seat: int | None, x: float, y: float) -> svg.Element:
    """The shape of a seat, twelve pixels wide around a point: circle, square, triangle, diamond."""
    classes = [owned_by(seat)]
    if seat == 0:
        return svg.Circle(cx=x, cy=y, r=6, class_=classes)
    if seat == 1:
        return box(x - 5.5, y - 5.5, 11, 11, *classes)
    if seat == 2:
        return path(f"M{x} {y - 6.5}L{x + 6.8} {y + 5.5}H{x - 6.8}Z", *classes)
    if seat == 3:
        return path(f"M{x} {y - 7}L{x + 7} {y}L{x} {y + 7}L{x - 7} {y}Z", *classes)
    return path(f"M{x - 5} {y}H{x + 5}", *classes, "stroked")


def die(colour: Colour, value: int, x: float, y: float, side: float, name: str) -> svg.G:
    """A die that shows its number."""
    middle, step = side / 2, side / 4
    return group(
        f"{name}: {value}",
        [
            box(x, y, side, side, colour, "die", rx=6),
            *(
                svg.Circle(cx=x + middle + step * across, cy=y + middle + step * down, r=side / 11, class_=["on-die"])
                for across, down in _PIPS[value]
            ),
        ],
    )
