"""What the referee does for a player without a sheet."""

from mcmulti.domain.core.capabilities.rounds import Round
from mcmulti.domain.core.event import Notice
from mcmulti.domain.oil.names import Seat
from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.refereeing.assets import AssetSold, convert, strike_cost, struck
from mcmulti.domain.postal.refereeing.ending import finish_if_won, over
from mcmulti.domain.postal.state import Play


class OrdersMissing(Notice, frozen=True):
    """A player whose turn came had sent no sheet for the `round`. The referee does what the rules say then."""

    seat: Seat
    round: Round


def without_orders(play: Play, seat: int) -> None:
    """Convert a rig with a double hit. If cash is short, sell all other rigs hit if that is enough
    (`postal/no-orders`).
    """
    play.record(OrdersMissing(seat, play.state.round), "postal/no-orders")
    site = struck(play.state, seat)
    if site is None:
        return
    state = play.state
    price = CLIMATES[state.economy].sell["rig"]
    others = tuple(rig for rig in sites(seat, state.hits[seat].rigs) if rig != site)
    short = state.players[seat].cash < strike_cost(state)
    if short and state.players[seat].cash + price * len(others) < strike_cost(state):
        return
    for rig in others if short else ():
        play.record(AssetSold(seat, "rig", rig, price), "postal/no-orders")
        finish_if_won(play, seat)
        if over(play):
            return
    convert(play, seat, site)
