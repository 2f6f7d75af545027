"""The board as an SVG picture: 800 pixels wide, for light and for dark, with a description in words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any
from xml.sax.saxutils import escape

import svg
from msgspec.structs import replace

from mcmulti.domain.core.shown.board import Grid, Map, Ring
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.pictures.fit import plain
from mcmulti.projections.pictures.words import DESCRIBED, heading
from mcmulti.projections.pictures.words import grid as grid_in_words
from mcmulti.projections.svg import cards as board_svg_cards
from mcmulti.projections.svg import panels as board_svg_panels
from mcmulti.projections.svg import tracks as board_svg_tracks
from mcmulti.projections.svg.grids import grids
from mcmulti.projections.svg.legend import Explanation, explanations, legend
from mcmulti.projections.svg.map import map_of
from mcmulti.projections.svg.marks import (
    END_OF_GROUP,
    Serialized,
    Shapes,
    alone,
    box,
    die,
    moved,
    of_names,
    opening_tag,
    part,
    pieces_of,
    words,
)
from mcmulti.projections.svg.ring import ring
from mcmulti.projections.svg.style import STYLE

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
        tracks, tracks_end = board_svg_tracks.tracks(picture, table_end + 16, self.once)
        language = picture.language
        entries = self.once(
            "explanations",
            (picture.kinds, picture.marks, picture.cards, picture.board, picture.tracks, language),
            lambda: explanations(picture),
        )
        explained, bottom = self.once("legend", (entries, tracks_end), lambda: _legend(entries, tracks_end + 10))
        told = (picture.title, picture.subtitle, picture.result)
        return [
            self.once("opening", (*told, language, bottom), lambda: _opening_tag(picture, bottom)),
            self._description(picture),
            _STYLED,
            self.once("header", (*told, picture.dice, bottom), lambda: tuple(pieces_of(_header(picture, bottom)))),
            *table,
            _TRACKS,
            *tracks,
            _END_OF_GROUP,
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

    def once(self, section: str, depends_on: tuple[Any, ...], draw: Callable[[], Shapes]) -> Shapes:
        """Draw a section, unless nothing that it depends on changed."""
        kept = self._kept.get(section)
        if kept is None or kept[0] != depends_on:
            kept = self._kept[section] = (depends_on, draw())
        shapes: Shapes = kept[1]
        return shapes

    def _names(self, picture: Picture) -> Picture:
        """The picture with only its language and the names of its seats."""
        return self.once("names", (picture.seats, picture.language), lambda: of_names(picture))

    def _description(self, picture: Picture) -> tuple[str, ...]:
        """The complete position in words."""
        names = self._names(picture)
        told = [
            self._grids_in_words(names, picture.board)
            if field == "board" and isinstance(picture.board, tuple)
            else self.once(
                f"words of {field}", (getattr(picture, field), picture.units, names), partial(_texts, said, picture)
            )
            for field, said in DESCRIBED.items()
        ]
        return self.once("words", tuple(told), lambda: _description_element(told))

    def _grids_in_words(self, names: Picture, grids: Sequence[Grid]) -> tuple[str, ...]:
        """The sentences about grids."""
        sentences = (
            self.once(f"words of grid {number}", (each, names), partial(_grid_in_words, names, each))
            for number, each in enumerate(grids)
        )
        return tuple(sentences)

    def _board_with_column(self, picture: Picture) -> tuple[list[tuple[str, ...]], float]:
        """The board with the column next to it, or the seats with the column, and where they end."""
        board = picture.board
        width = _BESIDE if board else _HALF
        seats, seats_end = board_svg_panels.seats(picture, _HEADER + 8, width, self.once)
        top = seats_end + 10 if board else _HEADER + 8
        others, others_end = self.once(
            "others",
            (picture.counters, picture.cards, picture.piles, self._names(picture), top),
            lambda: _others(picture, top, width),
        )
        if not board:
            return [_SEATS, *seats, _END_OF_GROUP, _BESIDE_SEATS, others, _END_OF_GROUP], max(seats_end, others_end)
        table, table_end = self._table(picture)
        return [*table, _BESIDE_BOARD, *seats, others, _END_OF_GROUP], max(table_end, others_end)

    def _table(self, picture: Picture) -> tuple[list[tuple[str, ...]], float]:
        """The board."""
        names = self._names(picture)
        board = picture.board
        if isinstance(board, Ring | Map):
            table, end = self.once("table", (board, picture.kinds, names), lambda: _table(picture, board))
            return [table], end
        sections, height = grids(names, board or (), _BOARD, self.once)
        return [_TABLE, *sections, _END_OF_GROUP], _HEADER + height


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


def _group(x: float, y: float, name: str) -> tuple[str]:
    """The opening tag of a group of several sections with this corner."""
    return (opening_tag(moved(x, y, (), name)),)


_TABLE, _SEATS = _group(_BOARD_LEFT, _HEADER, "table"), _group(_MARGIN, 0, "seats")
_BESIDE_BOARD, _BESIDE_SEATS = (_group(WIDTH - _MARGIN - width, 0, "beside") for width in (_BESIDE, _HALF))
_TRACKS = _group(_MARGIN, 0, "tracks")
_END_OF_GROUP = (END_OF_GROUP,)


def _opening_tag(picture: Picture, height: int) -> tuple[str, str]:
    """The opening tag of the document, and its title."""
    return _opening(picture.language, height), f'<title id="board-title">{_text(heading(picture))}</title>'


def _description_element(told: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The element of the description."""
    first, *others = [sentence for sentences in told for sentence in sentences] or [""]
    return ('<desc id="board-desc">', first, *[f" {each}" for each in others], "</desc>")


