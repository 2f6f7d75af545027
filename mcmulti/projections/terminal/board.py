"""The board for a terminal: the same picture in letters, readable with and without color."""

from collections.abc import Iterator

from rich.text import Text

from mcmulti.domain.core.shown.picture import Picture, Track
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures.fit import in_cells
from mcmulti.projections.pictures.words import dice, heading, prices
from mcmulti.projections.terminal import panels as board_text_panels
from mcmulti.projections.terminal import spaces as board_text_spaces
from mcmulti.projections.terminal.compact import compact
from mcmulti.projections.terminal.parts import BESIDE, board, legend, side_by_side
from mcmulti.projections.terminal.pieces import COLOURS

LEAST = 80
"""The fewest columns."""
_GAP = 2
_NAME = 20
"""Columns for the name of a track."""
_WHOLE = 28
"""Lines of which a whole board has more, in every game."""
_MANY = 40
"""With more values, a track takes more than one line."""


def drawn(picture: Picture, width: int = LEAST) -> Text:
    """The picture in lines of at most `width` columns; longer texts are truncated with an ellipsis.

    Raises `ValueError` for fewer than 80 columns.
    """
    if width < LEAST:
        raise ValueError(f"a board needs {LEAST} columns, not {width}")
    lines = [Text(in_cells(heading(picture), width), "bold"), Text(in_cells(dice(picture), width))]
    lines += _board_with_panels(picture, width)
    lines += _set_off(board_text_spaces.space_lines(picture, width))
    lines += _set_off(line for track in picture.tracks for line in _track(picture, track))
    lines += _set_off(Text(in_cells(entries, width), "dim") for entries in legend(picture))
    for line in lines:
        line.truncate(width)
        line.rstrip()
    return Text("\n", no_wrap=True).join(lines)


def fitted(picture: Picture, width: int, height: int) -> Text:
    """The picture for a terminal of at least 80 columns: in fewer lines if it does not fit in `height`."""
    whole = drawn(picture, width) if height >= _WHOLE else None
    return whole if whole is not None and whole.plain.count("\n") < height else compact(picture, width, height)


def _set_off(lines: Iterator[Text]) -> list[Text]:
    """Lines preceded by an empty one, if there are any."""
    return [Text(), *found] if (found := list(lines)) else []


def _board_with_panels(picture: Picture, width: int) -> list[Text]:
    """The board with the other parts next to it, or below it if there is no room."""
    shown = board(picture)
    taken = max((line.cell_len for line in shown), default=0)
    taken += _GAP if taken else 0
    if width - taken < BESIDE:
        return [*shown, Text(), *_beside(picture, width)]
    return list(side_by_side(shown, list(_beside(picture, width - taken)), taken))


def _beside(picture: Picture, width: int) -> Iterator[Text]:
    """Seats, counters, cards, and piles."""
    yield from board_text_panels.seats(picture, width)
    yield Text()
    for counter in picture.counters:
        yield from board_text_panels.counter(counter, width)
    for card in picture.cards:
        yield from board_text_panels.card(picture, card, width)
    for pile in picture.piles:
        yield from board_text_panels.pile(picture, pile, width)


def _track(picture: Picture, track: Track) -> Iterator[Text]:
    """A sign for each value: filled if it is occupied, and a stroke at marked values that are free."""
    chunks = [track.values[first : first + _MANY] for first in range(0, len(track.values), _MANY)]
    occupied, digits = set(track.occupied), max(3, len(str(track.values[-1])))
    for index, chunk in enumerate(chunks):
        line = Text(in_cells(track.name, _NAME - 1) if index == 0 else "")
        line.pad_right(_NAME - line.cell_len)
        line.append(f"{chunk[0]:>{digits}} ", "dim")
        for value in chunk:
            if value in occupied:
                line.append("█", COLOURS[track.colour])
            else:
                line.append(*(("¦", "red") if value in track.marked else ("·", "dim")))
        line.append(f" {chunk[-1]}".ljust(digits + 2), "dim")
        if index == 0:
            dealt = PICTURE[picture.language].closed if track.closed else " · ".join(prices(picture, track))
            line.append(in_cells(dealt, LEAST - line.cell_len), "bold")
        yield line
