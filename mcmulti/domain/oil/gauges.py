"""The common gauges of this family: what players have, and the prices of barrels."""

from collections.abc import Mapping
from functools import lru_cache

from mcmulti.domain.core.shown.gauges import Gauges, Holding
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS, Good, Kind
from mcmulti.domain.oil.rules.market import Market, prices_to_buy
from mcmulti.domain.oil.rules.quadrant import Quadrant
from mcmulti.domain.oil.state import Oilfield, Player


def gauges(state: Oilfield, sell: Mapping[Kind, int], step: Mapping[Good, int], fields: int) -> Gauges:
    """Holdings of all players, prices of the next barrels, the economy.

    `sell`: what the bank pays for each kind of asset, in millions of dollars. `step`: the distance of price fields.
    """
    started = bool(state.players)
    steps = tuple([step[good] for good in GOODS])
    to_buy = _prices(state.domestic, state.foreign, steps, fields) if started else _NO_PRICES
    prices = dict(zip(_TRACKS, to_buy, strict=True))
    prices["consumers"] = state.consumer_price if started else None
    return Gauges(state.economy, _holdings(state, sell), prices)


_TRACKS = tuple([f"{market}_{good}" for market in MARKETS for good in GOODS])
_NO_PRICES = (None,) * len(_TRACKS)


@lru_cache(maxsize=1024)
def _prices(domestic: Market, foreign: Market, steps: tuple[int, ...], fields: int) -> tuple[int | None, ...]:
    """The price of the next barrel on each track; None if it is empty."""
    tracks = [
        prices_to_buy(step, fields, market.free(good))
        for market in (domestic, foreign)
        for good, step in zip(GOODS, steps, strict=True)
    ]
    return tuple([prices[0] if prices else None for prices in tracks])


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
    players = state.players
    if not players:
        return ()
    worth = _worth(len(players), state.owners, state.quadrants, tuple([sell[kind] for kind in KINDS]))
    return tuple(map(_holding, range(len(players)), players, worth))


@lru_cache(maxsize=1024)
def _holding(seat: int, player: Player, assets: int) -> Holding:
    amounts = {"dollars": player.cash, "crude": player.crude, "gasoline": player.gasoline}
    return Holding(seat, amounts, player.cash + assets)


@lru_cache(maxsize=1024)
def _worth(
    seats: int, owners: tuple[int | None, ...], quadrants: tuple[Quadrant, ...], sell: tuple[int, ...]
) -> tuple[int, ...]:
    """What the bank would pay for all assets of each seat, at these prices of the kinds."""
    worth = [0] * seats
    for owner, quadrant in zip(owners, quadrants, strict=True):
        if owner is not None:
            prices = zip(KINDS, sell, strict=True)
            worth[owner] += sum([price * quadrant.standing(kind).bit_count() for kind, price in prices])
    return tuple(worth)
