"""How a game flows: which phase asks whom, and what happens by itself between two decisions."""

from collections.abc import Callable
from typing import Any, Literal

from mcmulti.domain.core import table as common
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.course import Fact
from mcmulti.domain.core.offers import Offer, Rejection, admitting, open_offers, refusal
from mcmulti.domain.core.ruleset import Decision
from mcmulti.domain.mcmulti import (
    assets,
    commands,
    dice,
    ending,
    market,
    news,
    operations,
    production,
    purchase,
    table,
    warming,
)
from mcmulti.domain.mcmulti.commands import Command
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import Phase, State

VERSION = 1

_OFFERS: dict[Phase, Callable[[State, int, bool], tuple[Offer, ...]]] = {
    "purchase": purchase.offers,
    "market": market.offers,
    "news": news.offers,
    "production": production.offers,
    "neighbours": production.offers,
    "assets": assets.offers,
}

_PROCEED: dict[Phase, Callable[[Play], None]] = {
    "purchase": purchase.proceed,
    "market": dice.roll_for_ghost,
    "news": news.proceed,
    "dice": dice.proceed,
    "production": production.proceed,
    "neighbours": production.proceed,
}

_CARRY_OUT: dict[type[Command], Callable[[Play, Any, Any, Offer], None]] = {
    commands.TakeSeat: common.take_seat,
    commands.LeaveSeat: common.leave_seat,
    commands.StartGame: table.start_game,
    commands.EndPurchases: purchase.end_purchases,
    commands.BuyBarrels: market.buy_barrels,
    commands.SellBarrels: market.sell_barrels,
    commands.RollDice: dice.roll_dice,
    commands.SellGasoline: operations.sell_gasoline,
    commands.RefineCrude: operations.refine_crude,
    commands.PumpCrude: operations.pump_crude,
    commands.StrikeOil: operations.strike_oil,
    commands.EndProduction: production.end_production,
    commands.BuyAsset: purchase.buy_asset,
    commands.SellAsset: assets.sell_asset,
    commands.CleanUp: warming.clean_up,
    commands.EndCleanUp: warming.end_clean_up,
    commands.EndTurn: ending.end_turn,
    commands.DeclareVictory: ending.declare_victory,
}


def open_game(game_id: str, setup: Setup, chance: Chance) -> Decision[State] | Rejection:
    """Set up a table; rejected when the first seat is not one of its seats (`setup/first-player`)."""
    if setup.first_seat is not None and setup.first_seat >= setup.seats:
        return LIMITS["first_seat_unknown"].rejection("first_seat", setup.seats - 1)
    opened = table.GameOpened(game_id, "mcmulti", VERSION, setup, chance.commitment)
    return Decision((Fact(opened, "chance/commitment"),), opened.evolve(None))


def to_move(state: State) -> tuple[int, ...]:
    """The seats the game waits for: before the start all who sit at the table, none when it is over.

    Between two events of one decision it waits for nobody.
    """
    if state.phase == "seating":
        return state.seated
    seat = _mover(state)
    return () if seat is None else (seat,)


def _mover(state: State) -> int | None:
    """The one seat a game waits for once it started, None when it is over."""
    phase, turn = state.phase, state.turn
    if phase == "over":
        return None
    if turn is None:
        return state.owners[state.purchases[0]] if state.purchases else None
    if phase in ("production", "neighbours"):
        return state.owners[turn.operating]
    if phase == "news":
        return turn.dues[0].seat if turn.dues else None
    return turn.seat


def offers(state: State, seat: int | None) -> tuple[Offer, ...]:
    """What a seat may do now, or what somebody without one may; empty when others are to move."""
    return open_offers(_stated(state, seat, False))


def _stated(state: State, seat: int | None, complete: bool) -> tuple[Offer, ...]:
    """All open offers; with `complete` all that are blocked as well, else some of them."""
    if seat is None:
        return common.offers_joining(state) if state.phase == "seating" else ()
    if state.phase == "seating":
        return common.offers_seated(state, 2, fewer_seats=state.setup.fewer_seats) if seat in state.seated else ()
    return _OFFERS[state.phase](state, seat, complete) if seat == _mover(state) else ()


def admit(state: State, seat: int | None, command: Command) -> Offer | Rejection:
    """The offer that makes a command legal, or why it is refused."""
    if isinstance(command, commands.TakeSeat) and command.player in players(state):
        seat = players(state).index(command.player)
    offer = admitting(_stated(state, seat, False), command)
    if offer is None:
        return refusal(_stated(state, seat, True), command, LIMITS) or _misplaced(state, seat, command)
    return offer


def carry_out(state: State, seat: int | None, command: Command, offer: Offer, chance: Chance) -> Decision[State]:
    """What follows from a command that the offer admits: the events up to the next decision."""
    play = Play(state, chance, state.draws)
    _CARRY_OUT[type(command)](play, seat, command, offer)
    warming.lift_warming(play)
    _proceed(play)
    return Decision(play.facts, play.state)


def _proceed(play: Play) -> None:
    """Do what happens by itself until somebody must decide."""
    before = None
    while before is not play.state and play.state.phase in _PROCEED:
        before = play.state
        _PROCEED[before.phase](play)


def _misplaced(state: State, seat: int | None, command: Command) -> Rejection:
    """Why no offer is about this command: the game, the turn or the phase is another."""
    joining = isinstance(command, commands.TakeSeat)
    if joining and seat is not None:
        code = "already_seated"
    elif seat is None and not joining:
        code = "no_seat"
    elif state.phase == "over":
        code = "game_over"
    elif state.phase == "seating":
        code = "not_started"
    elif isinstance(command, commands.TakeSeat | commands.LeaveSeat | commands.StartGame):
        code = "game_started"
    else:
        code = "out_of_phase" if seat in to_move(state) else "out_of_turn"
    return LIMITS[code].rejection()


def status(state: State) -> Literal["open", "running", "finished"]:
    """``open`` before the start, ``finished`` at the end, ``running`` between."""
    if state.phase == "seating":
        return "open"
    return "finished" if state.phase == "over" else "running"


def players(state: State) -> tuple[str | None, ...]:
    """Who sits where, by seat: player ids, None for an empty seat."""
    return state.player_ids
