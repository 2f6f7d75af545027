"""The four fields on a terminal: three columns a site, lines that run from one field into the next."""

from rich.text import Text

from mcmulti.domain.core.picture import SIDE, Asset, AssetKind, Field, Picture
from mcmulti.projections.board_fit import in_cells
from mcmulti.projections.board_words import owner
from mcmulti.projections.seats import COLOURS

MARKS: dict[AssetKind, str] = {"rig": "R", "well": "W", "station": "S", "refinery": "#"}
IDLE = "="
HITS = ("", "+", "*")
SEATS = ("●", "■", "▲", "◆")
NOBODY = "-"
WIDTH = 2 + 3 * SIDE + 2 + 3 * SIDE
"""Columns: numbers of rows, a field, a gap, a field."""
_GAP = 2


def fields(picture: Picture) -> list[Text]:
    """All of the board, as lines of at most `WIDTH` columns."""
    placed = sorted(picture.fields, key=lambda field: field.across)
    top, bottom = ([field for field in placed if field.down == down] for down in (0, 1))
    numbers = _beside([Text("".join(f" {number} " for number in range(1, SIDE + 1)), "dim") for _ in top])
    return [
        _beside([_name(field) for field in top]),
        _beside([_plate(picture, field) for field in top]),
        numbers,
        *_rows(top),
        _between(top, bottom),
        *_rows(bottom),
        numbers,
        _beside([_plate(picture, field) for field in bottom]),
        _beside([_name(field) for field in bottom]),
    ]


def seat_mark(seat: int | None) -> tuple[str, str]:
    """The sign of a seat, and its colour."""
    return (NOBODY, "dim") if seat is None else (SEATS[seat], COLOURS[seat])


def _beside(texts: list[Text]) -> Text:
    """Two fields' texts beside each other, behind room for the numbers of rows."""
    line = Text("  ")
    for index, text in enumerate(texts):
        text.pad_right(3 * SIDE - text.cell_len)
        line.append(" " * _GAP if index else "").append_text(text)
    return line


def _name(field: Field) -> Text:
    return Text(f"   {in_cells(field.name, 3 * SIDE - 3)}", "dim")


def _plate(picture: Picture, field: Field) -> Text:
    """Whose field it is; the one at turn is marked."""
    mark, colour = seat_mark(field.owner)
    name = in_cells(owner(picture, field), 3 * SIDE - 3)
    arrow = ("▸", "bold") if field.at_turn else " "
    return Text.assemble(arrow, (mark, colour), " ", (name, f"bold {colour}"))


def _rows(fields: list[Field]) -> list[Text]:
    lines = []
    for row in range(1, SIDE + 1):
        line = Text.assemble((f"{row} ", "dim"))
        for index, field in enumerate(fields):
            if index:
                joined = all(_hit_row(each) == row for each in fields)
                line.append("─" * _GAP if joined else " " * _GAP, "red")
            for column in range(1, SIDE + 1):
                line.append_text(_site(field, row, column))
        lines.append(line)
    return lines


def _between(top: list[Field], bottom: list[Field]) -> Text:
    """The gap that columns run through."""
    line = Text("  ")
    for index, (above, below) in enumerate(zip(top, bottom, strict=True)):
        line.append(" " * _GAP if index else "")
        for column in range(1, SIDE + 1):
            joined = _hit_column(above) == column == _hit_column(below)
            line.append(" │ " if joined else "   ", "bold")
    return line


def _hit_row(field: Field) -> int:
    return next((line.number for line in field.lines if line.direction == "row"), 0)


def _hit_column(field: Field) -> int:
    return next((line.number for line in field.lines if line.direction == "column"), 0)


def _site(field: Field, row: int, column: int) -> Text:
    """A site: what stands there between what fills up the line."""
    on_row, on_column = row == _hit_row(field), column == _hit_column(field)
    filler = ("─", "red") if on_row else (" ", "")
    for asset in field.assets:
        if asset.row <= row < asset.row + asset.side and asset.column <= column < asset.column + asset.side:
            return _standing(field, asset, row, column, filler)
    crossing = {(False, False): ("·", "dim"), (True, False): ("─", "red"), (False, True): ("│", "bold")}
    return Text.assemble(filler, crossing.get((on_row, on_column), ("┼", "bold")), filler)


def _standing(field: Field, asset: Asset, row: int, column: int, filler: tuple[str, str]) -> Text:
    """One site of an asset; a refinery fills its block, and what was hit is marked at its top right."""
    _, colour = seat_mark(field.owner)
    style = f"bold {colour}"
    mark = IDLE if asset.idle else MARKS[asset.kind]
    hits = HITS[asset.hits] if row == asset.row and column == asset.column + asset.side - 1 else ""
    right = (hits, "bold reverse") if hits else filler
    if asset.side == 1:
        return Text.assemble(filler, (mark, style), right)
    if column == asset.column:
        return Text.assemble(filler, (mark * 2, style))
    return Text.assemble((mark * 2, style), right)
