"""A decision in the making: the events so far, and the state they lead to."""

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from mcmulti.domain.core.chance import Chance, Draw
from mcmulti.domain.core.event import Event


class Drawing(Protocol):
    """A state that has the number of draws so far, and the entropy of the seats."""

    @property
    def draws(self) -> int:
        """The number of draws so far."""

    @property
    def entropy(self) -> str:
        """The entropy of the seats, joined by commas in seat order."""


S = TypeVar("S", bound=Drawing)
T = TypeVar("T")


class Fact(Struct, frozen=True, gc=False):
    """An event that was decided, and its rule."""

    event: Event
    rule: str


class Decision(Struct, Generic[T], frozen=True, gc=False):
    """The results of a command: the facts, and the state after them."""

    facts: Sequence[Fact]
    state: T


class Course(Struct, Generic[S], gc=False):
    """Collects facts. Each is folded at once, so that the next rule sees the current state. `draws` counts
    the draws.
    """

    state: S
    chance: Chance
    draws: int
    facts: list[Fact] = []

    def record(self, event: Event, rule: str) -> None:
        """Decide an event, by a rule."""
        self.state = event.evolve(self.state)
        self.facts.append(Fact(event, rule))

    def draw(self, sides: int = 6) -> Draw:
        """Make the next draw. You must record an event that holds it."""
        self.draws += 1
        return Draw(self.draws, sides, self.chance.value(self.draws, sides, self.state.entropy))
