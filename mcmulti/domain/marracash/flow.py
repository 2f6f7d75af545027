"""How a game flows: what is decided by whom, and what happens by itself between two decisions."""

from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.marracash import auction, commands, entrances, moves, table, turns
from mcmulti.domain.marracash.limits import LIMITS
from mcmulti.domain.marracash.state import Bazaar, Play


def _offers(state: Bazaar, seat: int, complete: bool) -> tuple[Offer, ...]:
    match state.phase:
        case "bidding":
            return auction.offers_bidding(state)
        case "entrances":
            return entrances.offers(state)
    return (*auction.offers_putting_up(state, complete), *moves.offers(state, complete))


def _step(play: Play) -> None:
    state = play.state
    match state.phase:
        case "setting_up":
            turns.start_first(play)
        case "bidding" if state.now.asked is None:
            auction.sell(play)
        case "actions":
            turns.lapse(play)
        case "entrances" if not turns.to_be_filled(state):
            turns.end_turn(play)


FLOW: GameFlow[Bazaar] = GameFlow(
    limits=LIMITS,
    carriers={
        commands.StartGame: table.start_game,
        commands.PutUp: auction.put_up,
        commands.Bid: auction.bid,
        commands.PassBid: auction.pass_bid,
        commands.MoveGroup: moves.move_group,
        commands.LetIn: entrances.let_in,
    },
    offers=_offers,
    proceed=lambda play: play.proceed(_step),
)
