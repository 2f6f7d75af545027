"""The table, where every game begins: players sit down and leave; and the seed, revealed at the end."""

from collections.abc import Mapping
from functools import cache
from typing import Literal, Self, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Slot
from mcmulti.domain.core.commands import LeaveSeat, TakeSeat
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.positions import Origin
from mcmulti.domain.core.event import Event, SeriesTable
from mcmulti.domain.core.figures import Entropy, PlayerId, Seat, Sha256
from mcmulti.domain.core.offers import NO_SEAT, ONE_DRAW, OUT_OF_RANGE, TOO_MANY_EVENTS, Limit, NumberChoice, Offer
from mcmulti.domain.core.tuples import put


class TableSetup(Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """Base of the setups of all rule sets. A game adds `seats`, its own options, and the option of each of its
    capabilities.
    """


Status = Literal["open", "running", "finished"]
Called = Mapping[str, str]
"""The players' names, by id. They are not in the log: whoever shows a game supplies them."""
NOBODY: Called = {}

SITTINGS = 100
"""After seats were taken this many times before the start, players who left may not come back."""
MOST_SITTINGS = 1000
"""The most times that seats of a table can be taken before the start."""

LIMITS = (
    OUT_OF_RANGE,
    ONE_DRAW,
    TOO_MANY_EVENTS,
    NO_SEAT,
    Limit("not_started", "table/start"),
    Limit("game_started", "table/start"),
    Limit("seat_taken", "table/join"),
    Limit("table_full", "table/join"),
    Limit("already_seated", "table/join"),
    Limit("seated_too_often", "table/join"),
)
"""The limits in every game."""


class Chair(Struct, frozen=True, gc=False):
    """A taken seat before the start."""

    player: str
    entropy: str
    agrees: bool = False
    """Whether the player agrees to start with the players seated now."""

    def agreeing(self, agrees: bool = True) -> "Chair":
        return self if self.agrees is agrees else replace(self, agrees=agrees)


# States never contain themselves, so the garbage collector need not track them.
class Table(Struct, frozen=True, gc=False):
    """The common part of all states. Each game adds its own, including `winners`.

    `chairs`: who sat down before the start, None for an empty seat.

    `player_ids`: the players by seat. `draws`: the number of draws so far. `entropy`: the entropy of the seats. `seed`:
    None until it is revealed. `decided_by`: what decided the victory, in a word of the game, None before the end.
    `opened_by`: the player who opened the table, if that is known. `everybody`: the ids of all players who ever sat
    there. `called`: names for display, see `presented`; no rule may look at them. `salts`: the number of sealed values
    so far. `sittings`: how often players took a seat before the start. `origin`: what a practice game begins with, None
    for all others. `series`: its place in a series of tables, if it has one. A game adds a slot for each capability
    that it has.
    """

    game_id: str
    commitment: str
    chairs: tuple[Chair | None, ...]
    player_ids: tuple[str | None, ...]
    draws: int = 0
    entropy: str = ""
    seed: str | None = None
    decided_by: str | None = None
    everybody: tuple[str, ...] = ()
    called: Called = {}
    opened_by: str | None = None
    salts: int = 0
    sittings: int = 0
    origin: Origin | None = None
    series: SeriesTable | None = None

    @property
    def dice_id(self) -> str:
        """The id that the dice follow from, together with the seed: at tables of a series, the same at all of them."""
        return self.game_id if self.series is None else self.series.series

    @property
    def setup(self) -> TableSetup:
        """What the game was created with."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it is set up")

    @property
    def phase(self) -> str:
        """The phase: ``seating`` before the start, ``over`` when it ended, the game's own phases between."""
        raise NotImplementedError(f"{type(self).__name__} does not say in which phase it is")

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats that a started game waits for; none between two events of one decision."""
        raise NotImplementedError(f"{type(self).__name__} does not say whom it waits for")

    @property
    def status(self) -> Status:
        """``open`` before the start, ``finished`` at the end, ``running`` between."""
        phase = self.phase
        if phase == "seating":
            return "open"
        return "finished" if phase == "over" else "running"

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that the game waits for: before the start those that do not agree to it, none when it is over."""
        phase = self.phase
        if phase == "seating":
            return tuple([seat for seat, chair in enumerate(self.chairs) if chair is not None and not chair.agrees])
        return () if phase == "over" else self.movers

    @property
    def declared_by(self) -> int | None:
        """The seat that brought about the end; None if no seat did."""
        return None

    @property
    def names(self) -> tuple[str | None, ...]:
        """The players' names, by seat; None for an empty seat, and if no name is known."""
        return tuple([None if player is None else self.called.get(player) for player in self.player_ids])

    @property
    def taken(self) -> tuple[int, ...]:
        """The occupied seats of a started game."""
        return tuple([seat for seat, player in enumerate(self.player_ids) if player is not None])

    @property
    def vacant(self) -> tuple[int, ...]:
        """The vacant seats of a started game."""
        return tuple([seat for seat, player in enumerate(self.player_ids) if player is None])

    def vacated(self, seat: int) -> Self:
        """The state after this seat became vacant."""
        slots = {name: getattr(self, name).vacated(seat) for name, _ in slots_of(type(self))}
        return replace(self, player_ids=put(self.player_ids, seat, None), **slots)

    def reseated(self, seat: int, player: str) -> Self:
        """The state after this player took a vacant seat."""
        slots = {name: getattr(self, name).reseated(seat) for name, _ in slots_of(type(self))}
        players, everybody = put(self.player_ids, seat, player), _with_player(self.everybody, player)
        return replace(self, player_ids=players, everybody=everybody, **slots)

    def called_off(self) -> Self:
        """The state in which the game is over without a winner; `departures` already contains that."""
        return replace(self, phase="over")

    @property
    def seated(self) -> tuple[int, ...]:
        """The seats taken before the start."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair is not None)

    @property
    def given_entropy(self) -> str:
        """The entropy of the seats when the game starts, joined by commas in seat order."""
        return ",".join(chair.entropy for chair in self.chairs if chair is not None)


T = TypeVar("T", bound=Table)


@cache
def slots_of(state: type[Table]) -> tuple[tuple[str, type[Slot]], ...]:
    """The slots of capabilities in the states of a game, by name."""
    fields = ((field.name, type(field.default)) for field in msgspec.structs.fields(state))
    return tuple((name, kind) for name, kind in fields if issubclass(kind, Slot))


def presented(state: T, called: Called) -> T:
    """The state with these names of players, for display. All later states keep them."""
    return state if state.called is called else replace(state, called=called)


class SeatTaken(Event, frozen=True):
    """A player sat down and added entropy to the dice."""

    seat: Seat
    player: PlayerId
    entropy: Entropy

    def evolve(self, state: T) -> T:
        return _with_chair(state, self.seat, Chair(self.player, self.entropy))

    def form(self, say: object) -> Literal["plain", "entropy"]:
        return "entropy" if self.entropy else "plain"


class SeatLeft(Event, frozen=True):
    """A player left before the start."""

    seat: Seat

    def evolve(self, state: T) -> T:
        return _with_chair(state, self.seat, None)


class SeedRevealed(Event, frozen=True):
    """The secret seed, in hexadecimal: everybody can recompute the dice."""

    seed: Sha256

    def evolve(self, state: T) -> T:
        return replace(state, seed=self.seed)


def _with_chair(state: T, seat: int, chair: Chair | None) -> T:
    """Change a chair. Earlier consents to start are void, since the players have changed."""
    player = None if chair is None else chair.player
    others = tuple(None if other is None else other.agreeing(False) for other in state.chairs)
    return replace(
        state,
        chairs=put(others, seat, chair),
        player_ids=put(state.player_ids, seat, player),
        everybody=state.everybody if player is None else _with_player(state.everybody, player),
        sittings=state.sittings + (player is not None),
    )


def _with_player(everybody: tuple[str, ...], player: str) -> tuple[str, ...]:
    return everybody if player in everybody else (*everybody, player)


def offers_joining(state: Table) -> tuple[Offer, ...]:
    """Anybody may take a free seat before the start (`table/join`)."""
    free = tuple(seat for seat, chair in enumerate(state.chairs) if chair is None)
    seats = NumberChoice(free, "seat_taken", optional=True)
    blocked = None if free else "table_full"
    if state.sittings >= MOST_SITTINGS:
        blocked = "seated_too_often"
    return (Offer("TakeSeat", "table/join", {"seat": seats}, blocked_by=blocked),)


def take_seat(play: Course[T], seat: int | None, command: TakeSeat, offer: Offer) -> None:
    chairs = play.state.chairs
    taken = chairs.index(None) if command.seat is None else command.seat
    play.record(SeatTaken(taken, command.player, command.entropy), offer.rule)


def leave_seat(play: Course[T], seat: int, command: LeaveSeat, offer: Offer) -> None:
    play.record(SeatLeft(seat), offer.rule)


def reveal_seed(play: Course[T]) -> None:
    """Reveal the seed when the game is over (`chance/reveal`), unless other tables of a series have the same."""
    if play.state.series is None:
        play.record(SeedRevealed(play.chance.reveal()), "chance/reveal")


HOUSE = tuple(f"686f7573-6520-4626-8f74-{number:012x}" for number in range(1, 5))
"""The ids of house bots, which take over for players who left, the same on every server. Nobody registers under them.

To the rules they are nobody. Each can have one seat at a table.
"""


def people(state: Table) -> tuple[int, ...]:
    """The seats of a started game that people sit on, not house bots."""
    return tuple([seat for seat in state.taken if state.player_ids[seat] not in HOUSE])
