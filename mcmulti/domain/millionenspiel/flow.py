"""The flow of a game: whom it waits for, and what happens automatically between two decisions."""

from operator import attrgetter

from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.in_turn import in_turn
from mcmulti.domain.core.offers import Limit, Offer, by_code
from mcmulti.domain.millionenspiel import table
from mcmulti.domain.millionenspiel.components import FIELDS, LEAST_PLAYERS, STANDSTILL, TRACK
from mcmulti.domain.millionenspiel.phases import ending, pensions, returning, rounds, settling, staking, throwing
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, throw

LIMITS = by_code(
    Limit("too_few_players", "table/start"),
    Limit("game_over", "end/million"),
    Limit("out_of_turn", "stake/order"),
    Limit("out_of_phase", "stake/order"),
    Limit("purse", "stake/pieces"),
    Limit("exact_price", "pension/buy"),
    Limit("one_card", "pension/buy"),
    Limit("best_pension", "pension/buy"),
)


def _proceed(play: Play) -> None:
    """When all have staked, the roller throws."""
    if play.state.phase == "staking":
        staking.skip_the_poor(play)
        if not play.state.waiting:
            throwing.throw_first(play)


def _accept_throw(play: Play, seat: int, command: throwing.AcceptThrow, offer: Offer) -> None:
    play.record(throwing.ThrowAccepted(seat), offer.rule)
    _finish_round(play)


def _decline_throw(play: Play, seat: int, command: throwing.DeclineThrow, offer: Offer) -> None:
    play.record(throwing.ThrowDeclined(seat), offer.rule)
    play.record(throwing.ReplacementThrown(seat, throw(play)), offer.rule)
    _finish_round(play)


def _finish_round(play: Play) -> None:
    """The first throw was accepted or replaced: move, settle, pay pensions, return stakes, then begin the
    next round.
    """
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


FLOW: GameFlow[Millionenspiel] = GameFlow(
    capabilities=in_turn(table.opening),
    limits=LIMITS,
    carriers={
        StartGame: table.start_game,
        pensions.BuyPension: pensions.buy_pension,
        staking.Stake: staking.stake_pieces,
        throwing.AcceptThrow: _accept_throw,
        throwing.DeclineThrow: _decline_throw,
    },
    fewest=LEAST_PLAYERS,
    turn=attrgetter("round"),
    at_turn=lambda state: state.roller if state.round else None,
    offers={"staking": staking.offers, "declining": throwing.offers},
    defaults={"staking": lambda state, seat: staking.Stake(), "declining": lambda state, seat: throwing.AcceptThrow()},
    then=_proceed,
    finish=ending.finish,
)
