"""How a game flows: whom it waits for, and what happens by itself between two decisions."""

from collections.abc import Callable
from typing import Any, Literal

from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import Fact
from mcmulti.domain.core.offers import Offer, Rejection, admitting, open_offers, refusal
from mcmulti.domain.core.ruleset import Decision
from mcmulti.domain.core.table import leave_seat, offers_joining, offers_seated, take_seat
from mcmulti.domain.millionenspiel import (
    ending,
    pensions,
    returning,
    rounds,
    settling,
    staking,
    table,
    throwing,
)
from mcmulti.domain.millionenspiel.components import FIELDS, STANDSTILL, TRACK
from mcmulti.domain.millionenspiel.limits import LIMITS
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, Setup

NAME = "millionenspiel"
VERSION = 1

_CARRY_OUT: dict[type[Command], Callable[[Play, Any, Any, Offer], None]] = {
    TakeSeat: take_seat,
    LeaveSeat: leave_seat,
    StartGame: table.start_game,
    pensions.BuyPension: pensions.buy_pension,
    staking.Stake: staking.stake_pieces,
    throwing.AcceptThrow: throwing.accept_throw,
    throwing.DeclineThrow: throwing.decline_throw,
}


def open_game(game_id: str, setup: Setup, chance: Chance) -> Decision[Millionenspiel] | Rejection:
    """Set up a table."""
    opened = table.MillionenspielOpened(game_id, NAME, VERSION, setup, chance.commitment)
    return Decision((Fact(opened, "chance/commitment"),), opened.evolve(None))


def to_move(state: Millionenspiel) -> tuple[int, ...]:
    """Before the start all who sit at the table, then who has to stake, or the roller; nobody when it is over."""
    if state.phase == "seating":
        return state.seated
    if state.phase == "declining":
        return (state.roller,)
    return state.waiting[:1]


def status(state: Millionenspiel) -> Literal["open", "running", "finished"]:
    """``open`` before the start, ``finished`` at the end, ``running`` between."""
    if state.phase == "seating":
        return "open"
    return "finished" if state.phase == "over" else "running"


def offers(state: Millionenspiel, seat: int | None) -> tuple[Offer, ...]:
    """What a seat may do now, or what somebody without one may."""
    return open_offers(_stated(state, seat))


def _stated(state: Millionenspiel, seat: int | None) -> tuple[Offer, ...]:
    """All offers, those that are blocked as well."""
    if seat is None:
        return offers_joining(state) if state.phase == "seating" else ()
    if seat not in to_move(state):
        return ()
    if state.phase == "seating":
        return offers_seated(state, state.setup.seats, fewer_seats=False)
    return throwing.offers(state) if state.phase == "declining" else staking.offers(state)


def admit(state: Millionenspiel, seat: int | None, command: Any) -> Offer | Rejection:
    """The offer that makes a command legal, or why it is refused."""
    if isinstance(command, TakeSeat) and command.player in state.player_ids:
        return LIMITS["already_seated"].rejection()
    stated = _stated(state, seat)
    return admitting(stated, command) or refusal(stated, command, LIMITS) or _misplaced(state, seat, command)


def _misplaced(state: Millionenspiel, seat: int | None, command: Any) -> Rejection:
    """Why no offer is about this command."""
    at_the_table = isinstance(command, TakeSeat | LeaveSeat | StartGame)
    if seat is None and not isinstance(command, TakeSeat):
        code = "no_seat"
    elif state.phase == "over":
        code = "game_over"
    elif state.phase == "seating":
        code = "not_started"
    elif at_the_table:
        code = "game_started"
    else:
        code = "out_of_phase" if seat in to_move(state) else "out_of_turn"
    return LIMITS[code].rejection()


def carry_out(
    state: Millionenspiel, seat: int | None, command: Any, offer: Offer, chance: Chance
) -> Decision[Millionenspiel]:
    """What follows from a command that the offer admits: the events up to the next decision."""
    play = Play(state, chance, state.draws)
    _CARRY_OUT[type(command)](play, seat, command, offer)
    if play.state.phase == "declining":
        _finish_round(play)
    if play.state.phase == "staking":
        staking.skip_the_poor(play)
        if not play.state.waiting:
            throwing.throw_first(play)
    return Decision(play.facts, play.state)


def _finish_round(play: Play) -> None:
    """The first throw is accepted or replaced: move, settle, pay pensions, give stakes back; then the next round."""
    throwing.follow_doubles(play)
    start, steps = play.state.pawn, sum(throw.sum for throw in play.state.throws)
    laps, field = divmod(start + steps, FIELDS)
    play.record(throwing.PawnMoved(steps, laps, field, TRACK[field]), "roll/double")
    settling.settle(play)
    if ending.somebody_won(play):
        return
    pensions.pay(play, laps)
    if ending.somebody_won(play):
        return
    returning.return_stakes(play)
    returning.exchange_all(play)
    idle = rounds.idle_rounds(play.state)
    if idle == STANDSTILL:
        ending.end(play, "standstill", "table/standstill")
        return
    rounds.begin_round(play, play.state.order[0], idle)
