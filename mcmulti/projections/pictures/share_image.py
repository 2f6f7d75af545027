"""A picture of a game for link previews: the board, the players, the state; 600 by 315 pixels, as a PNG."""

from collections.abc import Iterator

import svg

from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.painting import painted
from mcmulti.projections.pictures.words import seat_name
from mcmulti.projections.svg.board import table_of
from mcmulti.projections.svg.marks import box, moved, seat_sign, words
from mcmulti.projections.svg.style import LIGHT_STYLE

WIDTH, HEIGHT = 600, 315
"""Pixels of the PNG: what large previews need. Painting and compressing them takes most of the time."""
_WIDE, _HIGH = 1200, 630
"""Units across and down, in which everything below is measured."""
_EDGE = 48
_BESIDE = 500
"""Units for the text next to the board."""
_LARGE = 1.9
"""How much larger letters are than those of a board."""
_ROW = 30
_MOST = 6
"""The most seats that are named; one more line says how many others there are."""


def drawn(picture: Picture) -> bytes:
    """The picture as a PNG."""
    return painted(document(picture))


def document(picture: Picture) -> str:
    """The picture as an SVG document for `painted`. Texts of any kind are safe.

    It has only light colors: link previews show all readers the same picture, even on dark pages.
    """
    return str(
        svg.SVG(
            viewBox=svg.ViewBoxSpec(0, 0, _WIDE, _HIGH),
            width=WIDTH,
            height=HEIGHT,
            class_=["board"],
            elements=[
                svg.Style(text=LIGHT_STYLE),
                box(0, 0, _WIDE, _HIGH, "page"),
                moved(_EDGE, _EDGE, list(_summary(picture)), scale=_LARGE),
                *_scaled_board(picture),
            ],
        )
    )


def _summary(picture: Picture) -> Iterator[svg.Element]:
    """The state of the game, and everybody's holdings, in pixels of a board."""
    room = _BESIDE / _LARGE
    yield words(0, 18, picture.title, "h1", width=room)
    yield words(0, 38, picture.result or picture.subtitle, "h2", "muted", width=room)
    top = 62
    if picture.units:
        yield words(room, top, picture.units[0].name, "small", "muted", "end", width=room / 2)
    for number, seat in enumerate(picture.seats):
        if number == _MOST and len(picture.seats) > _MOST + 1:
            yield words(0, top + _ROW * number + 26, f"+ {len(picture.seats) - number}", "muted")
            return
        y = top + 8 + _ROW * number
        amount = picture.number(seat.amounts[0]) if seat.amounts else ""
        yield box(0, y, room, _ROW - 5, "panel", rx=4)
        yield seat_sign(seat.seat, 14, y + 12.5)
        look = "muted" if seat.name is None else "strong"
        yield words(28, y + 17, seat_name(picture, seat, ranked=True), look, width=room - 36 - 14 * 0.7 * len(amount))
        yield words(room - 8, y + 17.5, amount, "h2", "strong", "figure", "end")
        if seat.waited_for:
            yield box(0, y, room, _ROW - 5, "next", rx=4)
    yield words(0, (_HIGH - 2 * _EDGE) / _LARGE, "mcmulti", "strong", "muted")


def _scaled_board(picture: Picture) -> Iterator[svg.Element]:
    """The board, as large as possible; nothing if a game has none."""
    if not picture.board:
        return
    shapes, width, height = table_of(picture)
    room = _WIDE - _BESIDE - 3 * _EDGE
    scale = min(room / width, (_HIGH - 2 * _EDGE) / height)
    left, top = _WIDE - _EDGE - (room + width * scale) / 2, (_HIGH - height * scale) / 2
    yield moved(left, top, shapes, scale=scale)
