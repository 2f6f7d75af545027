"""Positions: that games for practice can begin in the middle, with what somebody wrote down or took from another."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.capabilities.positions.reading import standing
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.positions import Moment
from mcmulti.domain.core.course.posting import CAPITAL, Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import GivenEntropy
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.shown.gauges import Gauges
from mcmulti.domain.core.table import Table

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import Carrier

T = TypeVar("T", bound=Table)

RULE = "table/position"
Opening = Callable[[Any], tuple[Transfer, ...]]
"""What the books of a game say about a position: the source of everything on the table, in each account."""


class PositionSetUp(Event, frozen=True):
    """A practice game begins: the position that its first event holds is on the table.

    `balances`: what the books open with. `branch_of`: the moment that the position is taken from, null if it is not
    from another game. `entropy`: what the seats gave to the dice.
    """

    balances: Annotated[tuple[Transfer, ...], Meta(max_length=500)]
    branch_of: Moment | None
    entropy: GivenEntropy

    def evolve(self, state: T) -> T:
        origin = state.origin
        if origin is None:
            raise ValueError("the first event of the game holds no position")
        return replace(standing(state, origin.position), entropy=self.entropy, origin=origin.begun)

    def transfers(self) -> tuple[Transfer, ...]:
        return self.balances

    def form(self, say: object) -> Literal["position", "branch"]:
        return "position" if self.branch_of is None else "branch"

    def event(self, say: Any) -> str:
        """The number of the event that the game goes on after."""
        return "" if self.branch_of is None else str(say.number(self.branch_of.seq))


class Positions(Capability, frozen=True, kw_only=True):
    """That games can begin from a position, if one is given when they are opened. `opening`: what is booked then.

    `unsealed`: the state of a game that runs without what anybody sealed, which others may not read yet.
    """

    room: ClassVar[str] = __name__
    events: ClassVar[tuple[type[Event], ...]] = (PositionSetUp,)

    opening: Opening
    unsealed: Callable[[Any], Any] = lambda state: state

    def starting(self, start: "Carrier") -> "Carrier":
        """The game begins as always, or else by what its first event holds."""

        def begin(course: Course[Any], seat: Any, command: StartGame, offer: Offer) -> None:
            state = course.state
            if state.origin is None:
                start(course, seat, command, offer)
                return
            stands = standing(state, state.origin.position)
            course.record(PositionSetUp(self.opening(stands), state.origin.branch_of, state.given_entropy), RULE)

        return begin


def opening_of(gauges: Callable[[Any], Gauges]) -> Opening:
    """The opening of books that have an account for each unit at each seat."""

    def opening(state: Any) -> tuple[Transfer, ...]:
        return tuple(
            moved
            for holding in gauges(state).holdings
            for unit, amount in holding.amounts.items()
            for moved in transfer("bank", f"seat:{holding.seat}:{unit}", unit, amount, CAPITAL)
        )

    return opening
