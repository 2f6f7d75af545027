"""Capabilities: features that several games can have beyond their own rules, as values.

A game lists its capabilities in `GameFlow.capabilities`. Everything about a capability is in its package: the option of
the setup, the slot of the state, commands, events, offers, texts in every language, and its consequences.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from msgspec import Struct

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.deadlines import Deadlines, Questions
from mcmulti.domain.core.course.standing import NOTHING, Reaction, Standing
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Limit, Offer, Rejection
from mcmulti.domain.core.shown.redaction import Redaction

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import Carrier, GameFlow

CapabilityCarrier = Callable[["GameFlow[Any]", Any, Any, Any, Offer], None]
"""Carries out a command, given the game, the course, the seat, the command, and the offer that admitted it."""


class Slot(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a capability stores in the state of a game: a field of the state, with a default.

    `stays`: whether it keeps its value when moves are taken back, as time does.
    """

    stays: ClassVar[bool] = True

    def vacated(self, seat: int) -> Self:
        """The slot after the player of this seat left."""
        return self

    def reseated(self, seat: int) -> Self:
        """The slot after a player sat down on a vacant seat."""
        return self

    def restored(self, state_type: type[Any]) -> Self:
        """The slot as it was before it was stored, given the type of the game's states. Raises ValueError."""
        return self


class Aftermath(Protocol):
    """Follows what happens to the moves of a request."""

    undone: bool | None
    """Whether they were taken back; None while that is still possible."""

    def read(self, events: Iterable[Event]) -> None:
        """Read the events that came next."""


class Watch(Protocol):
    """Follows a log, and finds false statements of the server. It is an immutable value."""

    def wrong(self, seq: int, at: int, state: Any, command: Any) -> str | None:
        """The fault of event `seq`, the first of a command, recorded at `at` microseconds, in a game in this state;
        None if there is none.
        """

    def passed(self, at: int, state: Any) -> "Watch":
        """The watch after a command whose events were recorded at `at` microseconds and led to this state."""


class Capability(Struct, frozen=True, kw_only=True, eq=False):
    """Base of all capabilities. By default, a capability does nothing."""

    room: ClassVar[str]
    """The package that has its texts: `rules.toml`, `sentences.toml`, `offers.toml`, `refusals.toml`, `manual.toml`."""
    option: ClassVar[str | None] = None
    """The field of the setup by which a table agrees on it. A game's setup must then have this field."""
    slot: ClassVar[str | None] = None
    """The field of the state that holds its `Slot`. A game's state must then have this field."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The rooms of the capabilities that it requires."""
    events: ClassVar[tuple[type[Event], ...]] = ()
    """Its events. For those that are only bases, a game defines classes of its own that evolve its state."""
    limits: ClassVar[tuple[Limit, ...]] = ()
    """The limits with which it refuses commands."""
    joining: ClassVar[Mapping[type[Command], CapabilityCarrier]] = {}
    """The handler of `TakeSeat` in a running game, if it has one."""

    @property
    def number(self) -> Callable[[Any], int] | None:
        """What is counted instead of turns, given the state; None if that is turns."""
        return None

    @property
    def carriers(self) -> Mapping[type[Command], CapabilityCarrier]:
        """The handler of each of its commands that seats send."""
        return {}

    @property
    def automatic(self) -> Mapping[type[Command], CapabilityCarrier]:
        """The handler of each of its commands that only the server sends."""
        return {}

    @property
    def aside(self) -> tuple[type[Command], ...]:
        """Its commands that are not moves: they do not advance the game."""
        return ()

    @property
    def undecided(self) -> tuple[type[Command], ...]:
        """Its commands that count as no decision of a player."""
        return self.aside

    @property
    def redactions(self) -> tuple[Redaction[Any], ...]:
        """What must be hidden of its events, and from whom."""
        return ()

    def starting(self, start: "Carrier") -> "Carrier":
        """What carries out `StartGame`, given what does in the game itself."""
        return start

    def deadlines(self, game: "GameFlow[Any]") -> Deadlines[Any] | None:
        """The time limits that it sets."""
        return None

    def questions(self, game: "GameFlow[Any]") -> Questions[Any] | None:
        """How it answers for seats that are asked in other players' turns."""
        return None

    def watch(self, game: "GameFlow[Any]") -> Watch | None:
        """Checks in proofs what the server states of itself and no state implies."""
        return None

    def unfit(self, game: "GameFlow[Any]", setup: Any) -> Rejection | None:
        """Why no table of this game can be opened with a setup; None if one can."""
        return None

    @classmethod
    def says(cls, hook: str) -> bool:
        """Whether it overrides this hook; others need not be called."""
        return getattr(cls, hook) is not getattr(Capability, hook)

    def concerns(self, setup: Any) -> bool:
        """Whether it has an effect at a table with this setup."""
        return True

    def wary(self, state: Any) -> tuple[int, ...]:
        """The seats that must say which position they decide on, because moves were taken back since their last one."""
        return ()

    def aftermath(self, events: Sequence[Event]) -> Aftermath | None:
        """Follows what happens to the request that led to these events; None if nothing more can happen to it."""
        return None

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """What the server adds to events that led from one standing to another; None for `before` if the
        game is new.
        """
        return NOTHING

    def besides(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        """What a seat may do because of it at any time of a running game, including blocked offers."""
        return ()

    def offers_to_server(self, game: "GameFlow[Any]", state: Any) -> tuple[Offer, ...]:
        """What the server and players without a seat may do because of it in a running game, including
        blocked offers.
        """
        return ()

    def settles(self, game: "GameFlow[Any]", course: Course[Any], command: Any) -> bool:
        """Whether it makes the results of a command final, so that they cannot be taken back."""
        return False

    def left(self, game: "GameFlow[Any]", course: Course[Any], seat: int) -> None:
        """Carry out its consequences when a seat has become vacant and the game goes on."""

    def follow(self, game: "GameFlow[Any]", course: Course[Any], before: Any, seat: int | None, command: Any) -> None:
        """Carry out its consequences of a command; `before` is the state before the command."""


def options() -> frozenset[str]:
    """The fields of setups by which tables agree on any of the capabilities."""
    kinds: list[type[Capability]] = [Capability]
    found: set[str | None] = set()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        found.add(kind.option)
    return frozenset(option for option in found if option is not None)
