"""What lies beside a drawn board: seats, counters, cards."""

import svg

from mcmulti.domain.core.picture import Card, Counter, Picture, Seat
from mcmulti.projections import board_words
from mcmulti.projections.board_fit import pixels
from mcmulti.projections.board_svg_marks import box, group, seat_mark, tile, words
from mcmulti.projections.board_words import LABELS

WIDTH = 304
_ROW = 34
_CASH, _CRUDE, _GASOLINE = 190, 246, WIDTH


def seats(picture: Picture, top: float) -> tuple[list[svg.Element], float]:
    """The seats with what they own, and where they end."""
    goal = "" if picture.goal is None else f"{LABELS[picture.language].goal}: {picture.goal}"
    heads = (
        words(0, top + 10, goal, "small", "muted", width=120),
        words(_CASH, top + 10, LABELS[picture.language].cash, "small", "muted", "end", width=60),
        words(_CRUDE, top + 10, picture.goods["crude"], "small", "muted", "end", width=52),
        words(_GASOLINE, top + 10, picture.goods["gasoline"], "small", "muted", "end", width=56),
    )
    rows = [_seat(picture, seat, top + 16 + index * _ROW) for index, seat in enumerate(picture.seats)]
    return [*heads, *rows], top + 16 + len(rows) * _ROW


def _seat(picture: Picture, seat: Seat, top: float) -> svg.G:
    labels = LABELS[picture.language]
    rank = "" if seat.rank is None else f"{seat.rank}. "
    notes = [*([labels.moves] if seat.waited_for else []), *([labels.declared] if seat.declared else [])]
    shapes: list[svg.Element] = [
        box(0, top, WIDTH, _ROW - 4, "panel", rx=5),
        seat_mark(seat.seat, 14, top + 15),
        words(
            28,
            top + (13 if notes else 19),
            rank + board_words.seat_name(picture, seat),
            "muted" if seat.name is None else "strong",
            width=_CASH - 36 - max(36, pixels(str(seat.cash), 15)),
        ),
        words(_CASH, top + 19, str(seat.cash), "h2", "strong", "figure", "end"),
        words(_CRUDE, top + 19, str(seat.crude), "figure", "end"),
        words(_GASOLINE - 8, top + 19, str(seat.gasoline), "figure", "end"),
    ]
    if notes:
        shapes.append(words(28, top + 25, " · ".join(notes), "small", "muted", width=126))
    if seat.waited_for:
        shapes.append(box(0, top, WIDTH, _ROW - 4, "next", rx=5))
    return group(board_words.seat(picture, seat), shapes, "seat")


def counter(shown: Counter, top: float) -> tuple[list[svg.Element], float]:
    """A counter as a row of boxes, the marker on one of them, and where it ends."""
    step = WIDTH / (shown.highest + 1)
    boxes: list[svg.Element] = []
    for value in range(shown.highest + 1):
        reached = value == min(shown.value, shown.highest)
        boxes.append(box(value * step + 1, top + 16, step - 2, 22, "ink" if reached else "free", rx=4))
        at = round((value + 0.5) * step, 2)
        boxes.append(
            words(at, top + 31, str(value), "middle", "figure", *(["strong", "page"] if reached else ["muted"]))
        )
    name = words(0, top + 10, shown.name, "small", "muted", width=WIDTH)
    return [group(board_words.counter(shown), [name, *boxes], "counter")], top + 38


def cards(picture: Picture, top: float) -> tuple[list[svg.Element], float]:
    """The cards, those with prices as tables, and where they end."""
    shapes: list[svg.Element] = []
    for card in picture.cards:
        draw = _price_card if card.prices else _card
        drawn, top = draw(picture, card, top)
        shapes.append(drawn)
    return shapes, top


def _price_card(picture: Picture, card: Card, top: float) -> tuple[svg.G, float]:
    labels = LABELS[picture.language]
    shapes: list[svg.Element] = [
        box(0, top, WIDTH, 102, "panel", rx=6),
        words(12, top + 16, card.place, "small", "muted", width=150),
        words(12, top + 34, card.name or labels.empty, "h2", "strong", width=170),
        words(WIDTH - 12, top + 34, card.note, "end", width=105),
        words(12, top + 76, labels.buy, "small", "muted", width=60),
        words(12, top + 93, labels.sell, "small", "muted", width=60),
    ]
    step = (WIDTH - 80) / len(card.prices)
    for index, price in enumerate(card.prices):
        middle = round(76 + (index + 0.5) * step, 2)
        shapes += [
            group(picture.kinds[price.kind], tile(price.kind, middle - 10, top + 40, 20, None)),
            words(middle, top + 76, _millions(price.buy), "figure", "middle"),
            words(middle, top + 93, _millions(price.sell), "figure", "middle"),
        ]
    return group(board_words.card(picture, card), shapes, "card"), top + 110


def _millions(price: int | None) -> str:
    return "—" if price is None else str(price)


def _card(picture: Picture, card: Card, top: float) -> tuple[svg.G, float]:
    shapes: list[svg.Element] = [
        box(0, top, WIDTH, 36, "panel", rx=6),
        words(12, top + 14, card.place, "small", "muted", width=WIDTH - 24),
        words(12, top + 29, card.name or "—", *(["strong"] if card.in_force else []), width=WIDTH - 24),
    ]
    if card.in_force:
        shapes.append(box(0, top, WIDTH, 36, "next", rx=6))
    return group(board_words.card(picture, card), shapes, "card"), top + 42
