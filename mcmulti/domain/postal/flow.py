"""How a game by post flows: the table, rounds that wait for sheets, the end."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.course import Fact
from mcmulti.domain.core.offers import Offer, Rejection, admitting, open_offers, refusal
from mcmulti.domain.core.rounds import Pace
from mcmulti.domain.core.ruleset import Decision
from mcmulti.domain.core.table import leave_seat, offers_joining, offers_seated, take_seat
from mcmulti.domain.postal import commands, refereeing
from mcmulti.domain.postal.commands import Command
from mcmulti.domain.postal.components import PLAYERS
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.refereeing import OrdersSubmitted, RoundBegan
from mcmulti.domain.postal.refusals import not_waiting, refused, too_large
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.sheet import OrderSheet
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.table import PostalGameOpened, start_game

VERSION = 1
HOUR = 3600
"""Seconds."""

_CARRY_OUT: dict[type[Command], Callable[[Play, Any, Any, Offer], None]] = {
    commands.TakeSeat: take_seat,
    commands.LeaveSeat: leave_seat,
    commands.StartGame: start_game,
    commands.SubmitOrders: refereeing.submit_orders,
    commands.WithdrawOrders: refereeing.withdraw_orders,
    commands.HoldRound: refereeing.hold_round,
    commands.CloseRound: refereeing.close_round,
}


def open_game(game_id: str, setup: PostalSetup, chance: Chance) -> Decision[State] | Rejection:
    """Set up a table."""
    opened = PostalGameOpened(game_id, "postal", VERSION, setup, chance.commitment)
    return Decision((Fact(opened, "chance/commitment"),), opened.evolve(None))


def to_move(state: State) -> tuple[int, ...]:
    """The seats the game waits for: those whose sheet is missing, then those who hold the round.

    Others may move as well: a sheet can be replaced, and a round held, until the round is refereed.
    """
    if state.phase == "seating":
        return state.seated
    if state.phase != "orders":
        return ()
    return state.missing or tuple(seat for seat, holds in enumerate(state.holds) if holds)


def offers(state: State, seat: int | None) -> tuple[Offer, ...]:
    """What a seat may do now; without a seat, sitting down before the start and closing the round after it."""
    return open_offers(_all_offers(state, seat))


def _all_offers(state: State, seat: int | None) -> tuple[Offer, ...]:
    if state.phase == "seating":
        return offers_joining(state) if seat is None else _offers_seated(state, seat)
    if state.phase != "orders":
        return ()
    return refereeing.offers_closing(state) if seat is None else refereeing.offers(state, seat)


def _offers_seated(state: State, seat: int) -> tuple[Offer, ...]:
    return offers_seated(state, PLAYERS, fewer_seats=False) if seat in state.seated else ()


def admit(state: State, seat: int | None, command: Command) -> Offer | Rejection:
    """The offer that makes a command legal, or why it is refused."""
    if isinstance(command, commands.TakeSeat) and command.player in state.player_ids:
        seat = state.player_ids.index(command.player)
    offers = _all_offers(state, seat)
    return admitting(offers, command) or _refusal(state, seat, command, offers)


def carry_out(state: State, seat: int | None, command: Command, offer: Offer, chance: Chance) -> Decision[State]:
    """What follows from a command that the offer admits, a whole round if it is complete with it."""
    play = Play(state, chance, state.draws)
    _CARRY_OUT[type(command)](play, seat, command, offer)
    return Decision(play.facts, play.state)


def _refusal(state: State, seat: int | None, command: Command, offers: tuple[Offer, ...]) -> Rejection:
    nearest = refusal(offers, command, LIMITS)
    if nearest is None:
        return _misplaced(state, seat, command)
    if nearest.field == "sheet" and isinstance(command, commands.SubmitOrders):
        return too_large(command.sheet) or nearest
    return nearest


def _misplaced(state: State, seat: int | None, command: Command) -> Rejection:
    """Why no offer is about this command: the game is elsewhere, or it is not for this seat."""
    joining = isinstance(command, commands.TakeSeat)
    if joining and seat is not None:
        return refused("already_seated")
    if seat is None and not joining and not isinstance(command, commands.CloseRound):
        return refused("no_seat")
    if isinstance(command, commands.CloseRound) and seat is not None:
        return refused("not_for_seats")
    return not_waiting(state) or refused("game_started")


def status(state: State) -> Literal["open", "running", "finished"]:
    """``open`` before the start, ``finished`` at the end, ``running`` between."""
    if state.phase == "seating":
        return "open"
    return "finished" if state.phase == "over" else "running"


def pace(state: State) -> Pace | None:
    """How long the game waits for the sheets of this round (`postal/deadline`)."""
    if state.phase != "orders":
        return None
    hours = state.setup.round_hours
    return Pace(state.round, hours * HOUR, (hours + state.setup.grace_hours) * HOUR)


def timeout(state: State) -> Command:
    """The command that closes the round."""
    return commands.CloseRound(state.round)


def sealed(state: State, event: Any, seat: int | None) -> bool:
    """A sheet, whatever became of it, is its owner's alone until the game is over (`postal/orders`)."""
    return isinstance(event, OrdersSubmitted) and state.phase != "over" and event.seat != seat


def stand_in(types: Sequence[str], seat: int) -> OrdersSubmitted | None:
    """What to fold for the last of the events of these types, which is sealed: a sheet is in, and says nothing.

    None if nothing of the kind is ever sealed.
    """
    if types[-1] != OrdersSubmitted.__name__:
        return None
    return OrdersSubmitted(seat, types.count(RoundBegan.__name__), OrderSheet(), "0" * 32)
