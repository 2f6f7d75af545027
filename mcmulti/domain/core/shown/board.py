"""What a picture shows on the table: grids of spaces, a ring of them, a map of places and ways; pieces on them.

What can be named in a command says how it is picked: by a field and its value, as in ``shop=R1``, or by several that
belong together, with semicolons between them, as in ``street=2;side=left``. A value of parts has commas.
"""

from typing import Literal

from msgspec import Struct

Colour = Literal["red", "blue", "green", "yellow", "purple", "brown", "black", "beige"]
"""What pieces, spaces and dice may be coloured with. What belongs to a seat has the seat's colour."""
Direction = Literal["row", "column"]


class Kind(Struct, frozen=True):
    """What pieces and spaces are. `word` is what it is called, `sign` stands for it in letters, in one column.

    `glyph` names a drawing; where there is no such drawing, the sign is written.
    """

    word: str
    sign: str
    glyph: str = ""


class Mark(Struct, frozen=True):
    """Something that is true of a piece for now. `sign` stands for it in letters, in one column.

    It is drawn as so many `dots`; with none, the piece is only outlined, and the sign takes the place of the kind's.
    """

    word: str
    sign: str
    dots: int = 0


class Piece(Struct, frozen=True):
    """A piece, or `count` alike. `name` is what is written on it; `owner` is a seat, None for nobody.

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
        """Whether it stands on that space, with others if it takes several."""
        return self.row <= row < self.row + self.rows and self.column <= column < self.column + self.columns


class Line(Struct, frozen=True):
    """A row or a column of a grid, from 1, that stands out. `name`: why, such as the die that chose it."""

    direction: Direction
    number: int
    colour: Colour
    name: str


class Grid(Struct, frozen=True, kw_only=True):
    """Rows and columns of spaces, and where they lie on the table: `across` and `down` from 0, from the top left.

    `owner` is a seat, "nobody" if it could be one, None if it cannot. `at_turn`: it is played on here. A line that
    grids side by side have in common is drawn as one. `picks`: how a space is picked, with ``{row}`` and ``{column}``
    for where it is; empty if it never is.
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
    """A space of its own, with a short name. `marked`: why it stands out for now, empty if it does not.

    `picks`: in which ways it is picked.
    """

    name: str
    kind: Kind | None = None
    colour: Colour | None = None
    pieces: tuple[Piece, ...] = ()
    marked: str = ""
    picks: tuple[str, ...] = ()


class Ring(Struct, frozen=True):
    """Spaces that are gone around, clockwise; the first lies at the top left. `middle` is what they go around."""

    name: str
    spaces: tuple[Space, ...]
    middle: Space | None = None


class Place(Space, frozen=True, kw_only=True):
    """A space on a map, row and column from 1."""

    row: int
    column: int


class Way(Struct, frozen=True):
    """A way between two places, by their numbers from 0. `bends`: rows and columns where it turns, from the first."""

    first: int
    second: int
    bends: tuple[tuple[int, int], ...] = ()


class Map(Struct, frozen=True):
    """Places joined by ways, in so many rows and columns, and pieces that stand beside the ways."""

    name: str
    rows: int
    columns: int
    places: tuple[Place, ...]
    ways: tuple[Way, ...]
    pieces: tuple[Placed, ...] = ()
