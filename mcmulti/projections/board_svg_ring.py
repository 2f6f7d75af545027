"""A ring of spaces as a drawn board has it: along the sides of a square, with what lies on them told in the middle."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

import svg

from mcmulti.domain.core.board import Ring, Space
from mcmulti.domain.core.picture import Picture
from mcmulti.projections.board_ring import around
from mcmulti.projections.board_svg_marks import box, group, seat_sign, words
from mcmulti.projections.board_svg_pieces import signs
from mcmulti.projections.board_words_table import pieces, seat_name, space

_TOP = 8
_LARGEST = 96
"""Pixels of a space at most."""
_ROW = 17
"""Pixels of a line in the middle."""
_NAMES = 12
"""Pixels for the name of a space in it."""
_NAMED = 44
"""Pixels for the name of a space in the middle."""


def ring(picture: Picture, ring: Ring, width: float) -> tuple[list[svg.Element], float]:
    """All of a ring in so many pixels, and how high it is."""
    side, places = around(len(ring.spaces))
    size = min(_LARGEST, width / (side + 1))
    left = (width - size * (side + 1)) / 2
    shapes: list[svg.Element] = []
    for each, (across, down) in zip(ring.spaces, places, strict=True):
        shapes.append(_space(picture, each, left + across * size, _TOP + down * size, size))
    inner = size * (side - 1)
    if side > 1:
        shapes += _middle(picture, ring, left + size + 14, _TOP + size + 14, inner - 28)
    return shapes, _TOP + size * (side + 1) + 4


def _space(picture: Picture, shown: Space, x: float, y: float, size: float) -> svg.G:
    """A space with its name and whose pieces lie there; many pieces leave no room for the name."""
    ink = f"on-{shown.colour}" if shown.colour else "muted"
    name = [words(x + size / 2, y + 11, shown.name, "small", "middle", ink, width=size - 3)]
    below = signs(shown.pieces, x + 3, y + _NAMES + 2, size - 6, size - _NAMES - 5)
    shapes: list[svg.Element] = [
        box(x + 0.75, y + 0.75, size - 1.5, size - 1.5, shown.colour or "space", rx=3),
        *([] if shown.pieces and not below else name),
    ]
    if below:
        shapes += [box(x + 2.5, y + _NAMES + 1.5, size - 5, size - _NAMES - 4, "page", rx=2), *below]
    elif shown.pieces:
        many = words(x + size / 2, y + size / 2 + 4, f"×{len(shown.pieces)}", "small", "middle", width=size - 4)
        inside = signs(shown.pieces, x + 2.5, y + 2.5, size - 5, size - 5) or [many]
        shapes += [box(x + 2, y + 2, size - 4, size - 4, "page", rx=2), *inside]
    if shown.marked:
        shapes.append(box(x + 0.75, y + 0.75, size - 1.5, size - 1.5, "next", rx=3))
    return group(space(picture, shown), shapes, "place")


def _middle(picture: Picture, ring: Ring, x: float, y: float, room: float) -> Iterator[svg.Element]:
    """What lies where, an owner a line, as far as there is room."""
    yield words(x, y + 12, ring.name, "h2", "strong", width=room)
    told = list(_told(picture, ring))
    most = max(1, int((room - 18) // _ROW))
    if len(told) > most:
        told = [*told[: most - 1], ("…", None, "")]
    for number, (name, owner, text) in enumerate(told, start=1):
        base = y + 18 + number * _ROW
        yield words(x, base, name, "small", "strong", width=_NAMED - 4)
        if owner is not None:
            yield seat_sign(owner, x + _NAMED + 6, base - 4, 11)
        yield words(x + _NAMED + 16, base, text, "small", width=room - _NAMED - 16)


def _told(picture: Picture, ring: Ring) -> Iterator[tuple[str, int | None, str]]:
    """By space and owner: the name of the space, if it is not told yet, and what lies there."""
    for each in ring.spaces:
        name = each.name
        for owner, owned in groupby(each.pieces, attrgetter("owner")):
            whose = "" if owner is None else f"{seat_name(picture, picture.seats[owner])}: "
            yield name, owner, whose + pieces(picture, tuple(owned), owner)
            name = ""
