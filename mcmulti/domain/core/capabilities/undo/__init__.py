"""Undo, if the table agreed to it: an event that leads back, never an erasure."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, cast

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Capability, CapabilityCarrier
from mcmulti.domain.core.capabilities.clock import agreed_clock
from mcmulti.domain.core.capabilities.undo.trail import (
    Aftermath,
    MoveClosed,
    Moves,
    MovesTakenBack,
    TakeBackAnswered,
    TakeBackAsked,
    undoing_of,
)
from mcmulti.domain.core.commands import Command, Place
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import FlagChoice, Limit, Offer, Range, plain
from mcmulti.domain.core.table import Table

if TYPE_CHECKING:
    from mcmulti.domain.core.flow import GameFlow

T = TypeVar("T", bound=Table)

RULE = "table/undo"
IN_A_ROW = 10
"""How often a seat can take moves back until another seat moves, or something is drawn."""

Undo = Literal["no", "own", "agreed"]
"""Whether moves can be taken back."""
UndoOption = Annotated[
    Undo,
    Meta(
        description="Whether moves can be taken back (`table/undo`). `own`: your own moves, until another player "
        "moves or"
        " something is drawn. `agreed`: also earlier moves up to the last draw, if all other players agree."
    ),
]
"""The field of a setup."""
LIMITS = (
    Limit("no_undo", RULE),
    Limit("nothing_to_take_back", RULE),
    Limit("undo_alone", RULE),
    Limit("undo_asked", RULE),
    Limit("undo_not_asked", RULE),
    Limit("undone_too_often", RULE),
)
"""The limits for taking moves back."""


class TakeBack(Command, frozen=True):
    """Take back your latest moves, if nobody else moved and nothing was drawn after them (`table/undo`)."""

    place: ClassVar[Place | None] = "back"

    moves: Moves

    @staticmethod
    def form(offer: Offer) -> Literal["one", "several"]:
        return "one" if offer.fields["moves"].forced else "several"


class AskTakeBack(Command, frozen=True):
    """Ask the others to take back moves, including moves of other players (`table/undo`)."""

    moves: Moves

    @staticmethod
    def form(offer: Offer) -> Literal["one", "all", "some"]:
        moves = cast(Range, offer.fields["moves"])
        if not moves.forced:
            return "some"
        return "one" if moves.max == 1 else "all"


class AnswerTakeBack(Command, frozen=True):
    """Allow or refuse another player's request to take moves back (`table/undo`). `accept`: whether to allow it."""

    place: ClassVar[Place | None] = "answer"

    accept: bool


COMMANDS: tuple[type[Command], ...] = (TakeBack, AskTakeBack, AnswerTakeBack)
"""These are not moves: they cannot be taken back, and do not keep earlier moves from being taken back."""


_NEVER = tuple(plain(kind.__name__, RULE, "no_undo") for kind in COMMANDS)
_YES_OR_NO = FlagChoice((False, True))


def _offers(state: Any, seat: int, turn: Callable[[Any], int]) -> tuple[Offer, ...]:
    """Take back, ask for it, or answer such a request, even out of turn. Includes blocked offers (`table/undo`)."""
    undo = state.setup.undo
    if undo == "no":
        return _NEVER
    own, back, undoing = _own(state, seat), _back(state, seat, turn), undoing_of(state)
    appeal = undoing.appeal
    limit = "nothing_to_take_back" if own == back else "undo_alone"
    more = None if back > own else "nothing_to_take_back"
    if undo == "own":
        more = "no_undo"
    elif appeal or seat in undoing.denied:
        more = "undo_asked"
    alone = None if own else limit
    if undoing.taker == seat and undoing.times >= IN_A_ROW:
        alone, more = alone or "undone_too_often", more or "undone_too_often"
    asked = appeal is not None and seat in appeal.waiting
    return (
        Offer("TakeBack", RULE, {"moves": Range(1, own, limit)}, blocked_by=alone),
        Offer("AskTakeBack", RULE, {"moves": Range(own + 1, back, "nothing_to_take_back")}, blocked_by=more),
        Offer("AnswerTakeBack", RULE, {"accept": _YES_OR_NO}, blocked_by=None if asked else "undo_not_asked"),
    )


