"""Events: each type is a class, with its fields, its effect on the state, and its transfers in the books.

The sentences for people are templates in each language, named by the class, in the `sentences.toml` of its room (see
`sentences`).
"""

from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.figures import Count, GameId, PlayerId, RulesetName, Sha256

MOST_TABLES = 16


class SeriesTable(Struct, frozen=True, gc=False):
    """The place of a table in a series.

    All tables of the series have the same `commitment`, and their dice follow from the id of the series in place of the
    game's. Their seed is revealed when all of them are over, so it is in none of their logs.
    """

    series: Annotated[
        str,
        Meta(
            pattern="^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            description="Id of the series.",
            extra_json_schema={"format": "uuid"},
        ),
    ]
    table: Annotated[int, Meta(ge=1, le=MOST_TABLES, description="Number of the table in the series, from 1.")]
    tables: Annotated[int, Meta(ge=2, le=MOST_TABLES, description="How many tables the series has.")]


# Events never contain themselves, so the garbage collector need not track them.
class Event(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag=True):
    """Base of all events; `type` names the event.

    An event holds all that `evolve` needs, including prices: nothing is looked up again when it is folded.
    """

    counted: ClassVar[str] = ""
    """The name under which a server counts it, by its `why`; "" if it does not."""
    quiet: ClassVar[bool] = False
    """Whether nothing happened in it that players want to read, so that stories leave it out."""

    def evolve(self, state: Any) -> Any:
        """The state after the event. The first event of a game receives None, and makes the first state."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it does to the state")

    def transfers(self) -> tuple[Transfer, ...]:
        """The transfers of the event in the books; by default none."""
        return ()

    def form(self, say: Any) -> str | None:
        """Which of its sentences describes it, if there are several; `say` makes the phrases.

        A class that has several lists them as the `Literal` that this returns: ``TollPaid.one`` for ``one``.
        """
        return None

    def about(self, actor: int | None) -> int | None:
        """The seat that its sentence is about: its `seat`, or else the seat whose command led to it; None
        for nobody.
        """
        seat: int | None = getattr(self, "seat", actor)
        return seat


class Notice(Event, frozen=True):
    """Base of events that only inform people: they change nothing."""

    def evolve(self, state: Any) -> Any:
        return state


class HasSeats(Protocol):
    """A setup with a number of seats."""

    @property
    def seats(self) -> int:
        """The number of seats at the table."""


S = TypeVar("S", bound=HasSeats)
T = TypeVar("T")


class Opened(Event, Generic[S], frozen=True):
    """Base of the first event of every game, which says how to fold all that follow, and how the dice are derived.

    `commitment`: the SHA-256 of the secret seed, in hexadecimal. `opened_by`: the player who opened the table, null if
    that is not known. `origin`: what a practice game begins with; all other games have none. `series`: the series of
    tables that it belongs to, if it does.
    """

    game_id: GameId
    ruleset: RulesetName
    version: Count
    setup: S
    commitment: Sha256
    opened_by: PlayerId | None = None
    origin: Annotated[Origin, Meta(description="What a practice game begins with.")] | UnsetType = UNSET
    series: Annotated[SeriesTable, Meta(description="The place of the table in a series.")] | UnsetType = UNSET

    def table(self, state: Callable[..., T]) -> T:
        """The first state of a game, of this type: nobody is seated yet."""
        empty = (None,) * self.setup.seats
        return state(
            self.game_id,
            self.commitment,
            chairs=empty,
            player_ids=empty,
            setup=self.setup,
            opened_by=self.opened_by,
            origin=None if isinstance(self.origin, UnsetType) else self.origin,
            series=None if isinstance(self.series, UnsetType) else self.series,
        )


def events_of(*sources: ModuleType | type[Event]) -> tuple[type[Event], ...]:
    """The events of a rule set: these, and those that modules define, in order. Names of bases begin with an
    underscore.

    A class replaces the one it extends if both have the same name. What several games share is laid out in one class,
    and each game defines the effect on its state in its own. Raises TypeError for two unrelated classes with the same
    name, and for different fields.
    """
    events: dict[str, type[Event]] = {}
    for source in sources:
        found = {source.__name__: source} if isinstance(source, type) else vars(source)
        for name, kind in found.items():
            here = isinstance(kind, type) and (kind is source or kind.__module__ == source.__name__)
            if here and issubclass(kind, Event) and not name.startswith("_"):
                if name in events and not issubclass(kind, events[name]):
                    raise TypeError(f"two events are called {name}: in {events[name].__module__} and {kind.__module__}")
                if name in events and kind.__struct_fields__ != events[name].__struct_fields__:
                    raise TypeError(f"{name} in {kind.__module__} has other fields than the event it extends")
                events[name] = kind
    return tuple(events.values())


def published(event: type[Struct]) -> type[Struct]:
    """The class that lays out an event for clients: the one that it extends under the same name, if there is one."""
    base = event.__base__
    return published(base) if base is not None and base.__name__ == event.__name__ else event
