"""Taking moves back, where the table agreed to that beforehand: an event that leads back, never an erasure."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course import Course
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import FlagChoice, Limit, Offer, Range, plain
from mcmulti.domain.core.posting import Transfer
from mcmulti.domain.core.table import Appeal, Mark, Table

T = TypeVar("T", bound=Table)

RULE = "table/undo"
DEPTH = 32
"""Moves that can be taken back at most."""

_KEPT = ("timing", "departures", "called", "everybody", "instructed", "salts")
"""What no move changes, and nobody takes back: time above all."""

Moves = Annotated[int, Meta(ge=1, le=DEPTH, description="How many moves, the latest first.")]

LIMITS = (
    Limit("no_undo", RULE),
    Limit("nothing_to_take_back", RULE),
    Limit("undo_alone", RULE),
    Limit("undo_asked", RULE),
    Limit("undo_not_asked", RULE),
)
"""What keeps people from taking moves back."""


class TakeBack(Command, frozen=True):
    """Take back moves of one's own that nobody else moved after, and nothing was drawn after (`table/undo`)."""

    moves: Moves


class AskTakeBack(Command, frozen=True):
    """Ask the others to take back moves that others made among them (`table/undo`)."""

    moves: Moves


class AnswerTakeBack(Command, frozen=True):
    """Let moves be taken back, as another player asked for, or not (`table/undo`). `accept`: whether to let it."""

    accept: bool


COMMANDS: tuple[type[Command], ...] = (TakeBack, AskTakeBack, AnswerTakeBack)
"""They are no moves: they cannot be taken back, and keep nothing before them from being taken back."""


_NEVER = tuple(plain(kind.__name__, RULE, "no_undo") for kind in COMMANDS)
_YES_OR_NO = FlagChoice((False, True))


class MoveClosed(Event, frozen=True):
    """All that a move led to has happened. `returns` is what moves in the books when it is taken back.

    `final`: neither it nor anything before it can be taken back, because something was drawn, or the game moved by
    itself.
    """

    seat: Seat | None
    final: bool
    returns: tuple[Transfer, ...]

    def evolve(self, state: T) -> T:
        wary = tuple(seat for seat in state.wary if seat != self.seat)
        bare: T = replace(state, trail=(), appeal=None, denied=(), wary=wary)
        base = () if self.final else state.trail[-DEPTH:]
        return replace(bare, trail=(*base, Mark(bare, self.seat, self.returns)))

    def form(self, say: object) -> Literal["mine", "nobodys"]:
        return "nobodys" if self.seat is None else "mine"


class MovesTakenBack(Event, frozen=True):
    """The latest moves were taken back: the game is where it was before them. `returned` is what moved in the books."""

    seat: Seat
    moves: Moves
    returned: tuple[Transfer, ...]

    def evolve(self, state: T) -> T:
        trail = state.trail[: -self.moves]
        wary = tuple(seat for seat, player in enumerate(state.player_ids) if player is not None and seat != self.seat)
        before: T = trail[-1].state
        kept = {name: getattr(state, name) for name in _KEPT}
        return replace(before, trail=trail, wary=wary, **kept)

    def transfers(self) -> tuple[Transfer, ...]:
        return self.returned

    def form(self, say: object) -> Literal["one", "several"]:
        return "one" if self.moves == 1 else "several"


class TakeBackAsked(Event, frozen=True):
    """Somebody asked the others to take the latest moves back."""

    seat: Seat
    moves: Moves

    def evolve(self, state: T) -> T:
        others = tuple(seat for seat, player in enumerate(state.player_ids) if player and seat != self.seat)
        return replace(state, appeal=Appeal(self.seat, self.moves, others))

    def form(self, say: object) -> Literal["one", "several"]:
        return "one" if self.moves == 1 else "several"


