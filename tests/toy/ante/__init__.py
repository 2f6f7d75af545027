"""The ante, a capability: at the start of each round, all players pay the same amount into the pot."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Capability, Slot
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat
from mcmulti.domain.core.offers import Limit, Rejection

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

AnteOption = Annotated[int, Meta(ge=0, le=10, description="What everybody pays each round (`ante/pay`).")]
"""The field of a setup."""
TOO_HIGH = Limit("ante_too_high", "ante/pay")


class Pot(Slot, frozen=True, gc=False):
    """What was paid so far. A player who takes moves back gets it back."""

    stays: ClassVar[bool] = False

    paid: int = 0


class AntePaid(Event, frozen=True):
    """A player paid the ante. `left`: what the seat has left."""

    seat: Seat
    amount: Count
    left: Count

    def evolve(self, state: Any) -> Any:
        paid = state.having(self.seat, self.left)
        return replace(paid, pot=Pot(state.pot.paid + self.amount))

    def transfers(self) -> tuple[Transfer, ...]:
        return transfer(f"seat:{self.seat}:purse", "pot", "florins", self.amount, "ante")


class Ante(Capability, frozen=True, kw_only=True):
    """Everybody pays each round, at most as much as they have. `has`: what a seat can pay with."""

    room: ClassVar[str] = __name__
    option: ClassVar[str] = "ante"
    slot: ClassVar[str] = "pot"
    events: ClassVar[tuple[type[Event], ...]] = (AntePaid,)
    limits: ClassVar[tuple[Limit, ...]] = (TOO_HIGH,)

    has: Callable[[Any, int], int]
    most: int

    def unfit(self, game: "GameFlow[Any]", setup: Any) -> Rejection | None:
        return TOO_HIGH.rejection("ante", self.most) if setup.ante > self.most else None

    def concerns(self, setup: Any) -> bool:
        return bool(setup.ante)

    def follow(self, game: "GameFlow[Any]", course: Course[Any], before: Any, seat: int | None, command: Any) -> None:
        if course.state.status != "running" or game.number(course.state) == game.number(before):
            return
        for payer in course.state.taken:
            has = self.has(course.state, payer)
            amount = min(course.state.setup.ante, has)
            course.record(AntePaid(payer, amount, has - amount), "ante/pay")
