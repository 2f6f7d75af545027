"""Counters, cards, and piles next to a drawn board."""

from functools import lru_cache

import svg

from mcmulti.domain.core.shown.picture import Card, Counter, Picture, Pile
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures import words as board_words
from mcmulti.projections.pictures.fit import lines_in_pixels, pixels
from mcmulti.projections.svg.marks import Kept, box, moved, part, title, words
from mcmulti.projections.svg.pieces import chip_rows, explained

_LEAST_BOX = 24
"""Pixels of a value on a counter; if there are too many values, it is drawn as a bar."""
_LEFT = 76
"""Where the numbers of a card begin."""
_FIGURE = 60
"""Pixels for a number on a card without heads."""
_LINE = 17
_EDGE = 12


@lru_cache(maxsize=256)
def counter(shown: Counter, top: float, width: float, key: str) -> tuple[list[svg.Element], float]:
    """A counter as a row of boxes with a marker, or as a bar; and where it ends."""
    draw = _boxes if width / (shown.highest + 1) >= _LEAST_BOX else _bar
    name = words(0, top + 10, shown.name, "small", "muted", width=width)
    return [Kept(part(key, board_words.counter(shown), [name, *draw(shown, top + 16, width)], "counter"))], top + 38


def _boxes(shown: Counter, top: float, width: float) -> list[svg.Element]:
    step = width / (shown.highest + 1)
    boxes: list[svg.Element] = []
    for value in range(shown.highest + 1):
        reached = value == min(shown.value, shown.highest)
        look = ["strong", "page"] if reached else ["muted"]
        boxes.append(box(value * step + 1, top, step - 2, 22, "ink" if reached else "free", rx=4))
        boxes.append(words((value + 0.5) * step, top + 15, str(value), "middle", "figure", *look))
    return boxes


def _bar(shown: Counter, top: float, width: float) -> list[svg.Element]:
    told = f"{shown.value}/{shown.highest}"
    room = width - pixels(told, 13) - 8
    full = room * min(shown.value, shown.highest) / shown.highest
    return [
        box(0, top + 4, room, 14, "free", rx=4),
        box(0, top + 4, full, 14, "ink", rx=4),
        words(width, top + 15, told, "strong", "figure", "end"),
    ]


@lru_cache(maxsize=512)
def card(picture: Picture, shown: Card, top: float, width: float, key: str) -> tuple[list[svg.Element], float]:
    """A card, with its numbers as a table, and where it ends. `picture`: only its language."""
    draw = _card_table if shown.rows else _plain_card
    shapes, height = draw(picture, shown, width)
    if shown.in_force:
        shapes.append(box(0, 0, width, height, "next", rx=6))
    panel = box(0, 0, width, height, "panel", rx=6)
    framed = part(key, board_words.card(picture, shown), [panel, *shapes], "card")
    return [Kept(moved(0, top, [framed]))], top + height + (8 if shown.rows else 6)


def _plain_card(picture: Picture, shown: Card, width: float) -> tuple[list[svg.Element], float]:
    room = width - 2 * _EDGE
    note = min(pixels(shown.note, 12), room / 2)
    look = ["strong"] if shown.in_force else []
    lines = lines_in_pixels(shown.name or "—", room - note - (8 if note else 0), 13 if shown.in_force else 12, 3)
    return [
        words(_EDGE, 14, shown.place, "small", "muted", width=room),
        *(words(_EDGE, 29 + number * 15, line, *look) for number, line in enumerate(lines)),
        *([words(width - _EDGE, 29, shown.note, "end", width=note)] if note else []),
    ], 21 + 15 * len(lines)


def _card_table(picture: Picture, shown: Card, width: float) -> tuple[list[svg.Element], float]:
    room, figures = width - 2 * _EDGE, max(len(row.figures) for row in shown.rows)
    note = min(pixels(shown.note, 12), room / 2)
    name = shown.name or PICTURE[picture.language].empty
    shapes: list[svg.Element] = [
        words(_EDGE, 16, shown.place, "small", "muted", width=room),
        words(_EDGE, 34, name, "h2", "strong", width=room - note - 8),
        words(width - _EDGE, 34, shown.note, "end", width=note),
    ]
    # Without heads the row names distinguish the numbers, and get the space.
    left = _LEFT if shown.heads else max(_LEFT, width - _EDGE - figures * _FIGURE)
    step = (width - left - 4) / figures
    for number, head in enumerate(shown.heads):
        shapes.append(moved(left + (number + 0.5) * step - 10, 40, [title(head.word), *explained(head)]))
    base = 76 if shown.heads else 54
    for row in shown.rows:
        shapes.append(words(_EDGE, base, row.name, "small", "muted", width=left - _EDGE - 4))
        for number, figure in enumerate(row.figures):
            told = "—" if figure is None else picture.number(figure)
            shapes.append(words(left + (number + 0.5) * step, base, told, "figure", "middle", width=step))
        base += _LINE
    return shapes, base - _LINE + 9


@lru_cache(maxsize=512)
def pile(picture: Picture, shown: Pile, top: float, width: float, key: str) -> tuple[list[svg.Element], float]:
    """A pile in order, and where it ends. `picture`: only its language and the names of its seats."""
    room = width - 2 * _EDGE
    note = min(pixels(shown.note, 12), room / 2)
    chips, height = chip_rows(shown.pieces, room, shown.ends)
    empty = words(_EDGE, 33, PICTURE[picture.language].empty, "muted")
    shapes: list[svg.Element] = [
        box(0, 0, width, 22 + height + 8, "panel", rx=6),
        words(_EDGE, 15, shown.name, "small", "muted", width=room - note - 8),
        words(width - _EDGE, 15, shown.note, "small", "end", width=note + 1),
        moved(_EDGE, 22, chips) if shown.pieces else empty,
    ]
    return [Kept(moved(0, top, [part(key, board_words.pile(picture, shown), shapes, "pile")]))], top + 22 + height + 14
