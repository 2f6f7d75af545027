"""How a fair flows: whose go it is, what follows by itself."""

from collections.abc import Callable, Mapping
from typing import Any

from mcmulti.domain.core import table as at_the_table
from mcmulti.domain.core.chance import Chance
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import Fact
from mcmulti.domain.core.offers import Limit, Offer, Rejection, admitting, open_offers, refusal
from mcmulti.domain.core.ruleset import Decision
from mcmulti.domain.core.table import leave_seat, offers_joining, offers_seated, take_seat
from tests.toy.fair import days, table, trading
from tests.toy.fair.state import Fair, Play, Setup

NAME = "wool_fair"

CarryOut = Callable[[Play, Any, Any, Offer], None]
Stated = Callable[[Fair], tuple[Offer, ...]]

CARRY_OUT: dict[type[Command], CarryOut] = {
    TakeSeat: take_seat,
    LeaveSeat: leave_seat,
    StartGame: table.start_game,
    trading.BuyWool: trading.buy_wool,
    trading.SellWool: trading.sell_wool,
    trading.Wait: trading.wait,
}

LIMITS = {
    limit.code: limit
    for limit in (
        *at_the_table.LIMITS,
        Limit("too_few_players", "table/start"),
        Limit("game_over", "fair/close"),
        Limit("out_of_turn", "fair/go"),
        Limit("purse", "fair/buy"),
        Limit("store", "fair/sell"),
        Limit("cart", "fair/cart"),
    )
}


def opening(name: str, version: int) -> Callable[[str, Setup, Chance], Decision[Fair] | Rejection]:
    """What calls a fair of this version."""

    def open_game(game_id: str, setup: Setup, chance: Chance) -> Decision[Fair] | Rejection:
        opened = table.FairOpened(game_id, name, version, setup, chance.commitment)
        return Decision((Fact(opened, "chance/commitment"),), opened.evolve(None))

    return open_game


def to_move(state: Fair) -> tuple[int, ...]:
    """Before the start all who sit at the table, then the one whose go it is."""
    if not state.traders:
        return state.seated
    return () if state.over else (state.at,)


def status(state: Fair) -> str:
    """``open`` before the start, ``finished`` at the end, ``running`` between."""
    if not state.traders:
        return "open"
    return "finished" if state.over else "running"


def _stated(trading_offers: Stated, state: Fair, seat: int | None) -> tuple[Offer, ...]:
    if not state.traders:
        if seat is None:
            return offers_joining(state)
        return offers_seated(state, state.setup.seats, fewer_seats=False) if seat in state.seated else ()
    return trading_offers(state) if (seat,) == to_move(state) else ()


def offering(trading_offers: Stated) -> Callable[[Fair, int | None], tuple[Offer, ...]]:
    """The offers of a game in which a go has these."""
    return lambda state, seat: open_offers(_stated(trading_offers, state, seat))


def admitted(
    trading_offers: Stated, limits: Mapping[str, Limit]
) -> Callable[[Fair, int | None, Any], Offer | Rejection]:
    """The offer that makes a command legal, or why it is refused."""

    def admit(state: Fair, seat: int | None, command: Any) -> Offer | Rejection:
        if isinstance(command, TakeSeat) and command.player in state.player_ids:
            return LIMITS["already_seated"].rejection()
        stated = _stated(trading_offers, state, seat)
        return admitting(stated, command) or refusal(stated, command, limits) or _misplaced(state, seat, command)

    return admit


def _misplaced(state: Fair, seat: int | None, command: Any) -> Rejection:
    """Why no offer is about this command."""
    of_the_table = isinstance(command, TakeSeat | LeaveSeat | StartGame)
    if seat is None and not isinstance(command, TakeSeat):
        code = "no_seat"
    elif not state.traders:
        code = "not_started"
    elif state.over:
        code = "game_over"
    else:
        code = "game_started" if of_the_table else "out_of_turn"
    return LIMITS[code].rejection()


def carrying_out(
    steps: dict[type[Command], CarryOut],
) -> Callable[[Fair, int | None, Any, Offer, Chance], Decision[Fair]]:
    """What follows from a command that an offer admits."""

    def carry_out(state: Fair, seat: int | None, command: Any, offer: Offer, chance: Chance) -> Decision[Fair]:
        play = Play(state, chance, state.draws)
        steps[type(command)](play, seat, command, offer)
        days.proceed(play)
        return Decision(play.facts, play.state)

    return carry_out
