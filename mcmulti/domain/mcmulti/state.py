"""The state of a game: all that the rules need to know, and nothing that is only for show."""

from typing import Literal

from msgspec import Struct

from mcmulti.domain.core.figures import Millions, Seat
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.oil.market import Market
from mcmulti.domain.oil.names import MarketName
from mcmulti.domain.oil.quadrant import EMPTY, Quadrant
from mcmulti.domain.oil.state import Chair, Oilfield, Player, Standing

__all__ = [
    "EMPTY",
    "Chair",
    "Due",
    "Market",
    "News",
    "Phase",
    "Player",
    "Quadrant",
    "Standing",
    "State",
    "Turn",
]

Phase = Literal["seating", "purchase", "market", "dice", "news", "production", "neighbours", "assets", "over"]


class News(Struct, frozen=True, gc=False):
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


class Turn(Struct, frozen=True, gc=False):
    """The turn that is played. `quadrant` has it; `seat` is its owner, None for the ghost.

    `market` is the one dealt on. `operating` is the quadrant that produces now; it has `done` of the kinds
    station, refinery, well, rig behind it and operated `used` barrels of the next. `fresh_crude` and
    `fresh_gasoline` are the barrels that its owner pumped and refined in this turn, in whichever quadrant.
    `card` is the news that happens now and `dues` the seats it waits for, in order.
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
    fresh_crude: int = 0
    fresh_gasoline: int = 0
    card: NewsName | None = None
    dues: tuple[Due, ...] = ()


class State(Oilfield, frozen=True, kw_only=True):
    """A game at one moment."""

    setup: Setup
    phase: Phase = "seating"
    first: int = 0
    purchases: tuple[int, ...] = ()
    turn: Turn | None = None
    consumer_barrels: int = 0
    difference: int = 0
    news: News = News()
    declared_by: int | None = None
    last_turns: tuple[int, ...] | None = None

    @property
    def now(self) -> Turn:
        """The turn that is played; only a running game has one."""
        if self.turn is None:
            raise LookupError("no turn is played")
        return self.turn

    @property
    def idle(self) -> bool:
        """Whether a refinery stands idle anywhere on the board."""
        one, two, three, four = self.quadrants
        return bool(one.idle or two.idle or three.idle or four.idle)

    @property
    def wells(self) -> int:
        """How many wells stand on the whole board."""
        return sum(quadrant.wells.bit_count() for quadrant in self.quadrants)
