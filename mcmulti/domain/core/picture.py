"""A game at a moment as something to look at: what is drawn, not how. All texts are in one language.

Boards of four fields of six by six sites, two dice that hit a row and a column, goods on tracks of prices, cards.
"""

from typing import Literal

from msgspec import Struct

from mcmulti.domain.core.telling import Language

SIDE = 6
"""Rows of a field, and columns."""

AssetKind = Literal["rig", "well", "station", "refinery"]
"""What can stand on the board: a refinery takes two by two sites, everything else one."""
Colour = Literal["red", "black", "green"]
Good = Literal["crude", "gasoline"]
Direction = Literal["row", "column"]


class Asset(Struct, frozen=True):
    """An asset at its top-left site, row and column from 1. `hits`: how often the dice of this turn hit it, 0 to 2.

    An idle one stands there, but may not be operated.
    """

    kind: AssetKind
    row: int
    column: int
    hits: int = 0
    idle: bool = False

    @property
    def side(self) -> int:
        """How many sites it takes across, and down."""
        return 2 if self.kind == "refinery" else 1


class HitLine(Struct, frozen=True):
    """A row or a column, from 1, that is operated because a die of that colour fell so."""

    direction: Direction
    number: int
    die: Colour


class Field(Struct, frozen=True):
    """A quadrant or site, and where it lies on the table: `across` and `down` are 0 or 1, from the top left.

    `owner` is a seat, None for nobody. `at_turn`: the dice fall here.
    """

    name: str
    across: int
    down: int
    owner: int | None = None
    at_turn: bool = False
    assets: tuple[Asset, ...] = ()
    lines: tuple[HitLine, ...] = ()


class Die(Struct, frozen=True):
    """A die and the number it shows, 1 to 6."""

    colour: Colour
    value: int


class Track(Struct, frozen=True):
    """Prices in millions of dollars, rising, and the barrels on them: `barrels` on end from the price `cheapest`.

    `marked`: prices that stand out. `buy` and `sell`: what the next barrel costs and brings; None if none is to be had.
    A closed track is not dealt on.
    """

    name: str
    good: Good
    prices: tuple[int, ...]
    cheapest: int | None
    barrels: int
    marked: tuple[int, ...] = ()
    buy: int | None = None
    sell: int | None = None
    closed: bool = False

    @property
    def occupied(self) -> tuple[int, ...]:
        """The prices that a barrel lies on."""
        if self.cheapest is None:
            return ()
        first = self.prices.index(self.cheapest)
        return self.prices[first : first + self.barrels]


class Counter(Struct, frozen=True):
    """A marker that counts from 0 up to `highest`."""

    name: str
    value: int
    highest: int


class AssetPrice(Struct, frozen=True):
    """What the bank asks and pays for an asset, in millions of dollars; None if it does not."""

    kind: AssetKind
    buy: int | None
    sell: int | None


class Card(Struct, frozen=True):
    """A card on its place. `name` is None for an empty place; `note` is what else the card says.

    `in_force`: it happened and its effect lasts.
    """

    place: str
    name: str | None
    prices: tuple[AssetPrice, ...] = ()
    note: str = ""
    in_force: bool = False


class Seat(Struct, frozen=True):
    """A seat: `name` is None if nobody sits there. Cash in millions of dollars, crude and gasoline in barrels.

    `waited_for`: the game waits for this seat. `declared`: it declared victory. `rank` from 1, at the end.
    """

    seat: int
    name: str | None
    cash: int = 0
    crude: int = 0
    gasoline: int = 0
    waited_for: bool = False
    declared: bool = False
    rank: int | None = None


class Picture(Struct, frozen=True):
    """All that everybody may see. `title`: the turn; `subtitle`: what goes on in it, and whose turn it is.

    `kinds` and `goods` are the words for assets and goods. `goal`: the cash, in millions of dollars, to be reached, if
    there is such a sum. `result`: how the game ended, empty before.
    """

    language: Language
    title: str
    subtitle: str
    fields: tuple[Field, ...]
    seats: tuple[Seat, ...]
    kinds: dict[AssetKind, str]
    goods: dict[Good, str]
    dice: tuple[Die, ...] = ()
    tracks: tuple[Track, ...] = ()
    counters: tuple[Counter, ...] = ()
    cards: tuple[Card, ...] = ()
    goal: int | None = None
    result: str = ""
