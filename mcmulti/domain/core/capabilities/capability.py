"""What a capability is: something that several games may have besides rules of their own, as a value.

A game lists what it has in `GameFlow.capabilities`. All that belongs to a capability lies in its package: the option of
the setup, the slot of the state, commands, events, offers, texts in every language, and what follows from it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

from msgspec import Struct

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.deadlines import Deadlines
from mcmulti.domain.core.course.questions import Questions
from mcmulti.domain.core.course.standing import NOTHING, Reaction, Standing
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Limit, Offer, Rejection
from mcmulti.domain.core.shown.redaction import Redaction

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import Carrier, GameFlow

CapabilityCarrier = Callable[["GameFlow[Any]", Any, Any, Any, Offer], None]
"""Carries out a command: of this game, in this course, for this seat, the command, by the offer that admitted it."""


class Slot(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a capability remembers in the state of a game: a field of the state, with a default.

    `stays`: whether it stays as it is when moves are taken back, as time does.
    """

    stays: ClassVar[bool] = True

    def vacated(self, seat: int) -> Self:
        """What is remembered when nobody sits on this seat any more."""
        return self

    def reseated(self, seat: int) -> Self:
        """What is remembered when somebody sat down on a seat that was left."""
        return self


class Aftermath(Protocol):
    """Follows what became of the moves of a request."""

    undone: bool | None
    """Whether they were taken back; None while they may still be."""

    def read(self, events: Iterable[Event]) -> None:
        """What happened next."""


class Watch(Protocol):
    """Follows a log, and finds what the server said of itself that was not so. It is a value: it never changes."""

    def wrong(self, seq: int, at: int, state: Any, command: Any) -> str | None:
        """What event `seq` does that it may not, the first of a command, recorded `at` microseconds, of a game in this
        state; None if nothing is wrong."""

    def passed(self, at: int, state: Any) -> "Watch":
        """What watches behind a command whose events were recorded `at` microseconds and led to this state."""


class Capability(Struct, frozen=True, kw_only=True, eq=False):
    """Base of all capabilities. What it does not say is nothing."""

    room: ClassVar[str]
    """The package that has its texts: `rules.toml`, `sentences.toml`, `offers.toml`, `refusals.toml`, `manual.toml`."""
    option: ClassVar[str | None] = None
    """The field of the setup by which a table agrees on it, which a game's setup has then."""
    slot: ClassVar[str | None] = None
    """The field of the state that holds its `Slot`, which a game's state has then."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The rooms of the capabilities without which a game cannot have it."""
    events: ClassVar[tuple[type[Event], ...]] = ()
    """Its events; a game says in a class of its own what becomes of those whose class is only their base."""
    limits: ClassVar[tuple[Limit, ...]] = ()
    """What keeps people from something there."""

    @property
    def carriers(self) -> Mapping[type[Command], CapabilityCarrier]:
        """What carries out each of its commands that seats send."""
        return {}

    @property
    def automatic(self) -> Mapping[type[Command], CapabilityCarrier]:
        """What carries out each of its commands that only the server sends."""
        return {}

    @property
    def joining(self) -> Mapping[type[Command], CapabilityCarrier]:
        """What carries out `TakeSeat` in a running game, if it does."""
        return {}

    @property
    def aside(self) -> tuple[type[Command], ...]:
        """Those of its commands that are no moves: the game does not go on by them."""
        return ()

    @property
    def undecided(self) -> tuple[type[Command], ...]:
        """Those of its commands that decide nothing in a game that is played."""
        return self.aside

    @property
    def redactions(self) -> tuple[Redaction[Any], ...]:
        """What of its events not everybody may know."""
        return ()

    def starting(self, start: "Carrier") -> "Carrier":
        """What carries out `StartGame`, given what does in the game itself."""
        return start

    def deadlines(self, game: "GameFlow[Any]") -> Deadlines[Any] | None:
        """How long games wait by it."""
        return None

    def questions(self, game: "GameFlow[Any]") -> Questions[Any] | None:
        """What it answers for seats that are asked in others' turns."""
        return None

    def watch(self, game: "GameFlow[Any]") -> Watch | None:
        """Checks in proofs what it lets the server say that follows from no state."""
        return None

    def unfit(self, game: "GameFlow[Any]", setup: Any) -> Rejection | None:
        """Why no table of this game can be opened with a setup; None if one can."""
        return None

    @classmethod
    def says(cls, hook: str) -> bool:
        """Whether it has something of its own to say there: others need not be asked."""
        return getattr(cls, hook) is not getattr(Capability, hook)

    def concerns(self, setup: Any) -> bool:
        """Whether it has something to do at a table with this setup."""
        return True

    def wary(self, state: Any) -> tuple[int, ...]:
        """The seats that have to say which position they decide on, because the game was led back since they moved."""
        return ()

    def aftermath(self, events: Sequence[Event]) -> Aftermath | None:
        """Follows what becomes of a request that these events came of; None if nothing can become of it any more."""
        return None

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """What the server notes besides events that led from one standing to another; None: from no game at all."""
        return NOTHING

    def offers(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        """What it lets a seat do at any time of a running game, blocked offers among it."""
        return ()

    def offers_to_server(self, game: "GameFlow[Any]", state: Any) -> tuple[Offer, ...]:
        """What it lets the server do in a running game, and those who have no seat; blocked offers among it."""
        return ()

    def settles(self, game: "GameFlow[Any]", course: Course[Any], command: Any) -> bool:
        """Whether what a command led to cannot be taken back because of it."""
        return False

    def left(self, game: "GameFlow[Any]", course: Course[Any], seat: int) -> None:
        """Let follow what follows by it at once when a seat has been vacated, and the game goes on."""

    def follow(self, game: "GameFlow[Any]", course: Course[Any], before: Any, seat: int | None, command: Any) -> None:
        """Let follow what follows by it from a command that has been carried out; `before` is the state before it."""


def options() -> frozenset[str]:
    """The fields of setups by which tables agree on any capability that there is."""
    kinds: list[type[Capability]] = [Capability]
    found: set[str | None] = set()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        found.add(kind.option)
    return frozenset(option for option in found if option is not None)
