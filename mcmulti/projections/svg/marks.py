"""The small shapes of drawn boards: texts, boxes, dice, the signs of seats."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Protocol, TypeVar
from xml.sax.saxutils import escape

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.picture import Die, Picture, Seat
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.projections.pictures.fit import in_pixels, plain
from mcmulti.projections.pictures.palette import SEATS

Shapes = TypeVar("Shapes")

_SIZES = {"h1": 20.0, "h2": 14.0, "small": 11.0}
_BOLD = 1.08

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_SEATS = (
    "M-6 0A6 6 0 0 1 6 0A6 6 0 0 1 -6 0Z",
    "M-5.5 -5.5H5.5V5.5H-5.5Z",
    "M0 -6.5 6.8 5.5H-6.8Z",
    "M0 -7 7 0 0 7 -7 0Z",
    "M0 6.5 -6.8 -5.5H6.8Z",
    "M0 -7.2 1.9 -2.6 6.8 -2.2 3.1 1 4.2 5.8 0 3.2 -4.2 5.8 -3.1 1 -6.8 -2.2 -1.9 -2.6Z",
)
"""By seat, twelve pixels wide around a point: circle, square, triangle, diamond, inverted triangle, star."""
_NOBODY = "M-5 0H5"
END_OF_GROUP = "</g>"
_ALONE = {language: Picture(language=language, title="", units=(), seats=()) for language in LANGUAGES}


class Once(Protocol):
    """Draws a section, unless nothing that it depends on changed since it was last drawn."""

    def __call__(self, section: str, depends_on: tuple[Any, ...], draw: Callable[[], Shapes]) -> Shapes: ...


def short(pixels: float) -> float:
    """A number of pixels with as few digits as make a difference."""
    rounded = round(pixels, 2)
    return int(rounded) if rounded == int(rounded) else rounded


class Serialized(svg.Element):
    """Shapes that are serialized already."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._written = text

    def as_str(self) -> str:
        """The serialized shapes."""
        return self._written


@lru_cache(maxsize=8192)
def words(x: float, y: float, text: str, *classes: str, width: float | None = None) -> svg.Element:
    """A line of text with its baseline at `y`, truncated if it is wider than `width` pixels."""
    size = next((_SIZES[name] for name in classes if name in _SIZES), 12.0)
    size *= _BOLD if "strong" in classes or "h1" in classes else 1
    fitted = plain(text) if width is None else in_pixels(text, width, size)
    look = f' class="{" ".join(classes)}"' if classes else ""
    return Serialized(f'<text{look} x="{short(x)}" y="{short(y)}">{escape(fitted)}</text>')


class Rectangle(Serialized):
    """A rectangle with these attributes, serialized."""

    def __init__(self, attributes: str) -> None:
        super().__init__(f"<rect {attributes}/>")
        self._attributes = attributes

    def named(self, text: str, data: Mapping[str, str]) -> Serialized:
        """The rectangle with more data attributes, and with a title unless the text is empty."""
        more = "".join([f' data-{name}="{value}"' for name, value in data.items()])
        return Serialized(f"<rect {self._attributes}{more}{f'>{title(text)}</rect>' if text else '/>'}")


def box(x: float, y: float, width: float, height: float, *classes: str, rx: float = 0) -> Rectangle:
    """A rectangle, its corners rounded by `rx` pixels."""
    place = f'x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}"'
    rounded = f' rx="{short(rx)}"' if short(rx) else ""
    return Rectangle(f'class="{" ".join(classes)}" {place}{rounded}')


def path(drawing: str, *classes: str) -> svg.Path:
    """A shape as an SVG path, in which areas enclosed twice are left out."""
    return svg.Path(d=drawing, fill_rule="evenodd", class_=list(classes))  # type: ignore[arg-type]


def moved(x: float, y: float, elements: Sequence[svg.Element], *classes: str, scale: float = 1) -> svg.G:
    """Shapes moved to another corner, and scaled."""
    transform: list[svg.Transform] = [svg.Translate(short(x), short(y))]
    if scale != 1:
        transform.append(svg.Scale(round(scale, 3)))
    return svg.G(transform=transform, class_=list(classes) or None, elements=list(elements))


class Kept(Serialized):
    """Shapes that are serialized once, for many pictures. `pieces`: the serialized shapes, as `pieces_of` cuts them."""

    def __init__(self, *elements: svg.Element) -> None:
        self.pieces = tuple(pieces_of(elements))
        super().__init__("".join(self.pieces))


