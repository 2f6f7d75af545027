"""Reading drawings: elements by class, their attributes, and their texts."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.svg.board import drawn

_SIZES = {"h1": 20.0, "h2": 14.0, "small": 11.0}


def parsed(shown: Picture) -> Element:
    """A drawing, parsed, without its namespace."""
    root = ElementTree.fromstring(drawn(shown))
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def classed(root: Element, *names: str) -> Iterator[Element]:
    """The elements that have all these classes."""
    return (element for element in root.iter() if set(names) <= set((element.get("class") or "").split()))


def named(root: Element, *names: str) -> list[str]:
    """The titles of the elements that have all these classes."""
    return [element.findtext("title") or "" for element in classed(root, *names)]


def texts(root: Element) -> list[str]:
    """All texts."""
    return [element.text or "" for element in root.iter("text")]


class Written(NamedTuple):
    """A text and its maximum box, in pixels of the picture."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Written") -> bool:
        """Whether the boxes share more than an edge. Half a pixel does not count."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 0.5 and down > 0.5


def written(element: Element, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[Written]:
    """The box of each text. Figures and capitals are three quarters of the font size high."""
    transform = element.get("transform") or ""
    if moved := re.search(r"translate\(([-\d.]+),? ([-\d.]+)\)", transform):
        x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
    if scaled := re.search(r"scale\(([\d.]+)\)", transform):
        scale *= float(scaled[1])
    if element.tag == "text" and element.text:
        yield _written(element, element.text, x, y, scale)
    for child in element:
        yield from written(child, x, y, scale)


def _written(element: Element, text: str, x: float, y: float, scale: float) -> Written:
    classes = (element.get("class") or "").split()
    size = scale * next((_SIZES[name] for name in classes if name in _SIZES), 12.0)
    width = pixels(text, size)
    left, base = x + scale * float(element.get("x") or 0), y + scale * float(element.get("y") or 0)
    left -= width if "end" in classes else width / 2 if "middle" in classes else 0
    return Written(text, left, base - size * 0.75, left + width, base)
