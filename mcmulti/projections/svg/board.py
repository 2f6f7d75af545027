"""The board as an SVG picture: 800 pixels wide, for light and for dark, with a description in words."""

from collections.abc import Iterator
from functools import lru_cache
from xml.sax.saxutils import escape

import svg

from mcmulti.domain.core.shown.board import Map, Ring
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.pictures.fit import plain
from mcmulti.projections.pictures.words import described, heading
from mcmulti.projections.svg import cards as board_svg_cards
from mcmulti.projections.svg import panels as board_svg_panels
from mcmulti.projections.svg import tracks as board_svg_tracks
from mcmulti.projections.svg.grids import grids
from mcmulti.projections.svg.legend import legend
from mcmulti.projections.svg.map import map_of
from mcmulti.projections.svg.marks import box, die, moved, part, pieces_of, words
from mcmulti.projections.svg.ring import ring
from mcmulti.projections.svg.style import STYLE

WIDTH = 800
_MARGIN = 16
_HEADER = 64
_DIE = 36
_BOARD, _BOARD_LEFT = 448, 12
"""Pixels of the board, and of the margin to its left."""
_BESIDE = 304
"""Pixels of the column next to the board."""
_HALF = 376
"""Pixels of either side if there is no board."""


def drawn(picture: Picture) -> bytes:
    """The picture as an SVG document in UTF-8. Texts of any kind are safe in it, and stay within their space."""
    return "".join(piece for section in sections(picture) for piece in section).encode()


def sections(picture: Picture) -> list[tuple[str, ...]]:
    """The same document in pieces, by section. Most pieces are the same in the next picture of a game.

    Each piece is a text of the description, or one or more complete elements, or an opening or closing tag.
    """
    table, table_end = _board_with_column(picture)
    tracks, tracks_end = board_svg_tracks.tracks(picture, table_end + 16)
    explained, bottom = legend(picture, tracks_end + 10, WIDTH - 2 * _MARGIN)
    title, *sentences = map(_text, (heading(picture), *described(picture)))
    return [
        (_opening(picture.language, bottom), f'<title id="board-title">{title}</title>'),
        ('<desc id="board-desc">', *sentences[:1], *(f" {each}" for each in sentences[1:]), "</desc>"),
        (_STYLED,),
        tuple(pieces_of([box(0, 0, WIDTH, bottom, "page"), *_header(picture)])),
        *(tuple(pieces_of([each])) for each in table),
        tuple(pieces_of([moved(_MARGIN, 0, tracks, "tracks")])),
        tuple(pieces_of([moved(_MARGIN, 0, explained, "legend")])),
        ("</svg>\n",),
    ]


@lru_cache(maxsize=64)
def _opening(language: Language, height: int) -> str:
    document = svg.SVG(
        viewBox=svg.ViewBoxSpec(0, 0, WIDTH, height),
        width=WIDTH,
        height=height,
        class_=["board"],
        lang=language,
        extra={"role": "img", "aria-labelledby": "board-title board-desc"},
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{str(document).removesuffix("/>")}>'


_STYLED = str(svg.Style(text=STYLE))


@lru_cache(maxsize=1024)
def _text(sentence: str) -> str:
    return escape(plain(sentence))


def _header(picture: Picture) -> Iterator[svg.Element]:
    """The state of the game, and the dice."""
    left = WIDTH - _MARGIN - len(picture.dice) * (_DIE + 8) + 8
    room = left - 2 * _MARGIN
    lines = [
        words(_MARGIN, 32, picture.title, "h1", width=room),
        words(_MARGIN, 53, picture.result or picture.subtitle, "h2", "muted", width=room),
    ]
    yield part("heading", "", lines)
    for index, shown in enumerate(picture.dice):
        yield die(shown, left + index * (_DIE + 8), 16, _DIE, f"die-{index}")


def _board_with_column(picture: Picture) -> tuple[list[svg.Element], float]:
    """The board with the column next to it, or the seats with the column, and where they end."""
    if not picture.board:
        seats, seats_end = board_svg_panels.seats(picture, _HEADER + 8, _HALF)
        others, others_end = _others(picture, _HEADER + 8, _HALF)
        return [
            moved(_MARGIN, 0, seats, "seats"),
            moved(WIDTH - _MARGIN - _HALF, 0, others, "beside"),
        ], max(seats_end, others_end)
    board, height = _board(picture)
    seats, seats_end = board_svg_panels.seats(picture, _HEADER + 8, _BESIDE)
    others, others_end = _others(picture, seats_end + 10, _BESIDE)
    return [
        moved(_BOARD_LEFT, _HEADER, board, "table"),
        moved(WIDTH - _MARGIN - _BESIDE, 0, [*seats, *others], "beside"),
    ], max(_HEADER + height, others_end)


def table_of(picture: Picture) -> tuple[list[svg.Element], float, float]:
    """The board alone, with its width and height in pixels."""
    shapes, height = _board(picture)
    return shapes, _BOARD, height


def _board(picture: Picture) -> tuple[list[svg.Element], float]:
    match picture.board:
        case Ring() as shown:
            return ring(picture, shown, _BOARD)
        case Map() as shown:
            return map_of(picture, shown, _BOARD)
        case shown:
            return grids(picture, shown or (), _BOARD)


def _others(picture: Picture, top: float, width: float) -> tuple[list[svg.Element], float]:
    """Counters, cards, and piles, from the top down."""
    shapes: list[svg.Element] = []
    for number, counter in enumerate(picture.counters):
        more, top = board_svg_cards.counter(counter, top, width, f"counter-{number}")
        shapes, top = shapes + more, top + 14
    for number, card in enumerate(picture.cards):
        more, top = board_svg_cards.card(picture, card, top, width, f"card-{number}")
        shapes += more
    for number, pile in enumerate(picture.piles):
        more, top = board_svg_cards.pile(picture, pile, top, width, f"pile-{number}")
        shapes += more
    return shapes, top