class TakeBackAnswered(Event, frozen=True):
    """Somebody lets the moves be taken back, or does not. `accepted`: whether it does."""

    seat: Seat
    accepted: bool

    def evolve(self, state: T) -> T:
        asked = state.appeal
        if asked is None:
            raise ValueError("nobody asked for moves to be taken back")
        if not self.accepted:
            return replace(state, appeal=None, denied=(*state.denied, asked.seat))
        return replace(state, appeal=replace(asked, waiting=tuple(seat for seat in asked.waiting if seat != self.seat)))

    def form(self, say: object) -> Literal["yes", "no"]:
        return "yes" if self.accepted else "no"


def offers(state: T, seat: int, turn: Callable[[T], int]) -> tuple[Offer, ...]:
    """Take back, ask for it, answer who asked: out of turn as well, blocked offers among it (`table/undo`)."""
    undo = state.setup.undo
    if undo == "no":
        return _NEVER
    own, back, appeal = _own(state, seat), _back(state, seat, turn), state.appeal
    limit = "nothing_to_take_back" if own == back else "undo_alone"
    more = None if back > own else "nothing_to_take_back"
    if undo == "own":
        more = "no_undo"
    elif appeal or seat in state.denied:
        more = "undo_asked"
    asked = appeal is not None and seat in appeal.waiting
    return (
        Offer("TakeBack", RULE, {"moves": Range(1, own, limit)}, blocked_by=None if own else limit),
        Offer("AskTakeBack", RULE, {"moves": Range(own + 1, back, "nothing_to_take_back")}, blocked_by=more),
        Offer("AnswerTakeBack", RULE, {"accept": _YES_OR_NO}, blocked_by=None if asked else "undo_not_asked"),
    )


def _own(state: Table, seat: int) -> int:
    """How many of the latest moves are this seat's; what the trail begins with is none.

    Where a clock runs for another, none: who took them back would gain time.
    """
    if state.setup.clock is not None and seat not in state.movers:
        return 0
    count = 0
    for mark in reversed(state.trail[1:]):
        if mark.seat != seat:
            break
        count += 1
    return count


def _back(state: T, seat: int, turn: Callable[[T], int]) -> int:
    """How many moves a seat may take back, with leave of all others.

    With a clock only the seat that is asked, whose time it costs, and none of an earlier turn: so it gains no time.
    """
    most = max(len(state.trail) - 1, 0)
    if state.setup.clock is None:
        return most
    if seat not in state.movers:
        return 0
    earlier = (count for count in range(1, most + 1) if turn(state.trail[-count - 1].state) != turn(state))
    return next(earlier, most + 1) - 1


def take_back(play: Course[T], seat: int, command: TakeBack, offer: Offer) -> None:
    _lead_back(play, seat, command.moves)


def ask_take_back(play: Course[T], seat: int, command: AskTakeBack, offer: Offer) -> None:
    play.record(TakeBackAsked(seat, command.moves), RULE)


def answer_take_back(play: Course[T], seat: int, command: AnswerTakeBack, offer: Offer) -> None:
    play.record(TakeBackAnswered(seat, command.accept), RULE)
    asked = play.state.appeal
    if command.accept and asked is not None and not asked.waiting:
        _lead_back(play, asked.seat, asked.moves)


def _lead_back(play: Course[T], seat: int, moves: int) -> None:
    returned = tuple(moved for mark in reversed(play.state.trail[-moves:]) for moved in mark.returns)
    play.record(MovesTakenBack(seat, moves, returned), RULE)


def close_move(play: Course[T], seat: int | None, stands: bool) -> None:
    """Say that all has happened that a move led to; whether it stands, as a game that moved by itself always does."""
    final = stands or seat is None
    returns: tuple[Transfer, ...] = ()
    if not final:
        moved = [moved for fact in play.facts for moved in fact.event.transfers()]
        returns = tuple([_reversed(each) for each in reversed(moved)])
    play.record(MoveClosed(seat, final, returns), RULE)


def _reversed(moved: Transfer) -> Transfer:
    return Transfer(moved.target, moved.source, moved.unit, moved.amount, moved.reason)


CARRIERS: dict[type[Command], Any] = {
    TakeBack: take_back,
    AskTakeBack: ask_take_back,
    AnswerTakeBack: answer_take_back,
}
"""What carries out each of the commands."""
