"""What can be read off every game of this family: what players have, and what barrels cost."""

from collections.abc import Mapping

from mcmulti.domain.core.gauges import Gauges, Holding
from mcmulti.domain.oil.market import prices_to_buy
from mcmulti.domain.oil.names import GOODS, MARKETS, Good, Kind
from mcmulti.domain.oil.state import Oilfield


def gauges(state: Oilfield, sell: Mapping[Kind, int], step: Mapping[Good, int], fields: int) -> Gauges:
    """Holdings of all players, prices of the next barrels, the economy.

    `sell` is what the bank pays for each kind of assets, in millions of dollars; price fields are `step` apart.
    """
    prices: dict[str, int | None] = {}
    for market in MARKETS:
        for good in GOODS:
            free = state.market(market).free(good)
            to_buy = prices_to_buy(step[good], fields, free) if state.players else ()
            prices[f"{market}_{good}"] = to_buy[0] if to_buy else None
    prices["consumers"] = state.consumer_price if state.players else None
    return Gauges(state.economy, _holdings(state, sell), prices, _values(state, sell, step) if state.players else {})


def _values(state: Oilfield, sell: Mapping[Kind, int], step: Mapping[Good, int]) -> dict[str, int]:
    """What the next piece fetches; nothing for a barrel where both markets are full."""
    free = {good: max(state.market(market).free(good) for market in MARKETS) for good in GOODS}
    barrels: list[tuple[str, int]] = [(good, step[good] * free[good]) for good in GOODS]
    return dict([*barrels, *sell.items()])


def _holdings(state: Oilfield, sell: Mapping[Kind, int]) -> tuple[Holding, ...]:
    """What each player has, its assets at what the bank would pay for them now."""
    return tuple(
        Holding(
            seat,
            {"dollars": player.cash, "crude": player.crude, "gasoline": player.gasoline},
            player.cash + sum(sell[kind] * pieces for kind, pieces in state.pieces(seat).items()),
        )
        for seat, player in enumerate(state.players)
    )
