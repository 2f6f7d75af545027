"""A game at a moment as something to look at: what is drawn, not how. All texts are in one language.

On the table lie grids of spaces, or a ring of them, or a map of places and ways, or nothing; pieces stand on them.
Beside them: seats with what they own, dice, tracks, counters, cards and piles.
"""

from typing import Literal

from msgspec import Struct

from mcmulti.domain.core.telling import Language

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

    `holds`: what is in it, such as guests in a house.
    """

    kind: Kind
    owner: int | None = None
    colour: Colour | None = None
    name: str = ""
    count: int = 1
    marks: tuple[Mark, ...] = ()
    holds: tuple["Piece", ...] = ()


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
    grids side by side have in common is drawn as one.
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


class Space(Struct, frozen=True):
    """A space of its own, with a short name. `marked`: why it stands out for now, empty if it does not."""

    name: str
    kind: Kind | None = None
    colour: Colour | None = None
    pieces: tuple[Piece, ...] = ()
    marked: str = ""


class Ring(Struct, frozen=True):
    """Spaces that are gone around, clockwise; the first lies at the top left."""

    name: str
    spaces: tuple[Space, ...]


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


class Die(Struct, frozen=True):
    """A die and the number it shows, 1 to 6."""

    name: str
    colour: Colour
    value: int


class Track(Struct, frozen=True):
    """Rising values, and those that something lies on: so many `pieces`, as they are called.

    `marked`: values that stand out. `buy` and `sell`: what the next piece costs and brings; None if it cannot be had or
    sold. A closed track is not dealt on.
    """

    name: str
    colour: Colour
    values: tuple[int, ...]
    pieces: str
    occupied: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    buy: int | None = None
    sell: int | None = None
    closed: bool = False


class Counter(Struct, frozen=True):
    """A marker that counts from 0 up to `highest`."""

    name: str
    value: int
    highest: int


class Row(Struct, frozen=True):
    """A row of figures on a card; None where there is none."""

    name: str
    figures: tuple[int | None, ...]


class Card(Struct, frozen=True):
    """A card on its place. `name` is None for an empty place; `note` is what else the card says.

    `rows` have a figure for each of `heads`, if there are any. `in_force`: it happened and its effect lasts.
    """

    place: str
    name: str | None
    heads: tuple[Kind, ...] = ()
    rows: tuple[Row, ...] = ()
    note: str = ""
    in_force: bool = False


class Pile(Struct, frozen=True):
    """Pieces in their order: a heap from the top, a queue from its head. `note` is what else is to be known."""

    name: str
    pieces: tuple[Piece, ...]
    note: str = ""


class Unit(Struct, frozen=True):
    """Something seats own amounts of: what it is called, and how an amount of it is said, as in ``{} florins``."""

    name: str
    said: str

    def amount(self, amount: int) -> str:
        """So much of it."""
        return self.said.format(amount)


class Seat(Struct, frozen=True):
    """A seat: `name` is None if nobody sits there. `amounts` are by unit, in the order of `Picture.units`.

    `waited_for`: the game waits for this seat. `notes`: what else is to be known of it. `rank` from 1, at the end.
    """

    seat: int
    name: str | None
    amounts: tuple[int, ...]
    waited_for: bool = False
    notes: tuple[str, ...] = ()
    rank: int | None = None


class Picture(Struct, frozen=True, kw_only=True):
    """All that everybody may see. `title`: the turn; `subtitle`: what goes on in it, and whose turn it is.

    `units`: the first is what the game is about. `goal`: how much of it is to be reached, if there is such a sum.
    `kinds` and `marks` are explained below. `result`: how the game ended, empty before.
    """

    language: Language
    title: str
    subtitle: str = ""
    units: tuple[Unit, ...]
    seats: tuple[Seat, ...]
    board: tuple[Grid, ...] | Ring | Map | None = None
    kinds: tuple[Kind, ...] = ()
    marks: tuple[Mark, ...] = ()
    dice: tuple[Die, ...] = ()
    tracks: tuple[Track, ...] = ()
    counters: tuple[Counter, ...] = ()
    cards: tuple[Card, ...] = ()
    piles: tuple[Pile, ...] = ()
    goal: int | None = None
    result: str = ""
