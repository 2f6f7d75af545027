"""What can be read off a game: its figures, who plays and who won."""

from mcmulti.domain.gauges import Gauges, Holding
from mcmulti.domain.oilfield.names import GOODS, MARKETS
from mcmulti.domain.outcome import Outcome
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.findings import next_price
from mcmulti.domain.postal.state import State

PERIODS = tuple(sorted(CLIMATES, key=lambda name: CLIMATES[name].demand))
"""The climates, from the weakest demand to the strongest."""


def gauges(state: State) -> Gauges:
    """Holdings of all players, prices of the next barrels, the climate."""
    prices = {
        f"{market}_{good}": next_price(state, "buy", market, good) if state.players else None
        for market in MARKETS
        for good in GOODS
    }
    prices["consumers"] = state.consumer_price or None
    sell = CLIMATES[state.economy].sell
    return Gauges(
        state.economy,
        tuple(
            Holding(
                seat,
                player.cash,
                player.crude,
                player.gasoline,
                player.cash + sum(sell[kind] * pieces for kind, pieces in state.pieces(seat).items()),
            )
            for seat, player in enumerate(state.players)
        ),
        prices,
    )


def outcome(state: State) -> Outcome:
    """Who sits where, and who was first to have the target (`postal/target`)."""
    sitting = state.players or state.chairs
    names = tuple(player.name if player else None for player in sitting)
    return Outcome(names, state.winners, state.winners[0] if state.winners else None)
