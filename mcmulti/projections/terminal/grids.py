"""Grids on a terminal: three columns per space, and lines that run through several grids."""

from itertools import groupby

from rich.text import Text

from mcmulti.domain.core.shown.board import Direction, Grid
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.pictures.fit import in_cells
from mcmulti.projections.pictures.seats import seat_mark
from mcmulti.projections.pictures.words import owner
from mcmulti.projections.terminal.pieces import SPACE, standing

_GAP = 2


def grids(picture: Picture, grids: tuple[Grid, ...], names: bool = True) -> list[Text]:
    """All grids, line by line. If `names` is false, grids with an owner are not named, and there are fewer lines."""
    placed = sorted(grids, key=lambda grid: (grid.down, grid.across))
    rows = [list(row) for _, row in groupby(placed, lambda grid: grid.down)]
    lines: list[Text] = []
    for number, row in enumerate(rows):
        owned = any(grid.owner is not None for grid in row)
        named = [_beside(row, [_grid_name(grid) for grid in row])] if names or not owned else []
        if owned:
            named.append(_beside(row, [_plate(picture, grid) for grid in row]))
        numbers = _beside(row, [_numbers(grid) for grid in row])
        if not names and number:
            lines += [*named, *_grid_rows(row)]
        elif 0 < number == len(rows) - 1:
            lines += [_between(rows[number - 1], row), *_grid_rows(row), numbers, *reversed(named)]
        else:
            lines += [*([Text()] if number else []), *named, numbers, *_grid_rows(row)]
    return lines


def _margin(row: list[Grid]) -> int:
    """Columns for the numbers of rows."""
    return 1 + len(str(max(grid.rows for grid in row)))


def _beside(row: list[Grid], texts: list[Text]) -> Text:
    """The texts of adjacent grids, after a margin for the numbers of rows."""
    line = Text(" " * _margin(row))
    for index, (grid, text) in enumerate(zip(row, texts, strict=True)):
        text.pad_right(SPACE * grid.columns - text.cell_len)
        line.append(" " * _GAP if index else "").append_text(text)
    return line


def _grid_name(grid: Grid) -> Text:
    return Text(f"{'':{SPACE}}{in_cells(grid.name, SPACE * (grid.columns - 1))}", "dim")


def _plate(picture: Picture, grid: Grid) -> Text:
    """The owner of a grid; the one to move is marked."""
    mark, colour = seat_mark(grid.owner if isinstance(grid.owner, int) else None)
    name = in_cells(owner(picture, grid), SPACE * (grid.columns - 1))
    return Text.assemble(("▸", "bold") if grid.at_turn else " ", (mark, colour), " ", (name, f"bold {colour}"))


def _numbers(grid: Grid) -> Text:
    return Text("".join(f"{number:>{SPACE - 1}} " for number in range(1, grid.columns + 1)), "dim")


def _grid_rows(grids: list[Grid]) -> list[Text]:
    lines = []
    for row in range(1, 1 + max(grid.rows for grid in grids)):
        line = Text.assemble((f"{row:<{_margin(grids)}}", "dim"))
        for index, grid in enumerate(grids):
            if index:
                joined = _hit(grids[index - 1], "row") == row == _hit(grid, "row")
                line.append("─" * _GAP if joined else " " * _GAP, "red")
            for column in range(1, grid.columns + 1):
                line.append_text(_space(grid, row, column) if row <= grid.rows else Text(" " * SPACE))
        lines.append(line)
    return lines


def _between(top: list[Grid], bottom: list[Grid]) -> Text:
    """The gap between grids, with columns that run through it."""
    line = Text(" " * _margin(top))
    for index, (above, below) in enumerate(zip(top, bottom, strict=False)):
        line.append(" " * _GAP if index else "")
        for column in range(1, below.columns + 1):
            joined = _hit(above, "column") == column == _hit(below, "column")
            line.append(" │ " if joined else " " * SPACE, "bold")
    return line


def _hit(grid: Grid, direction: Direction) -> int:
    """The row or column that stands out, 0 for none."""
    return next((line.number for line in grid.lines if line.direction == direction), 0)


def _space(grid: Grid, row: int, column: int) -> Text:
    """A space: its piece, between characters that fill the line."""
    on_row, on_column = row == _hit(grid, "row"), column == _hit(grid, "column")
    filler = ("─", "red") if on_row else (" ", "")
    for piece in grid.pieces:
        if piece.covers(row, column):
            return standing(piece, row, column, filler)
    crossing = {(False, False): ("·", "dim"), (True, False): ("─", "red"), (False, True): ("│", "bold")}
    return Text.assemble(filler, crossing.get((on_row, on_column), ("┼", "bold")), filler)
