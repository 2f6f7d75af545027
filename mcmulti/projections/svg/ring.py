"""A ring of spaces on a drawn board: along the sides of a square, with a table of their pieces in the center."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple

import svg

from mcmulti.domain.core.shown.board import Kind, Piece, Ring, Space
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.pictures.ring import around
from mcmulti.projections.pictures.words import pieces, seat_name, space
from mcmulti.projections.svg.marks import Kept, box, of_names, part, seat_sign, words
from mcmulti.projections.svg.pieces import figure, signs

_TOP = 8
_LARGEST = 96
"""The most pixels of a space."""
_ROW = 17
"""Pixels of a line in the center."""
_NAMES = 12
"""Pixels for the name inside a space."""
_SMALL = 11.0
_STRONG = 13.0
"""The font size of bold names, with what being bold adds to their width."""
_GAP = 8
"""The fewest pixels between two columns of the table."""
_LINE = 22
"""Pixels of a line of the table in the center."""
_OWNER = 92
"""The fewest pixels for the sign and the name of an owner in the table."""
_SIGN = 22
"""Pixels of these that the name does not have."""
_NAMED = 44
"""Pixels for the name of a space in the center."""


def ring(picture: Picture, ring: Ring, width: float) -> tuple[list[svg.Element], float]:
    """The whole ring in this width, and its height."""
    side, places = around(len(ring.spaces))
    size = min(_LARGEST, width / (side + 1))
    left = (width - size * (side + 1)) / 2
    shapes: list[svg.Element] = []
    for number, (each, (across, down)) in enumerate(zip(ring.spaces, places, strict=True)):
        x, y = left + across * size, _TOP + down * size
        shapes.append(_space(each, space(picture, each), x, y, size, f"place-{number}"))
    inner = size * (side - 1)
    if side > 1:
        x, y, room = left + size + 14, _TOP + size + 14, inner - 28
        wanted = _SIGN + max((pixels(seat_name(picture, seat), _STRONG) for seat in picture.seats), default=0)
        inside = _lying(ring.middle, picture.kinds, room, wanted)
        if inside:
            shapes.append(_inside(of_names(picture), inside, x, y, room))
        else:
            shapes.append(part("middle", "", list(_middle(picture, ring, x, y, room))))
    return shapes, _TOP + size * (side + 1) + 4


@lru_cache(maxsize=2048)
def _space(shown: Space, told: str, x: float, y: float, size: float, key: str) -> svg.Element:
    """A space with its name and the owners of its pieces; many pieces leave no room for the name.

    Few of them change between two moments.
    A single piece without an owner is on the background of the space, below its name.
    """
    ink = f"on-{shown.colour}" if shown.colour else "muted"
    name = [words(x + size / 2, y + 11, shown.name, "small", "middle", ink, width=size - 3)]
    alone = shown.pieces[0] if len(shown.pieces) == 1 and shown.pieces[0].owner is None else None
    below = [] if alone else signs(shown.pieces, x + 3, y + _NAMES + 2, size - 6, size - _NAMES - 5)
    shapes: list[svg.Element] = [
        box(x + 0.75, y + 0.75, size - 1.5, size - 1.5, shown.colour or "space", rx=3),
        *([] if shown.pieces and not below and not alone else name),
    ]
    if alone:
        room = size - _NAMES
        shapes.append(
            figure(
                alone.kind,
                x + size / 2,
                y + _NAMES + room / 2 - 1,
                room,
                f"on-{shown.colour}" if shown.colour else "ink",
            )
        )
    elif below:
        shapes += [box(x + 2.5, y + _NAMES + 1.5, size - 5, size - _NAMES - 4, "page", rx=2), *below]
    elif shown.pieces:
        many = words(x + size / 2, y + size / 2 + 4, f"×{len(shown.pieces)}", "small", "middle", width=size - 4)
        inside = signs(shown.pieces, x + 2.5, y + 2.5, size - 5, size - 5) or [many]
        shapes += [box(x + 2, y + 2, size - 4, size - 4, "page", rx=2), *inside]
    if shown.marked:
        shapes.append(box(x + 0.75, y + 0.75, size - 1.5, size - 1.5, "next", rx=3))
    return Kept(part(key, told, shapes, "place", picks=shown.picks))


def _middle(picture: Picture, ring: Ring, x: float, y: float, room: float) -> Iterator[svg.Element]:
    """The pieces on each space, one line per owner, as far as there is room."""
    yield words(x, y + 12, ring.name, "h2", "strong", width=room)
    told = list(_lying_there(picture, ring))
    most = max(1, int((room - 18) // _ROW))
    if len(told) > most:
        told = [*told[: most - 1], ("…", None, "")]
    for number, (name, owner, text) in enumerate(told, start=1):
        base = y + 18 + number * _ROW
        yield words(x, base, name, "small", "strong", width=_NAMED - 4)
        if owner is not None:
            yield seat_sign(owner, x + _NAMED + 6, base - 4, 11)
        yield words(x + _NAMED + 16, base, text, "small", width=room - _NAMED - 16)


class _Inside(NamedTuple):
    """The contents of a ring's center: pieces by owner, and where the column of each kind ends, in pixels from the
    left, after the column of owners.
    """

    name: str
    named: float
    owners: tuple[tuple[int | None, tuple[Piece, ...]], ...]
    columns: tuple[tuple[Kind, float], ...]


def _lying(middle: Space | None, known: tuple[Kind, ...], room: float, wanted: float) -> _Inside | None:
    """The contents, with kinds in the known order; None if there is nothing or no room for a table.

    `wanted`: pixels for the longest name of an owner, with its sign.
    """
    if middle is None:
        return None
    kinds = sorted(dict.fromkeys(piece.kind for piece in middle.pieces), key=lambda kind: [*known, kind].index(kind))
    widths = [pixels(kind.word, _SMALL) for kind in kinds]
    columns = max(1, len(kinds))
    named = min(max(_OWNER, wanted), room - sum(widths) - _GAP * columns)
    if named < _OWNER:
        return None
    gap = (room - named - sum(widths)) / columns
    ends = [named + end + gap * number for number, end in enumerate(accumulate(widths), start=1)]
    owners = tuple((owner, tuple(owned)) for owner, owned in groupby(middle.pieces, attrgetter("owner")))
    return _Inside(middle.name, named, owners, tuple(zip(kinds, ends, strict=True)))


@lru_cache(maxsize=256)
def _inside(picture: Picture, inside: _Inside, x: float, y: float, room: float) -> svg.Element:
    """The cached contents; they seldom change."""
    return Kept(*_inside_table(picture, inside, x, y, room))


def _inside_table(picture: Picture, inside: _Inside, x: float, y: float, room: float) -> Iterator[svg.Element]:
    """The contents as a table with a line per owner and a column per kind, as far as there is room."""
    yield words(x, y + 12, inside.name, "h2", "strong", width=room)
    if not inside.owners:
        yield words(x, y + 34, PICTURE[picture.language].empty, "muted", width=room)
    for kind, end in inside.columns:
        yield words(x + end, y + 34, kind.word, "small", "muted", "end")
    for number, (owner, owned) in enumerate(inside.owners[: max(1, int((room - 40) // _LINE))], start=1):
        base = y + 34 + number * _LINE
        line: list[svg.Element] = []
        if owner is not None:
            name = seat_name(picture, picture.seats[owner])
            room_for_it = inside.named - _SIGN
            line = [seat_sign(owner, x + 6, base - 4.5, 12), words(x + 18, base, name, "strong", width=room_for_it)]
        for kind, end in inside.columns:
            count = sum(piece.count for piece in owned if piece.kind == kind)
            line.append(words(x + end, base, str(count), *(() if count else ("muted",)), "figure", "end"))
        yield part(f"middle-{'nobody' if owner is None else owner}", "", line, seat=owner)


def _lying_there(picture: Picture, ring: Ring) -> Iterator[tuple[str, int | None, str]]:
    """By space and owner: the name of the space, only for its first line, and the pieces."""
    for each in (*ring.spaces, *([ring.middle] if ring.middle else [])):
        name = each.name
        for owner, owned in groupby(each.pieces, attrgetter("owner")):
            whose = "" if owner is None else f"{seat_name(picture, picture.seats[owner])}: "
            yield name, owner, whose + pieces(picture, tuple(owned), owner)
            name = ""
