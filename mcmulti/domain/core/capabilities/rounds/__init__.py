"""Rounds: the game waits for all seats at once, and goes on for all of them together."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.capabilities.rounds.orders import Orders
from mcmulti.domain.core.course.deadlines import Deadlines, next_due
from mcmulti.domain.core.course.standing import Reaction, Standing
from mcmulti.domain.core.event import Event

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow
    from mcmulti.domain.core.ruleset import Ruleset

S = TypeVar("S")


class Rounds(Capability, Generic[S], frozen=True, kw_only=True):
    """Rounds, with the parts that a game adds."""

    room: ClassVar[str] = __name__

    number: Callable[[S], int]
    """The number of the current round, from 1; 0 before the first."""
    orders: Orders[S] | None = None
    """What seats write down in advance; None if they do not."""
    waits: Deadlines[S] | None = None
    """How long a round waits; None if there is no limit."""

    def deadlines(self, game: "GameFlow[Any]") -> Deadlines[Any] | None:
        return self.waits

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """Each round has its own deadline."""
        return Reaction(next_due(None if before is None else before.pace, after.pace))


def rounds_of(ruleset: "Ruleset[Any]") -> Rounds[Any] | None:
    """The rounds of a game; None if it has none."""
    return ruleset.flow.has(Rounds)


def orders_of(ruleset: "Ruleset[Any]") -> Orders[Any] | None:
    """What seats of a game write down in advance; None if they do not."""
    rounds = rounds_of(ruleset)
    return None if rounds is None else rounds.orders
