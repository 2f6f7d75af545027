"""Pictures of a game at one moment: what is drawn, not how. All texts are in one language.

On the table are grids of spaces, or a ring of them, or a map of places and ways, or nothing; pieces stand on them. Next
to them: seats with their property, dice, tracks, counters, cards, and piles.
"""

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct

from mcmulti.domain.core.shown.board import Colour, Grid, Kind, Map, Mark, Piece, Placed, Ring
from mcmulti.domain.core.table import Table
from mcmulti.domain.core.wording.telling import LANGUAGES, Language, Words, grouped, seat_name, word

Said = Callable[[str], str]
"""The word for a name, in the language of the picture."""


class Die(Struct, frozen=True):
    """A die and the number it shows."""

    name: str
    colour: Colour
    value: int


class Track(Struct, frozen=True):
    """A track of rising values, `pieces` of which are occupied by markers with that name.

    `marked`: values that stand out, and `meaning` what they are called. `buy` and `sell`: what the next piece costs and
    earns; None if it cannot be bought or sold. A closed track is not traded on. `picks`: in which ways it is picked.
    """

    name: str
    colour: Colour
    values: tuple[int, ...]
    pieces: str
    occupied: tuple[int, ...] = ()
    marked: tuple[int, ...] = ()
    meaning: str = ""
    buy: int | None = None
    sell: int | None = None
    closed: bool = False
    picks: tuple[str, ...] = ()


class Counter(Struct, frozen=True):
    """A marker that counts from 0 up to `highest`."""

    name: str
    value: int
    highest: int


class Row(Struct, frozen=True):
    """A row of numbers on a card; None for an empty cell."""

    name: str
    figures: tuple[int | None, ...]


class Card(Struct, frozen=True):
    """A card in its place. `name`: None for an empty place. `note`: what else the card says.

    `rows` have a number for each of `heads`, if there are any. `in_force`: it happened and its effect lasts.
    """

    place: str
    name: str | None
    heads: tuple[Kind, ...] = ()
    rows: tuple[Row, ...] = ()
    note: str = ""
    in_force: bool = False


class Pile(Struct, frozen=True):
    """Pieces in order: a heap from the top, a queue from its head. `note`: further information.

    `ends`: the names of the first and last place, if that matters.
    """

    name: str
    pieces: tuple[Piece, ...]
    note: str = ""
    ends: tuple[str, str] | None = None


class Unit(Struct, frozen=True):
    """A unit that seats own: its name, and how to write an amount of it, such as ``{} florins``."""

    name: str
    said: str

    def amount(self, amount: str) -> str:
        """An amount of it, in digits."""
        return self.said.format(amount)


class Seat(Struct, frozen=True):
    """A seat: `name` is None if nobody sits there. `amounts` are by unit, in the order of `Picture.units`.

    `waited_for`: the game waits for this seat. `notes`: further information. `rank`: from 1, at the end.
    """

    seat: int
    name: str | None
    amounts: tuple[int, ...]
    waited_for: bool = False
    notes: tuple[str, ...] = ()
    rank: int | None = None


class Picture(Struct, frozen=True, kw_only=True):
    """All that everybody may see. `title`: the turn; `subtitle`: what happens in it, and whose turn it is.

    `units`: the first is what the game is about. `goal`: the target amount of it, if there is one. `kinds` and `marks`
    are explained in the legend. `result`: how the game ended, empty before.
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

    def number(self, number: int) -> str:
        """A number in digits, with the separators of the picture's language."""
        return grouped(number, self.language)

    @property
    def standing(self) -> tuple[Placed, ...]:
        """The pieces that have spaces of their own, on grids or beside the ways of a map."""
        match self.board:
            case Ring() | None:
                return ()
            case Map() as board:
                return board.pieces
            case grids:
                return tuple([piece for grid in grids for piece in grid.pieces])

    @property
    def lying(self) -> tuple[Piece, ...]:
        """The pieces that share the spaces of a ring or the places of a map, without those inside a ring."""
        match self.board:
            case Ring(spaces=spaces) | Map(places=spaces):
                return tuple([piece for space in spaces for piece in space.pieces])
            case _:
                return ()


def speakers(words: Words) -> Mapping[Language, Said]:
    """The words of a game in each language. Always the same objects, so that what follows from them can be cached."""
    return {language: partial(word, words, language) for language in LANGUAGES}


def called(state: Table, said: Said, seat: int) -> str:
    """The displayed name of a seat's player."""
    return seat_name(said, seat, state.names[seat])


def seated(state: Table, said: Said) -> tuple[str | None, ...]:
    """The displayed names by seat; None for an empty seat."""
    return tuple(None if player is None else called(state, said, seat) for seat, player in enumerate(state.player_ids))


def result(state: Table, said: Said, winners: tuple[int, ...]) -> str:
    """Who won; empty before the end."""
    return f"{said('winner')}: {', '.join(called(state, said, seat) for seat in winners)}" if winners else ""
