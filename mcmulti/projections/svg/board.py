"""The board as an SVG picture: 800 pixels wide, for light and for dark, with a description in words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, TypeVar
from xml.sax.saxutils import escape

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.board import Map, Ring
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.pictures.fit import plain
from mcmulti.projections.pictures.words import DESCRIBED, heading
from mcmulti.projections.svg import cards as board_svg_cards
from mcmulti.projections.svg import panels as board_svg_panels
from mcmulti.projections.svg import tracks as board_svg_tracks
from mcmulti.projections.svg.grids import grids
from mcmulti.projections.svg.legend import legend
from mcmulti.projections.svg.map import map_of
from mcmulti.projections.svg.marks import box, die, moved, of_names, part, pieces_of, words
from mcmulti.projections.svg.ring import ring
from mcmulti.projections.svg.style import STYLE

Shapes = TypeVar("Shapes")
DrawnSection = tuple[tuple[str, ...], float]
"""Pieces, and where they end."""

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
_FIELDS = Picture.__struct_fields__


def drawn(picture: Picture) -> bytes:
    """The picture as an SVG document in UTF-8. Texts of any kind are safe in it, and stay within their space."""
    return "".join(piece for section in Easel().sections(picture) for piece in section).encode()


class Easel:
    """Draws pictures one after the other. What a picture has in common with the previous one is not drawn again."""

    def __init__(self) -> None:
        self._before: Picture | None = None
        self._kept: dict[str, tuple[tuple[Any, ...], Any]] = {}

    def sections(self, picture: Picture) -> list[tuple[str, ...]]:
        """The SVG document in pieces, by section. Most pieces are the same in the next picture of a game.

        Each piece is a text of the description, or one or more complete elements, or an opening or closing tag.
        A section without a change is the same object.
        """
        picture = self._with_kept_fields(picture)
        table, table_end = self._board_with_column(picture)
        tracks, tracks_end = self._once(
            "tracks", (picture.tracks, picture.language, table_end), lambda: _tracks(picture, table_end + 16)
        )
        explained, bottom = self._once(
            "legend",
            (picture.kinds, picture.marks, picture.cards, picture.board, picture.tracks, picture.language, tracks_end),
            lambda: _legend(picture, tracks_end + 10),
        )
        return [
            (_opening(picture.language, bottom), f'<title id="board-title">{_text(heading(picture))}</title>'),
            self._description(picture),
            _STYLED,
            tuple(pieces_of([box(0, 0, WIDTH, bottom, "page"), *_header(picture)])),
            *table,
            tracks,
            explained,
            _END,
        ]

    def _with_kept_fields(self, picture: Picture) -> Picture:
        """The same picture. Fields equal to those of the previous one are the same objects, which compare fast."""
        before, self._before = self._before, picture
        if before is not None:
            both = [(name, getattr(before, name)) for name in _FIELDS]
            self._before = replace(picture, **{name: old for name, old in both if old == getattr(picture, name)})
        return self._before

    def _once(self, section: str, depends_on: tuple[Any, ...], draw: Callable[[], Shapes]) -> Shapes:
        """Draw a section, unless nothing that it depends on changed."""
        kept = self._kept.get(section)
        if kept is None or kept[0] != depends_on:
            kept = self._kept[section] = (depends_on, draw())
        shapes: Shapes = kept[1]
        return shapes

    def _names(self, picture: Picture) -> Picture:
        """The picture with only its language and the names of its seats."""
        return self._once("names", (picture.seats, picture.language), lambda: of_names(picture))

    def _description(self, picture: Picture) -> tuple[str, ...]:
        """The complete position in words."""
        names = self._names(picture)
        told = [
            self._once(
                f"words of {field}", (getattr(picture, field), picture.units, names), partial(_texts, said, picture)
            )
            for field, said in DESCRIBED.items()
        ]
        return self._once("words", tuple(told), lambda: _joined(told))

    def _board_with_column(self, picture: Picture) -> tuple[list[tuple[str, ...]], float]:
        """The board with the column next to it, or the seats with the column, and where they end."""
        owned = (picture.seats, picture.units, picture.goal, picture.language)
        beside, beside_end = self._once(
            "beside",
            (picture.counters, picture.cards, picture.piles, bool(picture.board), *owned),
            lambda: _column(picture),
        )
        if not picture.board:
            left, left_end = self._once("seats", owned, lambda: _seats(picture))
        else:
            depends_on = (picture.board, picture.kinds, self._names(picture))
            left, left_end = self._once("table", depends_on, lambda: _table(picture))
        return [left, beside], max(left_end, beside_end)


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


_STYLED = (str(svg.Style(text=STYLE)),)
_END = ("</svg>\n",)


def _joined(told: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The element of the description."""
    first, *others = [sentence for sentences in told for sentence in sentences] or [""]
    return ('<desc id="board-desc">', first, *[f" {each}" for each in others], "</desc>")


def _texts(said: Callable[[Picture], Iterable[str]], picture: Picture) -> tuple[str, ...]:
    return tuple(map(_text, said(picture)))


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


def _table(picture: Picture) -> DrawnSection:
    """The board."""
    shapes, height = _board(picture)
    return _pieces(moved(_BOARD_LEFT, _HEADER, shapes, "table")), _HEADER + height


def _seats(picture: Picture) -> DrawnSection:
    """The seats in the place of a board."""
    shapes, end = board_svg_panels.seats(picture, _HEADER + 8, _HALF)
    return _pieces(moved(_MARGIN, 0, shapes, "seats")), end


def _column(picture: Picture) -> DrawnSection:
    """The column next to the board, with the seats, or next to the seats."""
    width = _BESIDE if picture.board else _HALF
    seats, top = board_svg_panels.seats(picture, _HEADER + 8, width) if picture.board else ([], _HEADER - 2)
    others, end = _others(picture, top + 10, width)
    return _pieces(moved(WIDTH - _MARGIN - width, 0, [*seats, *others], "beside")), end


def _tracks(picture: Picture, top: float) -> DrawnSection:
    shapes, end = board_svg_tracks.tracks(picture, top)
    return _pieces(moved(_MARGIN, 0, shapes, "tracks")), end


def _legend(picture: Picture, top: float) -> tuple[tuple[str, ...], int]:
    shapes, bottom = legend(picture, top, WIDTH - 2 * _MARGIN)
    return _pieces(moved(_MARGIN, 0, shapes, "legend")), bottom


def _pieces(element: svg.Element) -> tuple[str, ...]:
    return tuple(pieces_of([element]))


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
