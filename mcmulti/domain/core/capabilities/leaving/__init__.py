"""Leaving a running game: resigning, substitutes, house bots, and vacant seats.

A game adds its own part to `Leaving`: how to sell what a player leaves behind, if it has a rule for that.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, cast

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier
from mcmulti.domain.core.capabilities.leaving.departures import NO_DEPARTURES, departures_of
from mcmulti.domain.core.commands import Command, TakeSeat
from mcmulti.domain.core.course import unasked
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import PlayerId, Seat
from mcmulti.domain.core.offers import Field, Limit, NumberChoice, Offer, Rejection, TextChoice, plain
from mcmulti.domain.core.table import Table, people
from mcmulti.domain.core.tuples import put

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

T = TypeVar("T", bound=Table)
Why = Literal["resigned", "missed", "returned", "last"]
IfLeft = Literal["substitute", "bot", "sold", "passes"]
"""What happens to the seat of a player who leaves a running game."""
IfLeftOption = Annotated[
    IfLeft,
    Meta(
        description="What happens to the seat of a player who leaves a running game (`table/resign`). `substitute`: "
        "anyone"
        " may take it. `bot`: a house bot plays until the player returns. `sold`: its assets are sold. `passes`: it"
        " passes until the end."
    ),
]
"""The field of a setup."""

LIMITS = (
    Limit("seat_not_vacant", "table/substitute"),
    Limit("no_substitutes", "table/substitute"),
    Limit("entropy_late", "table/substitute"),
    Limit("not_sold", "table/resign"),
    Limit("no_house", "table/resign"),
)
"""The limits for leaving a running game, and for sitting down in it."""


class Resign(Command, frozen=True):
    """Leave the running game for good (`table/resign`)."""


class SeatVacated(Event, frozen=True):
    """A seat became vacant. `why`: its player resigned, or missed too many moves; or a house bot left, because its
    player returned, or because only one player remained.
    """

    counted: ClassVar[str] = "seats_vacated"

    seat: Seat
    why: Why

    def evolve(self, state: T) -> T:
        departures = departures_of(state)
        tenants = departures.tenants or tuple((player,) for player in state.player_ids if player is not None)
        vacated: T = state.vacated(self.seat)
        return replace(vacated, departures=replace(departures, tenants=tenants))

    def form(self, say: object) -> Why:
        return self.why


class SubstituteSatDown(Event, frozen=True):
    """A player sat down on a vacant seat and plays on from there. The entropy of the dice stays the same."""

    seat: Seat
    player: PlayerId

    def evolve(self, state: T) -> T:
        departures = departures_of(state)
        tenants = put(departures.tenants, self.seat, (*departures.tenants[self.seat], self.player))
        reseated: T = state.reseated(self.seat, self.player)
        return replace(reseated, departures=replace(departures, tenants=tenants))


class LastRemained(Event, frozen=True):
    """All others have left: the remaining player wins."""

    seat: Seat

    def evolve(self, state: T) -> T:
        return replace(state, departures=replace(departures_of(state), ended="left"))


RESIGN = plain("Resign", "table/resign")


def _offers_vacant(state: Any) -> tuple[Offer, ...]:
    """A player without a seat may take a vacant one (`table/substitute`), unless it is reserved for somebody else."""
    if state.setup.if_left == "bot" and len(people(state)) < len(state.player_ids):
        return ()
    vacant, blocked = state.vacant, None
    if not vacant:
        blocked = "game_started"
    elif state.setup.if_left != "substitute":
        blocked = "no_substitutes"
    return (Offer("TakeSeat", "table/substitute", vacant_seats(vacant), blocked_by=blocked),)


def vacant_seats(vacant: tuple[int, ...]) -> dict[str, Field]:
    """The vacant seats of a running game, as a field to choose from."""
    return {
        "seat": NumberChoice(vacant, "seat_not_vacant", optional=True),
        "entropy": TextChoice(("",), "entropy_late"),
    }


def vacate(game: "GameFlow[Any]", play: Course[T], seat: int, why: Why, rule: str) -> None:
    """Vacate a seat. The setup decides what follows, unless only one player is left, who wins."""
    play.record(SeatVacated(seat, why), rule)
    left = people(play.state)
    if len(left) == 1:
        for bot in set(play.state.taken) - set(left):
            play.record(SeatVacated(bot, "last"), "table/last")
        play.record(LastRemained(left[0]), "table/last")
        game.finish(play, "table/last")
        return
    for capability in game.capabilities:
        capability.left(game, play, seat)


def _resign(game: "GameFlow[Any]", play: Course[T], seat: int, command: Resign, offer: Offer) -> None:
    vacate(game, play, seat, "resigned", offer.rule)


def _sit_down(game: "GameFlow[Any]", play: Course[T], seat: int | None, command: TakeSeat, offer: Offer) -> None:
    """Take a vacant seat: the first, unless one is named. A house bot that plays there makes room."""
    taken = cast(NumberChoice, offer.fields["seat"]).options[0] if command.seat is None else command.seat
    if play.state.player_ids[taken] is not None:
        play.record(SeatVacated(taken, "returned"), offer.rule)
    play.record(SubstituteSatDown(taken, command.player), offer.rule)


class PlaysOn(Capability, frozen=True, kw_only=True):
    """Base of the capability that takes over for players who left (`bot`), and makes room when they come back."""


class Leaving(Capability, frozen=True, kw_only=True):
    """Players leaving and joining a running game.

    `sell_out`: sells what a departed player had (`sold` in the setup); None if nothing can be sold.
    """

    room: ClassVar[str] = __name__
    option: ClassVar[str] = "if_left"
    slot: ClassVar[str] = "departures"
    events: ClassVar[tuple[type[Event], ...]] = (SeatVacated, SubstituteSatDown, LastRemained)
    limits: ClassVar[tuple[Limit, ...]] = LIMITS
    carriers: ClassVar[Mapping[type[Command], CapabilityCarrier]] = {Resign: _resign}
    joining: ClassVar[Mapping[type[Command], CapabilityCarrier]] = {TakeSeat: _sit_down}
    undecided: ClassVar[tuple[type[Command], ...]] = (Resign,)

    sell_out: Callable[[Any, int], None] | None = None

    def unfit(self, game: "GameFlow[Any]", setup: Any) -> Rejection | None:
        """`sold` needs something that can be sold, and `bot` needs somebody who takes over (`table/resign`)."""
        codes = {limit.code: limit for limit in LIMITS}
        if setup.if_left == "sold" and self.sell_out is None:
            return codes["not_sold"].rejection("if_left")
        if setup.if_left == "bot" and not any(isinstance(each, PlaysOn) for each in game.capabilities):
            return codes["no_house"].rejection("if_left")
        return None

    def besides(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        return (RESIGN,)

    def offers_to_server(self, game: "GameFlow[Any]", state: Any) -> tuple[Offer, ...]:
        return _offers_vacant(state)

    def settles(self, game: "GameFlow[Any]", course: Course[Any], command: Any) -> bool:
        """Leaving is final."""
        return isinstance(command, Resign)

    def left(self, game: "GameFlow[Any]", course: Course[Any], seat: int) -> None:
        if self.sell_out is not None and course.state.setup.if_left == "sold":
            self.sell_out(course, seat)

    def follow(self, game: "GameFlow[Any]", course: Course[Any], before: Any, seat: int | None, command: Any) -> None:
        """A vacant seat blocks nobody: it gets the default answers (`table/vacant`)."""
        if course.state.departures == NO_DEPARTURES:
            return
        while (asked := course.state.to_move) and not set(asked) & set(course.state.taken):
            unasked.move_unasked(game, course, asked[0], "vacant")