def pieces_of(elements: Iterable[svg.Element]) -> list[str]:
    """The serialized elements in pieces, so that what is kept stays a piece of its own. Parts are never divided.

    Each piece is one or more complete elements, or the opening or closing tag of a group.
    """
    pieces: list[str] = []
    plain: list[str] = []
    for element in elements:
        if not _holds_kept(element):
            plain.append(str(element))
            continue
        if plain:
            pieces.append("".join(plain))
            plain.clear()
        if isinstance(element, Kept):
            pieces += element.pieces
            continue
        pieces += (opening_tag(element), *pieces_of(element.elements or ()), END_OF_GROUP)
    if plain:
        pieces.append("".join(plain))
    return pieces


def opening_tag(group: svg.Element) -> str:
    """The opening tag of a group, whose contents are serialized by themselves."""
    bare = copy(group)
    bare.elements = None
    return f"{str(bare).removesuffix('/>')}>"


def _holds_kept(element: svg.Element) -> bool:
    if isinstance(element, Kept):
        return True
    is_group = isinstance(element, svg.G) and "part" not in (element.data or {})
    return is_group and any(map(_holds_kept, element.elements or ()))


def alone(picture: Picture) -> Picture:
    """The picture with only its language, on which most parts depend in addition to their content."""
    return _ALONE[picture.language]


def of_names(picture: Picture) -> Picture:
    """The picture with only its language and the names of its seats."""
    return replace(alone(picture), seats=tuple(Seat(each.seat, each.name, ()) for each in picture.seats))


def title(text: str) -> svg.Element:
    """A tooltip for a shape, which also helps readers of the source."""
    return Serialized(f"<title>{escape(plain(text))}</title>")


def group(text: str, elements: Sequence[svg.Element], *classes: str) -> svg.G:
    """Shapes that form one thing, named by the text."""
    return svg.G(class_=list(classes) or None, elements=[title(text), *elements])


def part(
    key: str,
    text: str,
    elements: Sequence[svg.Element],
    *classes: str,
    picks: Sequence[str] = (),
    seat: int | None = None,
) -> svg.Element:
    """Shapes that can change from one moment to the next; the part with the same key is the same thing. A box is used
    itself.

    Parts are not nested. `text`: its name, unless empty; `picks`: how it is picked; `seat`: its owner.
    """
    data = {"part": key, **pickable(picks), **of_seat(seat)}
    if len(elements) == 1 and isinstance(alone := elements[0], Rectangle):
        return alone.named(text, data)
    return svg.G(class_=list(classes) or None, data=data, elements=[*([title(text)] if text else []), *elements])


def pickable(picks: Sequence[str]) -> dict[str, str]:
    """The data attribute of something that can be picked in these ways, if any."""
    return {"picks": escape(" ".join(picks), {'"': "&quot;"})} if picks else {}


def of_seat(seat: int | None) -> dict[str, str]:
    """The data attribute of something that belongs to a seat."""
    return {} if seat is None else {"seat": str(seat)}


def owned_by(seat: int | None) -> str:
    """The CSS class of something that belongs to a seat."""
    return "nobody" if seat is None else f"seat-{seat % SEATS}"


def seat_sign(seat: int | None, x: float, y: float, size: float = 12) -> svg.Element:
    """The sign of a seat, with this width in pixels, around a point."""
    if seat is None:
        return moved(x, y, [path(_NOBODY, "nobody", "stroked")])
    return moved(x, y, [path(_SEATS[seat % len(_SEATS)], owned_by(seat))], scale=size / 12)


@lru_cache(maxsize=256)
def die(shown: Die, x: float, y: float, side: float, key: str) -> svg.Element:
    """A die that shows its number, in pips if possible; a part with this key."""
    middle, step, ink = side / 2, side / 4, f"on-{shown.colour}"
    shown_as: list[svg.Element] = [
        svg.Circle(cx=x + middle + step * across, cy=y + middle + step * down, r=short(side / 11), class_=[ink, "pip"])
        for across, down in PIPS.get(shown.value, ())
    ]
    if not shown_as:
        shown_as.append(words(x + middle, y + middle + 5, str(shown.value), "h2", "strong", "middle", ink))
    return Kept(
        part(key, f"{shown.name}: {shown.value}", [box(x, y, side, side, shown.colour, "die", rx=6), *shown_as])
    )
