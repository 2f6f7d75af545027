"""The state of a game: all that the rules need to know, and nothing that is only for show."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.figures import BarrelCount, Millions, Seat
from mcmulti.domain.mcmulti.board import Lines, footprint
from mcmulti.domain.mcmulti.components import KINDS, EconomyName, Good, Kind, MarketName, NewsName
from mcmulti.domain.mcmulti.setup import Setup

Phase = Literal["seating", "purchase", "market", "dice", "news", "production", "neighbours", "assets", "over"]


class Chair(Struct, frozen=True):
    """A taken seat before the start."""

    player: str
    name: str
    entropy: str


class Player(Struct, frozen=True):
    """What a player owns: cash in millions of dollars, barrels of crude and of gasoline."""

    player: str
    name: str
    cash: int = 0
    crude: int = 0
    gasoline: int = 0


class Quadrant(Struct, frozen=True, gc=False):
    """The assets of a quadrant as bits (see `board`); `idle` are refineries waiting for their clean-up."""

    rigs: int = 0
    wells: int = 0
    stations: int = 0
    refineries: int = 0
    idle: int = 0

    @property
    def occupied(self) -> int:
        """Every site that something stands on."""
        return self.rigs | self.wells | self.stations | footprint(self.refineries)

    def standing(self, kind: Kind) -> int:
        """The assets of a kind, as bits."""
        if kind == "rig":
            return self.rigs
        if kind == "well":
            return self.wells
        return self.stations if kind == "station" else self.refineries


EMPTY = Quadrant()


class Market(Struct, frozen=True, gc=False):
    """How many fields of each good are free, always the cheapest ones."""

    crude: int = 0
    gasoline: int = 0

    def free(self, good: Good) -> int:
        """The free fields of a good."""
        return self.crude if good == "crude" else self.gasoline


class News(Struct, frozen=True):
    """Where the news cards are. The order of `pile` is unknown to all; `under` lies beneath it, in order.

    `active` are cards that happened and are not done.
    """

    likelier: NewsName | None = None
    less_likely: NewsName | None = None
    pile: tuple[NewsName, ...] = ()
    under: tuple[NewsName, ...] = ()
    active: tuple[NewsName, ...] = ()


class Due(Struct, frozen=True, gc=False):
    """A seat the news waits for, and what it owes in millions of dollars (0: a clean-up, paid as it likes)."""

    seat: Seat
    amount: Millions


class Turn(Struct, frozen=True):
    """The turn that is played. `quadrant` has it; `seat` is its owner, None for the ghost.

    `market` is the one dealt on. `operating` is the quadrant that produces now; it has `done` of the kinds
    station, refinery, well, rig behind it and operated `used` barrels of the next. `card` is the news that
    happens now and `dues` the seats it waits for, in order.
    """

    number: int
    quadrant: int
    seat: int | None
    market: MarketName | None = None
    red: int = 0
    black: int = 0
    operating: int = 0
    done: int = 0
    used: int = 0
    card: NewsName | None = None
    dues: tuple[Due, ...] = ()


class Standing(Struct, frozen=True):
    """A player's place at the end: cash in millions of dollars after liquidation, barrels of both goods."""

    seat: Seat
    rank: Annotated[int, Meta(ge=1, le=4)]
    cash: Millions
    barrels: BarrelCount


class State(Struct, frozen=True):
    """A game at one moment."""

    game_id: str
    setup: Setup
    commitment: str
    chairs: tuple[Chair | None, ...]
    phase: Phase = "seating"
    players: tuple[Player, ...] = ()
    owners: tuple[int | None, ...] = (None, None, None, None)
    quadrants: tuple[Quadrant, ...] = (EMPTY, EMPTY, EMPTY, EMPTY)
    first: int = 0
    purchases: tuple[int, ...] = ()
    turn: Turn | None = None
    economy: EconomyName = "recovery"
    domestic: Market = Market()
    foreign: Market = Market()
    consumer_price: int = 0
    consumer_barrels: int = 0
    difference: int = 0
    news: News = News()
    declared_by: int | None = None
    last_turns: tuple[int, ...] | None = None
    standings: tuple[Standing, ...] = ()
    winners: tuple[int, ...] = ()
    seed: str | None = None
    draws: int = 0
    entropy: str = ""

    @property
    def now(self) -> Turn:
        """The turn that is played; only a running game has one."""
        if self.turn is None:
            raise LookupError("no turn is played")
        return self.turn

    def market(self, name: MarketName) -> Market:
        """The domestic or the foreign market."""
        return self.domestic if name == "domestic" else self.foreign

    def quadrants_of(self, seat: int) -> tuple[int, ...]:
        """The quadrants a player owns."""
        return tuple(quadrant for quadrant, owner in enumerate(self.owners) if owner == seat)

    def pieces(self, seat: int) -> dict[Kind, int]:
        """How many assets of each kind a player owns."""
        owned = [self.quadrants[index] for index in self.quadrants_of(seat)]
        return {kind: sum(quadrant.standing(kind).bit_count() for quadrant in owned) for kind in KINDS}

    @property
    def wells(self) -> int:
        """How many wells stand on the whole board."""
        return sum(quadrant.wells.bit_count() for quadrant in self.quadrants)

    def lines(self) -> Lines:
        """Where this turn's production roll hits the quadrant at turn."""
        return Lines(self.now.red, self.now.black)
