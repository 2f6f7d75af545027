"""The board as an SVG picture: 800 pixels wide, for light and for dark, told in words to those who cannot see it."""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import svg

from mcmulti.domain.core.picture import AssetKind, Picture
from mcmulti.projections import board_svg_fields, board_svg_panels, board_svg_tracks
from mcmulti.projections.board_fit import pixels, plain
from mcmulti.projections.board_svg_marks import box, die, hit_marks, tile, words
from mcmulti.projections.board_svg_style import STYLE
from mcmulti.projections.board_words import LABELS, described, heading

WIDTH = 800
_MARGIN = 16
_HEADER = 64
_DIE = 36
_KINDS: tuple[AssetKind, ...] = ("rig", "well", "station", "refinery")


def drawn(picture: Picture) -> bytes:
    """The picture as an SVG document in UTF-8. Texts of any kind are safe in it, and keep to their places."""
    beside, beside_end = _beside(picture)
    fields = board_svg_fields.fields(picture)
    top = max(_HEADER + board_svg_fields.HEIGHT, beside_end) + 16
    tracks, top = board_svg_tracks.tracks(picture, top)
    legend, bottom = _legend(picture, top + 10)
    body = [
        box(0, 0, WIDTH, bottom, "page"),
        *_header(picture),
        _moved(_MARGIN - 4, _HEADER, fields, "fields"),
        _moved(WIDTH - _MARGIN - board_svg_panels.WIDTH, 0, beside, "beside"),
        _moved(_MARGIN, 0, tracks, "tracks"),
        _moved(_MARGIN, 0, legend, "legend"),
    ]
    document = svg.SVG(
        viewBox=svg.ViewBoxSpec(0, 0, WIDTH, bottom),
        width=WIDTH,
        height=bottom,
        class_=["board"],
        lang=picture.language,
        extra={"role": "img", "aria-labelledby": "board-title board-desc"},
        elements=[
            svg.Title(id="board-title", text=escape(plain(heading(picture)))),
            svg.Desc(id="board-desc", text=escape(plain(" ".join(described(picture))))),
            svg.Style(text=STYLE),
            *body,
        ],
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'.encode()


def _moved(x: float, y: float, elements: Sequence[svg.Element], name: str) -> svg.G:
    return svg.G(transform=[svg.Translate(x, y)], class_=[name], elements=list(elements))


def _header(picture: Picture) -> Iterator[svg.Element]:
    """What goes on, and the dice."""
    labels = LABELS[picture.language]
    left = WIDTH - _MARGIN - len(picture.dice) * (_DIE + 8) + 8
    room = left - 2 * _MARGIN
    yield words(_MARGIN, 32, picture.title, "h1", width=room)
    yield words(_MARGIN, 53, picture.result or picture.subtitle, "h2", "muted", width=room)
    for index, shown in enumerate(picture.dice):
        yield die(shown.colour, shown.value, left + index * (_DIE + 8), 16, _DIE, labels.dies[shown.colour])


def _beside(picture: Picture) -> tuple[list[svg.Element], float]:
    """Seats, counters and cards, from the top down."""
    shapes, bottom = board_svg_panels.seats(picture, _HEADER + 8)
    for counter in picture.counters:
        more, bottom = board_svg_panels.counter(counter, bottom + 10)
        shapes += more
    more, bottom = board_svg_panels.cards(picture, bottom + 14)
    return [*shapes, *more], bottom


def _legend(picture: Picture, top: float) -> tuple[list[svg.Element], int]:
    """What the marks mean, in as many lines as that takes, and where it ends."""
    labels = LABELS[picture.language]
    entries: list[tuple[str, list[svg.Element]]] = [
        *((picture.kinds[kind], tile(kind, 0, 0, 20, None)) for kind in _KINDS),
        (labels.idle, tile("refinery", 0, 0, 20, None, idle=True)),
        *((labels.hits[hits], hit_marks(1, 1, 18, hits)) for hits in (1, 2)),
    ]
    shapes: list[svg.Element] = []
    x = 0.0
    for text, mark in entries:
        room = 26 + pixels(text, 11) + 8
        if x and x + room > WIDTH - 2 * _MARGIN:
            x, top = 0.0, top + 30
        shapes.append(_moved(x, top, [*mark, words(26, 14, text, "small")], "entry"))
        x = round(x + room, 1)
    return shapes, round(top) + 34
