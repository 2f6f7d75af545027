"""The four fields of a drawn board, with the lines that run from one into the next."""

from collections.abc import Iterator

import svg

from mcmulti.domain.core.picture import SIDE, Asset, Field, HitLine, Picture
from mcmulti.projections.board_fit import pixels
from mcmulti.projections.board_svg_marks import box, group, hit_marks, owned_by, seat_mark, tile, words
from mcmulti.projections.board_words import LABELS, asset, owner

SITE = 33
FIELD = SIDE * SITE
GAP = 16
NUMBERS = 18
"""Pixels beside the fields in which rows and columns are numbered."""
PLATE = 26
"""Pixels above and below in which fields are named."""
WIDTH = 2 * NUMBERS + 2 * FIELD + GAP
HEIGHT = 2 * PLATE + WIDTH


def fields(picture: Picture) -> list[svg.Element]:
    """All of the board, from its top left corner, `WIDTH` by `HEIGHT` pixels."""
    return [
        *(shape for field in picture.fields for shape in _ground(picture, field)),
        *(_band(picture, line, lying) for line, lying in _joined(picture)),
        *(shape for field in picture.fields for shape in _standing(picture, field)),
    ]


def _corner(field: Field) -> tuple[int, int]:
    return NUMBERS + field.across * (FIELD + GAP), PLATE + NUMBERS + field.down * (FIELD + GAP)


def _ground(picture: Picture, field: Field) -> Iterator[svg.Element]:
    """Plate, sites and numbers."""
    x, y = _corner(field)
    plate = PLATE / 2 if field.down == 0 else HEIGHT - PLATE / 2
    yield seat_mark(field.owner, x + 8, plate)
    yield words(
        x + 22,
        plate + 4.5,
        owner(picture, field),
        "strong",
        owned_by(field.owner),
        width=FIELD - 34 - pixels(field.name, 11),
    )
    yield words(x + FIELD, plate + 4, field.name, "small", "muted", "end")
    for row in range(SIDE):
        for column in range(SIDE):
            yield box(x + column * SITE + 1.5, y + row * SITE + 1.5, SITE - 3, SITE - 3, "site", rx=3)
    rows = {line.number: line for line in field.lines if line.direction == "row"}
    columns = {line.number: line for line in field.lines if line.direction == "column"}
    for number in range(1, SIDE + 1):
        at = (number - 0.5) * SITE
        yield from _number(number, x - 9 if field.across == 0 else x + FIELD + 9, y + at, rows.get(number))
        yield from _number(number, x + at, y - 9 if field.down == 0 else y + FIELD + 9, columns.get(number))


def _number(number: int, x: float, y: float, line: HitLine | None) -> Iterator[svg.Element]:
    if line is not None:
        yield svg.Circle(cx=x, cy=y, r=8.5, class_=[line.die])
    yield words(x, y + 4, str(number), "small", "middle", "strong on-die" if line else "muted")


def _joined(picture: Picture) -> Iterator[tuple[HitLine, tuple[Field, ...]]]:
    """Each line once, rows first, with the fields it runs through: neighbours share the lines of the field at turn."""
    through: dict[tuple[HitLine, int], list[Field]] = {}
    for field in picture.fields:
        for line in field.lines:
            through.setdefault((line, field.down if line.direction == "row" else field.across), []).append(field)
    for (line, _), lying in sorted(through.items(), key=lambda item: item[0][0].direction, reverse=True):
        yield line, tuple(lying)


def _band(picture: Picture, line: HitLine, lying: tuple[Field, ...]) -> svg.G:
    """A line through one field or two."""
    corners = [_corner(field) for field in lying]
    x, y = min(corners)
    length = FIELD if len(lying) == 1 else 2 * FIELD + GAP
    offset = (line.number - 1) * SITE
    if line.direction == "row":
        shape = box(x, y + offset, length, SITE, line.die, "band")
    else:
        shape = box(x + offset, y, SITE, length, line.die, "band")
    labels = LABELS[picture.language]
    names = ", ".join(field.name for field in lying)
    return group(f"{labels.lines[line.direction]} {line.number} ({labels.dies[line.die]}): {names}", [shape], "line")


def _standing(picture: Picture, field: Field) -> Iterator[svg.Element]:
    """The frame, and the assets."""
    x, y = _corner(field)
    frame = ["frame", *(["turn"] if field.at_turn else [])]
    yield box(x - 1, y - 1, FIELD + 2, FIELD + 2, *frame, rx=4)
    for each in field.assets:
        yield _asset(picture, field, each, x, y)


def _asset(picture: Picture, field: Field, shown: Asset, x: int, y: int) -> svg.G:
    left, top = x + (shown.column - 1) * SITE + 3, y + (shown.row - 1) * SITE + 3
    side = shown.side * SITE - 6
    return group(
        asset(picture, shown),
        [
            *tile(shown.kind, left, top, side, field.owner, idle=shown.idle),
            *hit_marks(left, top, side, shown.hits),
        ],
        "standing",
        shown.kind,
    )
