"""The greatest length of a game: it ends when its log reaches a number of events."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.standing import NOTHING, Reaction, Standing
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count
from mcmulti.domain.core.offers import Offer, plain
from mcmulti.domain.core.table import Table

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

T = TypeVar("T", bound=Table)

RULE = "table/length"


class EndLongGame(Command, frozen=True):
    """The server ends the game because its log has reached its greatest length (`table/length`)."""


class LengthReached(Event, frozen=True):
    """The log has reached its greatest length: the game ends. `longest`: the greatest number of events."""

    longest: Count

    def evolve(self, state: T) -> T:
        return replace(state, departures=replace(departures_of(state), ended="too_long"))


_END = EndLongGame()


class LengthWatch(NamedTuple):
    """Checks that the server ended the game for its length when its log had that length, not earlier or later."""

    longest: int

    def wrong(self, seq: int, at: int, state: Any, command: Any) -> str | None:
        long = seq > self.longest and state.status == "running"
        if long == isinstance(command, EndLongGame):
            return None
        what = "goes on in a game that is as long as it may get" if long else "ends a game that is not too long"
        return f"{what}: {self.longest} events"

    def passed(self, at: int, state: Any) -> "LengthWatch":
        return self


class Length(Capability, frozen=True, kw_only=True):
    """The greatest length of a game. `longest`: the game ends by its final ranking once its log has this many events.

    No state contains the length of the log. So the server states that it is too long, and a proof checks this.
    """

    room: ClassVar[str] = __name__
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)
    events: ClassVar[tuple[type[Event], ...]] = (LengthReached,)

    longest: int

    @property
    def automatic(self) -> Mapping[type[Command], CapabilityCarrier]:
        return {EndLongGame: self._end}

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """End a game whose log is long enough."""
        return Reaction(follows=_END) if after.seq >= self.longest and after.status == "running" else NOTHING

    def watch(self, game: "GameFlow[Any]") -> "LengthWatch":
        return LengthWatch(self.longest)

    def offers_to_server(self, game: "GameFlow[Any]", state: Any) -> tuple[Offer, ...]:
        return (plain("EndLongGame", RULE),)

    def _end(
        self, game: "GameFlow[Any]", play: Course[T], seat: int | None, command: EndLongGame, offer: Offer
    ) -> None:
        play.record(LengthReached(self.longest), RULE)
        game.finish(play, RULE)


def longest_of(game: "GameFlow[Any]") -> int | None:
    """How many events a game can have before the server ends it; None if there is no limit."""
    length = game.has(Length)
    return None if length is None else length.longest
