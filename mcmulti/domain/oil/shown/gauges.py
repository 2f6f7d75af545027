"""The common gauges of this family: what players have, and the prices of barrels."""

from collections.abc import Mapping

from mcmulti.domain.core.shown.gauges import Gauges, Holding
from mcmulti.domain.oil.names import GOODS, MARKETS, Good, Kind, MarketName
from mcmulti.domain.oil.rules.market import prices_to_buy
from mcmulti.domain.oil.state import Oilfield


def gauges(state: Oilfield, sell: Mapping[Kind, int], step: Mapping[Good, int], fields: int) -> Gauges:
    """Holdings of all players, prices of the next barrels, the economy.

    `sell`: what the bank pays for each kind of asset, in millions of dollars. `step`: the distance of price fields.
    """
    started = bool(state.players)
    prices: dict[str, int | None] = {}
    for name, market, good in _TRACKS:
        to_buy = prices_to_buy(step[good], fields, state.market(market).free(good)) if started else ()
        prices[name] = to_buy[0] if to_buy else None
    prices["consumers"] = state.consumer_price if started else None
    return Gauges(state.economy, _holdings(state, sell), prices)


_TRACKS: tuple[tuple[str, MarketName, Good], ...] = tuple(
    (f"{market}_{good}", market, good) for market in MARKETS for good in GOODS
)


def fetches(state: Oilfield, sell: Mapping[Kind, int], step: Mapping[Good, int]) -> dict[str, int]:
    """What the next piece earns; nothing for a barrel if both markets are full."""
    if not state.players:
        return {}
    domestic, foreign = state.domestic, state.foreign
    values = {
        "crude": step["crude"] * max(domestic.crude, foreign.crude),
        "gasoline": step["gasoline"] * max(domestic.gasoline, foreign.gasoline),
    }
    values.update(sell.items())
    return values


def _holdings(state: Oilfield, sell: Mapping[Kind, int]) -> tuple[Holding, ...]:
    """Everybody's holdings, with assets valued at what the bank would pay for them now."""
    worth = [player.cash for player in state.players]
    if worth:
        rig, well, station, refinery = sell["rig"], sell["well"], sell["station"], sell["refinery"]
        for owner, quadrant in zip(state.owners, state.quadrants, strict=True):
            if owner is not None:
                worth[owner] += (
                    rig * quadrant.rigs.bit_count()
                    + well * quadrant.wells.bit_count()
                    + station * quadrant.stations.bit_count()
                    + refinery * quadrant.refineries.bit_count()
                )
    return tuple(
        [
            Holding(seat, {"dollars": player.cash, "crude": player.crude, "gasoline": player.gasoline}, worth[seat])
            for seat, player in enumerate(state.players)
        ]
    )