def _timed(state: Any) -> bool:
    """Whether moves at a table have time limits."""
    return agreed_clock(state.setup) is not None


def _own(state: Any, seat: int) -> int:
    """How many of the latest moves are this seat's. The first entry of the trail is not a move.

    None if a clock runs for another seat, which would gain time by an undo.
    """
    if _timed(state) and seat not in state.movers:
        return 0
    count = 0
    for mark in reversed(undoing_of(state).trail[1:]):
        if mark.seat != seat:
            break
        count += 1
    return count


def _back(state: Any, seat: int, turn: Callable[[Any], int]) -> int:
    """How many moves a seat may take back with the consent of all others.

    With a clock, only the asked seat may, since it costs its own time, and only moves of this turn, so that it gains
    none.
    """
    trail = undoing_of(state).trail
    most = max(len(trail) - 1, 0)
    if not _timed(state):
        return most
    if seat not in state.movers:
        return 0
    earlier = (count for count in range(1, most + 1) if turn(trail[-count - 1].state) != turn(state))
    return next(earlier, most + 1) - 1


def _take_back(game: "GameFlow[Any]", play: Course[T], seat: int, command: TakeBack, offer: Offer) -> None:
    _lead_back(play, seat, command.moves)


def _ask_take_back(game: "GameFlow[Any]", play: Course[T], seat: int, command: AskTakeBack, offer: Offer) -> None:
    play.record(TakeBackAsked(seat, command.moves), RULE)


def _answer_take_back(game: "GameFlow[Any]", play: Course[T], seat: int, command: AnswerTakeBack, offer: Offer) -> None:
    play.record(TakeBackAnswered(seat, command.accept), RULE)
    asked = undoing_of(play.state).appeal
    if command.accept and asked is not None and not asked.waiting:
        _lead_back(play, asked.seat, asked.moves)


def _lead_back(play: Course[T], seat: int, moves: int) -> None:
    returned = tuple(moved for mark in reversed(undoing_of(play.state).trail[-moves:]) for moved in mark.returns)
    play.record(MovesTakenBack(seat, moves, returned), RULE)


def _close_move(play: Course[T], seat: int | None, stands: bool) -> None:
    """Record that a move is complete, and whether it is final, as a game that advanced by itself always is."""
    final = stands or seat is None
    returns: tuple[Transfer, ...] = ()
    if not final:
        moved = [moved for fact in play.facts for moved in fact.event.transfers()]
        returns = tuple([replace(each, source=each.target, target=each.source) for each in reversed(moved)])
    play.record(MoveClosed(seat, final, returns), RULE)


class TakingBack(Capability, frozen=True, kw_only=True):
    """Undo, in games that ask one seat at a time."""

    room: ClassVar[str] = __name__
    option: ClassVar[str] = "undo"
    slot: ClassVar[str] = "undoing"
    events: ClassVar[tuple[type[Event], ...]] = (MoveClosed, MovesTakenBack, TakeBackAsked, TakeBackAnswered)
    limits: ClassVar[tuple[Limit, ...]] = LIMITS
    carriers: ClassVar[Mapping[type[Command], CapabilityCarrier]] = {
        TakeBack: _take_back,
        AskTakeBack: _ask_take_back,
        AnswerTakeBack: _answer_take_back,
    }
    aside: ClassVar[tuple[type[Command], ...]] = COMMANDS

    def concerns(self, setup: Any) -> bool:
        return bool(setup.undo != "no")

    def wary(self, state: Any) -> tuple[int, ...]:
        return undoing_of(state).wary

    def aftermath(self, events: Sequence[Event]) -> Aftermath:
        return Aftermath(events)

    def besides(self, game: "GameFlow[Any]", state: Any, seat: int) -> tuple[Offer, ...]:
        return _offers(state, seat, game.turn_of)

    def follow(self, game: "GameFlow[Any]", course: Course[Any], before: Any, seat: int | None, command: Any) -> None:
        """Close the move, unless the command is not a move."""
        if isinstance(command, game.aside) or course.state.status != "running":
            return
        drawn = course.draws != before.draws
        stands = drawn or game.stands(course) or any(each.settles(game, course, command) for each in game.capabilities)
        _close_move(course, seat, stands)
