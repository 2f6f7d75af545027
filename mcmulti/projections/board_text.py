"""The board for a terminal: the same picture in letters, in colour where there is colour, and clear without."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from mcmulti.domain.core.picture import Card, Counter, Picture, Seat, Track
from mcmulti.projections.board_fit import in_cells
from mcmulti.projections.board_text_fields import HITS, IDLE, MARKS, WIDTH, fields, seat_mark
from mcmulti.projections.board_words import LABELS, heading, prices, seat_name

LEAST = 80
"""Columns there must be."""
_GAP = 2
_NAME = 20
"""Columns for the name of a track."""
_OWNED = (8, 7, 9)
"""Columns for cash, crude and gasoline."""
_PRICES = 12
"""Columns beside the prices of a card."""
_MANY = 40
"""More prices than that take more than one line."""


def drawn(picture: Picture, width: int = LEAST) -> Text:
    """The picture in lines of at most `width` columns; what is longer is cut short with an ellipsis.

    Raises `ValueError` for less than 80 columns.
    """
    if width < LEAST:
        raise ValueError(f"a board needs {LEAST} columns, not {width}")
    left, right = fields(picture), list(_beside(picture, width - WIDTH - _GAP))
    lines = [Text(in_cells(heading(picture), width), "bold"), Text(_dice(picture))]
    for index in range(max(len(left), len(right))):
        line = left[index] if index < len(left) else Text()
        line.pad_right(WIDTH + _GAP - line.cell_len)
        lines.append(line + right[index] if index < len(right) else line)
    if picture.tracks:
        lines += [Text(), *(line for track in picture.tracks for line in _track(picture, track))]
    lines += [Text(), *_legend(picture, width)]
    for line in lines:
        line.rstrip()
    return Text("\n", no_wrap=True).join(lines)


def _dice(picture: Picture) -> str:
    labels = LABELS[picture.language]
    return ", ".join(f"{labels.dies[die.colour]} {die.value}" for die in picture.dice)


def _beside(picture: Picture, width: int) -> Iterator[Text]:
    """Seats, counters and cards."""
    labels = LABELS[picture.language]
    columns = _columns(picture)
    room = width - 2 - sum(columns)
    goal = "" if picture.goal is None else f"{labels.goal} {picture.goal}"
    heads = (labels.cash, picture.goods["crude"], picture.goods["gasoline"])
    titles = "".join(f"{in_cells(head, wide - 1):>{wide}}" for head, wide in zip(heads, columns, strict=True))
    yield Text(f"{in_cells(goal, room + 1):<{room + 2}}{titles}", "dim")
    for seat in picture.seats:
        yield from _seat(picture, seat, columns, room)
    yield Text()
    for counter in picture.counters:
        yield from _counter(counter, width)
    for card in picture.cards:
        yield from _card(picture, card, width)


def _columns(picture: Picture) -> tuple[int, int, int]:
    """How wide cash, crude and gasoline are: more than usual if a figure needs it, which names make room for."""
    owned = [(seat.cash, seat.crude, seat.gasoline) for seat in picture.seats]
    widest = (max(len(str(amount)) for amount in amounts) for amounts in zip(*owned, strict=True))
    cash, crude, gasoline = (max(least, 1 + digits) for least, digits in zip(_OWNED, widest, strict=True))
    return cash, crude, gasoline


def _seat(picture: Picture, seat: Seat, columns: tuple[int, int, int], room: int) -> Iterator[Text]:
    labels = LABELS[picture.language]
    mark, colour = seat_mark(seat.seat)
    rank = "" if seat.rank is None else f"{seat.rank}. "
    name = in_cells(rank + seat_name(picture, seat), room - 1)
    line = Text.assemble(("▸" if seat.waited_for else " ", "bold"), (mark, colour), " ", (name, f"bold {colour}"))
    line.pad_right(room + 2 - line.cell_len)
    cash, crude, gasoline = columns
    yield line.append(f"{seat.cash:>{cash}}", "bold").append(f"{seat.crude:>{crude}}{seat.gasoline:>{gasoline}}")
    if seat.declared:
        yield Text(f"   {in_cells(labels.declared, room + 10)}", "dim")


def _counter(counter: Counter, width: int) -> Iterator[Text]:
    scale = Text()
    for value in range(counter.highest + 1):
        reached = value == min(counter.value, counter.highest)
        scale.append(f"[{value}]" if reached else f" {value} ", "bold" if reached else "dim")
    yield Text(in_cells(counter.name, width), "dim")
    yield scale


def _card(picture: Picture, card: Card, width: int) -> Iterator[Text]:
    labels = LABELS[picture.language]
    place, name = in_cells(f"{card.place}:", width), in_cells(card.name or "-", width - 2)
    style = "bold" if card.in_force or card.prices else ""
    if cell_len(place) + 1 + cell_len(name) <= width:
        yield Text.assemble((place, "dim"), " ", (name, style))
    else:
        yield Text(place, "dim")
        yield Text(f"  {name}", style)
    if card.prices:
        heads = "".join(f"{MARKS[price.kind]:>6}" for price in card.prices)
        yield Text(f"{in_cells(card.note, _PRICES):<{_PRICES}}{heads}", "dim")
        yield _costs(labels.buy, [price.buy for price in card.prices])
        yield _costs(labels.sell, [price.sell for price in card.prices])


def _costs(label: str, costs: list[int | None]) -> Text:
    figures = "".join(f"{'-' if cost is None else cost:>6}" for cost in costs)
    return Text(f"{in_cells(label, _PRICES):<{_PRICES}}{figures}")


def _track(picture: Picture, track: Track) -> Iterator[Text]:
    """A sign for each price: filled where a barrel lies, and a stroke at marked prices that are free."""
    chunks = [track.prices[first : first + _MANY] for first in range(0, len(track.prices), _MANY)]
    occupied = set(track.occupied)
    for index, chunk in enumerate(chunks):
        line = Text(in_cells(track.name, _NAME - 1) if index == 0 else "")
        line.pad_right(_NAME - line.cell_len)
        line.append(f"{chunk[0]:>3} ", "dim")
        for price in chunk:
            if price in occupied:
                line.append("█", "yellow")
            else:
                line.append(*(("¦", "red") if price in track.marked else ("·", "dim")))
        line.append(f" {chunk[-1]}".ljust(5), "dim")
        if index == 0:
            dealt = LABELS[picture.language].closed if track.closed else " · ".join(prices(picture, track))
            line.append(in_cells(dealt, LEAST - line.cell_len), "bold")
        yield line


def _legend(picture: Picture, width: int) -> Iterator[Text]:
    """What the marks mean."""
    labels = LABELS[picture.language]
    marks = ((IDLE, labels.idle), *((HITS[hits], labels.hits[hits]) for hits in (1, 2)), ("▸", labels.moves))
    for entries in ([(mark, picture.kinds[kind]) for kind, mark in MARKS.items()], marks):
        yield Text(in_cells(" · ".join(f"{mark} {text}" for mark, text in entries), width), "dim")
