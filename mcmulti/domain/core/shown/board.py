"""What a picture shows on the table: grids of spaces, a ring of them, a map of places and ways; pieces on them.

If something can be named in a command, it says how it is picked: by a field and its value, such as ``shop=R1``, or by
several fields together, separated by semicolons, such as ``street=2;side=left``. The parts of a value are separated by
commas.
"""

from typing import Literal

from msgspec import Struct

Colour = Literal["red", "blue", "green", "yellow", "purple", "brown", "black", "beige"]
"""Colors of pieces, spaces, and dice. What belongs to a seat has the seat's color."""
Direction = Literal["row", "column"]


class Kind(Struct, frozen=True):
    """A kind of piece or space. `word`: its name. `sign`: a character that stands for it, one column wide.

    `glyph` names a drawing. If there is no such drawing, the sign is written.
    """

    word: str
    sign: str
    glyph: str = ""


class Mark(Struct, frozen=True):
    """A temporary property of a piece. `sign`: a character that stands for it, one column wide.

    It is drawn as `dots` dots. With none, the piece is only outlined, and the sign replaces that of the kind.
    """

    word: str
    sign: str
    dots: int = 0


class Piece(Struct, frozen=True):
    """A piece, or `count` identical ones. `name`: what is written on it. `owner`: a seat, None for nobody.

    `holds`: what is in it, such as guests in a house. `picks`: in which ways it is picked.
    """

    kind: Kind
    owner: int | None = None
    colour: Colour | None = None
    name: str = ""
    count: int = 1
    marks: tuple[Mark, ...] = ()
    holds: tuple["Piece", ...] = ()
    picks: tuple[str, ...] = ()


class Placed(Piece, frozen=True, kw_only=True):
    """A piece on a grid or a map: its top left space, row and column from 1, and how many spaces it takes."""

    row: int
    column: int
    rows: int = 1
    columns: int = 1

    def covers(self, row: int, column: int) -> bool:
        """Whether it covers that space."""
        return self.row <= row < self.row + self.rows and self.column <= column < self.column + self.columns


class Line(Struct, frozen=True):
    """A row or a column of a grid, from 1, that stands out. `name`: why, such as the die that chose it."""

    direction: Direction
    number: int
    colour: Colour
    name: str


class Grid(Struct, frozen=True, kw_only=True):
    """Rows and columns of spaces. `across` and `down`: its position on the table, from 0, from the top left.

    `owner`: a seat, "nobody" if it could be one, None if it cannot. `at_turn`: whether the current turn is here. If
    grids are side by side, their common line is drawn once. `picks`: how a space is picked, with ``{row}`` and
    ``{column}`` for its position; empty if it never is.
    """

    name: str
    rows: int
    columns: int
    across: int = 0
    down: int = 0
    owner: int | Literal["nobody"] | None = None
    at_turn: bool = False
    pieces: tuple[Placed, ...] = ()
    lines: tuple[Line, ...] = ()
    picks: str = ""


class Space(Struct, frozen=True):
    """A space of its own, with a short name. `marked`: why it stands out now, empty if it does not."""

    name: str
    kind: Kind | None = None
    colour: Colour | None = None
    pieces: tuple[Piece, ...] = ()
    marked: str = ""
    picks: tuple[str, ...] = ()


class Ring(Struct, frozen=True):
    """Spaces in a ring, clockwise from the top left. `middle` is in its center."""

    name: str
    spaces: tuple[Space, ...]
    middle: Space | None = None


class Place(Space, frozen=True, kw_only=True):
    """A space on a map, row and column from 1."""

    row: int
    column: int


class Way(Struct, frozen=True):
    """A way between two places, by their indices from 0. `bends`: rows and columns where it turns, from the first."""

    first: int
    second: int
    bends: tuple[tuple[int, int], ...] = ()


class Map(Struct, frozen=True):
    """Places joined by ways, in a number of rows and columns, and pieces beside the ways."""

    name: str
    rows: int
    columns: int
    places: tuple[Place, ...]
    ways: tuple[Way, ...]
    pieces: tuple[Placed, ...] = ()
