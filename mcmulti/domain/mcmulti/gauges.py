"""What can be read off a game: its figures, who plays and who won."""

from mcmulti.domain.gauges import Gauges, Holding
from mcmulti.domain.mcmulti.components import ECONOMY, GOODS, MARKETS
from mcmulti.domain.mcmulti.market import prices_to_buy
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.outcome import Outcome

PERIODS = tuple(sorted(ECONOMY, key=lambda name: ECONOMY[name].demand))
"""The economy cards, from the weakest demand to the strongest."""


def gauges(state: State) -> Gauges:
    """Holdings of all players, prices of the next barrels, the economy."""
    prices: dict[str, int | None] = {}
    for market in MARKETS:
        for good in GOODS:
            to_buy = prices_to_buy(good, state.market(market).free(good)) if state.players else ()
            prices[f"{market}_{good}"] = to_buy[0] if to_buy else None
    prices["consumers"] = state.consumer_price if state.players else None
    return Gauges(
        state.economy,
        tuple(
            Holding(seat, player.cash, player.crude, player.gasoline, player.cash + _assets(state, seat))
            for seat, player in enumerate(state.players)
        ),
        prices,
    )


def outcome(state: State) -> Outcome:
    """Who sits where, who declared victory (`end/declare`) and who won (`final/winner`)."""
    sitting = state.players or state.chairs
    names = tuple(player.name if player else None for player in sitting)
    return Outcome(names, state.winners, state.declared_by)


def _assets(state: State, seat: int) -> int:
    """What the bank would pay for all assets of a player now (`assets/sell`)."""
    paid = ECONOMY[state.economy].sell
    return sum(paid[kind] * pieces for kind, pieces in state.pieces(seat).items())
