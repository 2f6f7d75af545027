"""Rings and maps on a terminal: three columns per space; their pieces are listed below."""

from collections.abc import Iterator
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text

from mcmulti.domain.core.shown.board import Map, Ring, Space, Way
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import in_cells, lines_in_cells, plain
from mcmulti.projections.pictures.ring import around
from mcmulti.projections.pictures.words import inside, space, spaces
from mcmulti.projections.terminal.pieces import COLOURS, SPACE, signs, standing

_WAYS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
"""By the sum of the directions of ways: 1 up, 2 down, 4 left, 8 right."""


def ring(ring: Ring) -> list[Text]:
    """A ring, line by line."""
    side, places = around(len(ring.spaces))
    lying = {(round(down), round(across)): each for each, (across, down) in zip(ring.spaces, places, strict=True)}
    lines = [Text(plain(ring.name), "dim")]
    for row in range(side + 1):
        line = Text()
        for column in range(side + 1):
            shown = lying.get((row, column))
            line.append_text(_space(shown) if shown else Text(" " * SPACE))
        lines.append(line)
    return lines


def _space(shown: Space) -> Text:
    """A space: its pieces, or else its kind or its name."""
    if shown.pieces:
        text = signs(shown.pieces)
    else:
        style = COLOURS[shown.colour] if shown.colour else "dim"
        text = Text(f"{in_cells(shown.name, SPACE):^{SPACE}}", style)
    if shown.marked:
        text.stylize("reverse")
    return text


def map_of(board: Map) -> list[Text]:
    """A map, line by line."""
    ways = _ways(board)
    places = {(place.row, place.column): place for place in board.places}
    lines = [Text(plain(board.name), "dim")]
    for row in range(1, board.rows + 1):
        line = Text()
        for column in range(1, board.columns + 1):
            led = ways.get((row, column), 0)
            filled = [piece for piece in board.pieces if piece.covers(row, column)]
            if place := places.get((row, column)):
                line.append_text(_place(place, led))
            elif filled:
                line.append_text(standing(filled[0], row, column, (" ", "")))
            else:
                sides = ("─" if led & 4 else " ", _WAYS[led], "─" if led & 8 else " ")
                line.append("".join(sides), "dim")
        lines.append(line)
    return lines


def _place(shown: Space, led: int) -> Text:
    """A place: its name, with a plus if it has pieces, between the ways that lead there."""
    name = in_cells(shown.name, SPACE - bool(shown.pieces)) + ("+" if shown.pieces else "")
    left, right = ("─" if led & 4 else " ", "dim"), ("─" if led & 8 else " ", "dim")
    written = (name, "bold reverse" if shown.marked else "bold")
    room = SPACE - cell_len(name)
    return Text.assemble(*([left] if room else []), written, *([right] if room > 1 else []))


def _ways(board: Map) -> dict[tuple[int, int], int]:
    """By row and column: the sum of the directions of ways."""
    led: dict[tuple[int, int], int] = {}
    for way in board.ways:
        for before, after in pairwise(_steps(board, way)):
            vertical = 1 if after[0] < before[0] else 2 if after[0] > before[0] else 0
            level = 4 if after[1] < before[1] else 8 if after[1] > before[1] else 0
            led[before] = led.get(before, 0) | vertical | level
            led[after] = led.get(after, 0) | {0: 0, 1: 2, 2: 1}[vertical] | {0: 0, 4: 8, 8: 4}[level]
    return led


def _steps(board: Map, way: Way) -> Iterator[tuple[int, int]]:
    """All the rows and columns that a way passes, as straight as possible from bend to bend."""
    first, second = board.places[way.first], board.places[way.second]
    points = [(first.row, first.column), *way.bends, (second.row, second.column)]
    here = points[0]
    yield here
    for end in points[1:]:
        while here != end:
            # Vertically or horizontally, whichever is farther, but never both: ways are drawn from side to side of a
            # space.
            (row, column), (to_row, to_column) = here, end
            if abs(to_row - row) > abs(to_column - column):
                here = (row + (1 if to_row > row else -1), column)
            else:
                here = (row, column + (1 if to_column > column else -1))
            yield here


def space_lines(picture: Picture, width: int) -> Iterator[Text]:
    """The kinds of a ring's spaces, and the pieces on them or on the places of a map."""
    board = picture.board
    if not isinstance(board, Ring | Map):
        return
    sentences = [spaces(picture, board)] if isinstance(board, Ring) else []
    lying = board.spaces if isinstance(board, Ring) else board.places
    within = inside(picture, board) if isinstance(board, Ring) else ()
    for sentence in (*sentences, *(space(picture, each) for each in lying if each.pieces), *within):
        first, *more = lines_in_cells(sentence, width - 2)
        yield Text(first)
        yield from (Text(f"  {line}") for line in more)
