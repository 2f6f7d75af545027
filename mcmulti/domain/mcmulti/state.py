"""The state of a game: all that the rules need, and nothing that is only for display."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock.timing import NO_TIMING, Timing
from mcmulti.domain.core.capabilities.instructions import Instructed
from mcmulti.domain.core.capabilities.undo.trail import NOTHING_TO_UNDO, Undoing
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.mcmulti.commands import OperatingOrders
from mcmulti.domain.mcmulti.components import CARDS, EconomyCard, NewsName
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.oil import state as common
from mcmulti.domain.oil.names import Millions, Seat
from mcmulti.domain.oil.rules.board import QUADRANTS, left
from mcmulti.domain.oil.state import Oilfield

Phase = Literal["seating", "purchase", "market", "dice", "news", "production", "neighbours", "assets", "over"]


class News(Struct, frozen=True, gc=False):
    """Where the news cards are. The order of `pile` is unknown to all; `under` lies beneath it, in order.

    `active`: cards that happened and are not done.
    """

    likelier: NewsName | None = None
    less_likely: NewsName | None = None
    pile: tuple[NewsName, ...] = ()
    under: tuple[NewsName, ...] = ()
    active: tuple[NewsName, ...] = ()


class Due(Struct, frozen=True, gc=False):
    """A seat the news waits for.

    `seat`: its number. `amount`: what it owes, in millions of dollars; 0 for a clean-up, which is optional.
    """

    seat: Seat
    amount: Millions


class Turn(common.Turn, frozen=True):
    """The current turn; it is the ghost's if it belongs to no seat.

    `operating`: the quadrant that produces now. `done`: how many of the kinds station, refinery, well, rig it has
    finished. `used`: the barrels of the next kind that it operated. `fresh_crude` and `fresh_gasoline`: the barrels
    that its owner pumped and refined in this turn, in whichever quadrant. `card`: the news that happens now. `dues`:
    the seats that it waits for, in order.
    """

    operating: int = 0
    done: int = 0
    used: int = 0
    fresh_crude: int = 0
    fresh_gasoline: int = 0
    card: NewsName | None = None
    dues: tuple[Due, ...] = ()

    @property
    def settled(self) -> "Turn":
        """The turn after the seat that the news waited for has settled."""
        return replace(self, dues=self.dues[1:])

    def operated(self, done: int, barrels: int) -> "Turn":
        """The turn after operating barrels of the kind that has `done` kinds before it."""
        return replace(self, done=done, used=barrels + (self.used if self.done == done else 0))


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
    timing: Timing = NO_TIMING
    undoing: Undoing = NOTHING_TO_UNDO
    instructed: Instructed[OperatingOrders] = Instructed()

    @property
    def now(self) -> Turn:
        """The current turn; only a running game has one."""
        if self.turn is None:
            raise LookupError("no turn is played")
        return self.turn

    @property
    def movers(self) -> tuple[int, ...]:
        """The one seat that a started game waits for; none while the news waits for nobody."""
        if self.turn is None:
            mover = self.owners[self.purchases[0]] if self.purchases else None
        elif self.phase in ("production", "neighbours"):
            mover = self.owners[self.turn.operating]
        elif self.phase == "news":
            mover = self.turn.dues[0].seat if self.turn.dues else None
        else:
            mover = self.turn.seat
        return () if mover is None else (mover,)

    @property
    def in_turn_order(self) -> tuple[int, ...]:
        """The players from the one to move on, clockwise."""
        order: list[int] = []
        quadrant = self.now.quadrant
        for _ in QUADRANTS:
            owner = self.owners[quadrant]
            if owner is not None and owner not in order:
                order.append(owner)
            quadrant = left(quadrant)
        return tuple(order)

    @property
    def card(self) -> EconomyCard:
        """The economy card in force."""
        return CARDS[self.setup.refinery_sales][self.economy]

    @property
    def idle(self) -> bool:
        """Whether a refinery is idle anywhere on the board."""
        one, two, three, four = self.quadrants
        return bool(one.idle or two.idle or three.idle or four.idle)

    @property
    def wells(self) -> int:
        """The number of wells on the whole board."""
        return sum(quadrant.wells.bit_count() for quadrant in self.quadrants)


Play = Course[State]