def _texts(said: Callable[[Picture], Iterable[str]], picture: Picture) -> tuple[str, ...]:
    return tuple(map(_text, said(picture)))


@lru_cache(maxsize=1024)
def _text(sentence: str) -> str:
    return escape(plain(sentence))


def _grid_in_words(picture: Picture, grid: Grid) -> str:
    return _text(grid_in_words(picture, grid))


def _header(picture: Picture, bottom: int) -> Iterator[svg.Element]:
    """The background, the state of the game, and the dice."""
    yield box(0, 0, WIDTH, bottom, "page")
    left = WIDTH - _MARGIN - len(picture.dice) * (_DIE + 8) + 8
    room = left - 2 * _MARGIN
    lines = [
        words(_MARGIN, 32, picture.title, "h1", width=room),
        words(_MARGIN, 53, picture.result or picture.subtitle, "h2", "muted", width=room),
    ]
    yield part("heading", "", lines)
    for index, shown in enumerate(picture.dice):
        yield die(shown, left + index * (_DIE + 8), 16, _DIE, f"die-{index}")


def _table(picture: Picture, board: Ring | Map) -> DrawnSection:
    """A board that is one section."""
    shapes, height = _board(picture, board)
    return _pieces(moved(_BOARD_LEFT, _HEADER, shapes, "table")), _HEADER + height


def _legend(entries: Sequence[Explanation], top: float) -> tuple[tuple[str, ...], int]:
    shapes, bottom = legend(entries, top, WIDTH - 2 * _MARGIN)
    return _pieces(moved(_MARGIN, 0, shapes, "legend")), bottom


def _pieces(element: svg.Element) -> tuple[str, ...]:
    return tuple(pieces_of([element]))


def table_of(picture: Picture) -> tuple[list[svg.Element], float, float]:
    """The board alone, with its width and height in pixels."""
    if isinstance(picture.board, Ring | Map):
        shapes, height = _board(picture, picture.board)
    else:
        sections, height = grids(of_names(picture), picture.board or (), _BOARD, Easel().once)
        shapes = [Serialized("".join(section)) for section in sections]
    return shapes, _BOARD, height


def _board(picture: Picture, board: Ring | Map) -> tuple[list[svg.Element], float]:
    return ring(picture, board, _BOARD) if isinstance(board, Ring) else map_of(picture, board, _BOARD)


def _others(picture: Picture, top: float, width: float) -> DrawnSection:
    """Counters, cards, and piles, from the top down: few of them change between two moments."""
    bare, names = alone(picture), of_names(picture)
    shapes: list[svg.Element] = []
    for number, counter in enumerate(picture.counters):
        more, top = board_svg_cards.counter(counter, top, width, f"counter-{number}")
        shapes, top = shapes + more, top + 14
    for number, card in enumerate(picture.cards):
        more, top = board_svg_cards.card(bare, card, top, width, f"card-{number}")
        shapes += more
    for number, pile in enumerate(picture.piles):
        more, top = board_svg_cards.pile(names, pile, top, width, f"pile-{number}")
        shapes += more
    return tuple(pieces_of(shapes)), top
