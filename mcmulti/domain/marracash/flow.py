"""How a game flows: what is decided by whom, and what happens by itself between two decisions."""

from collections.abc import Callable
from typing import Any, Literal

from mcmulti.domain.core import table as common
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.course import Fact
from mcmulti.domain.core.offers import Offer, Rejection, admitting, open_offers, refusal
from mcmulti.domain.core.ruleset import Decision
from mcmulti.domain.marracash import auction, commands, entrances, moves, table, turns
from mcmulti.domain.marracash.commands import Command
from mcmulti.domain.marracash.limits import LIMITS
from mcmulti.domain.marracash.state import Bazaar, MarraCashSetup, Play

NAME = "marracash"
VERSION = 1

_CARRY_OUT: dict[type[Command], Callable[[Play, Any, Any, Offer], None]] = {
    commands.TakeSeat: common.take_seat,
    commands.LeaveSeat: common.leave_seat,
    commands.StartGame: table.start_game,
    commands.PutUp: auction.put_up,
    commands.Bid: auction.bid,
    commands.PassBid: auction.pass_bid,
    commands.MoveGroup: moves.move_group,
    commands.LetIn: entrances.let_in,
}


def open_game(game_id: str, setup: MarraCashSetup, chance: Chance) -> Decision[Bazaar] | Rejection:
    """Set up a table."""
    opened = table.BazaarOpened(game_id, NAME, VERSION, setup, chance.commitment)
    return Decision((Fact(opened, "chance/commitment"),), opened.evolve(None))


def to_move(state: Bazaar) -> tuple[int, ...]:
    """The seats the game waits for: before the start all who sit at the table, none when it is over."""
    match state.phase:
        case "seating":
            return state.seated
        case "bidding":
            return () if state.now.asked is None else (state.now.asked,)
        case "actions" | "entrances":
            return (state.seat,)
    return ()


def offers(state: Bazaar, seat: int | None) -> tuple[Offer, ...]:
    """What a seat may do now, or what somebody without one may; empty when others are to move."""
    return open_offers(_stated(state, seat, False))


def _stated(state: Bazaar, seat: int | None, complete: bool) -> tuple[Offer, ...]:
    """All open offers; with `complete` all that are blocked as well."""
    if state.phase == "seating":
        if seat is None:
            return common.offers_joining(state)
        return common.offers_seated(state, state.setup.seats, fewer_seats=False) if seat in state.seated else ()
    if seat is None or (seat,) != to_move(state):
        return ()
    match state.phase:
        case "bidding":
            return auction.offers_bidding(state)
        case "entrances":
            return entrances.offers(state)
    return (*auction.offers_putting_up(state, complete), *moves.offers(state, complete))


def admit(state: Bazaar, seat: int | None, command: Command) -> Offer | Rejection:
    """The offer that makes a command legal, or why it is refused."""
    if isinstance(command, commands.TakeSeat) and command.player in state.player_ids:
        return LIMITS["already_seated"].rejection()
    offer = admitting(_stated(state, seat, False), command)
    return offer or refusal(_stated(state, seat, True), command, LIMITS) or _misplaced(state, seat, command)


def carry_out(state: Bazaar, seat: int | None, command: Command, offer: Offer, chance: Chance) -> Decision[Bazaar]:
    """What follows from a command that the offer admits: the events up to the next decision."""
    play = Play(state, chance, state.draws)
    _CARRY_OUT[type(command)](play, seat, command, offer)
    _proceed(play)
    return Decision(play.facts, play.state)


def _proceed(play: Play) -> None:
    """Do what happens by itself until somebody must decide."""
    before = None
    while before is not play.state:
        before = play.state
        match before.phase:
            case "setting_up":
                turns.start_first(play)
            case "bidding" if before.now.asked is None:
                auction.sell(play)
            case "actions":
                turns.lapse(play)
            case "entrances" if not turns.to_be_filled(before):
                turns.end_turn(play)


def _misplaced(state: Bazaar, seat: int | None, command: Command) -> Rejection:
    """Why no offer is about this command: the game, the turn or the phase is another."""
    if seat is None and not isinstance(command, commands.TakeSeat):
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


def status(state: Bazaar) -> Literal["open", "running", "finished"]:
    """``open`` before the start, ``finished`` at the end, ``running`` between."""
    if state.phase == "seating":
        return "open"
    return "finished" if state.phase == "over" else "running"
