"""The common part of all views: seats, quadrants, and markets, which are open.

What did not change between two moments is the same object in both views, so that it is built and compared only once.
"""

from functools import cache, lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import PlayerId, PlayerName
from mcmulti.domain.oil.figures import BarrelCount, Millions, QuadrantNumber, Quadrants, Seat
from mcmulti.domain.oil.names import KINDS, Good, Kind, MarketName
from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.oil.rules.market import prices_to_buy, prices_to_sell
from mcmulti.domain.oil.rules.quadrant import Quadrant
from mcmulti.domain.oil.site import Site
from mcmulti.domain.oil.state import Oilfield, Player


class SeatView(Struct, frozen=True):
    """A seat: its player and property.

    `seat`: its number. `player`: the id of its player, null for an empty seat. `name`: the player's name, null also if
    no name is known. `cash`: in millions of dollars. `crude`: barrels of crude. `gasoline`: barrels of gasoline.
    `quadrants`: the numbers of the quadrants that it owns.
    """

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None
    cash: Millions
    crude: BarrelCount
    gasoline: BarrelCount
    quadrants: Quadrants


class AssetView(Struct, frozen=True):
    """An asset on the board.

    `kind`: what it is. `site`: where it is; for a refinery, its top-left site. `idle`: whether it is a refinery that
    waits for its clean-up and cannot refine.
    """

    kind: Kind
    site: Site
    idle: bool


class QuadrantView(Struct, frozen=True):
    """A quadrant of the board.

    `quadrant`: its number, clockwise from 0. `owner`: the seat that owns it, null for the ghost. `assets`: the assets
    there.
    """

    quadrant: QuadrantNumber
    owner: Seat | None
    assets: Annotated[tuple[AssetView, ...], Meta(max_length=36)]


class MarketView(Struct, frozen=True):
    """One good on one market.

    `market`: which market. `good`: which good. `barrels`: how many are there. `buy`: the price of the next barrel, in
    millions of dollars, null if the market is empty. `sell`: what the next barrel brings, in millions of dollars, null
    if it is full.
    """

    market: MarketName
    good: Good
    barrels: BarrelCount
    buy: Millions | None
    sell: Millions | None


def seat_views(state: Oilfield) -> tuple[SeatView, ...]:
    """Every seat with its property; empty hands before the start."""
    seated = zip(state.player_ids, state.names, state.players or (Player(),) * len(state.chairs), strict=True)
    return tuple(
        [
            SeatView(seat, player, name, has.cash, has.crude, has.gasoline, state.quadrants_of(seat))
            for seat, (player, name, has) in enumerate(seated)
        ]
    )


def quadrant_view(state: Oilfield, index: int) -> QuadrantView:
    """A quadrant with its assets."""
    return _quadrant_view(index, state.owners[index], state.quadrants[index])


@lru_cache(maxsize=1024)
def _quadrant_view(index: int, owner: int | None, quadrant: Quadrant) -> QuadrantView:
    idle = sites(index, quadrant.idle)
    assets = tuple(
        _asset_view(kind, site, kind == "refinery" and site in idle)
        for kind in KINDS
        for site in sites(index, quadrant.standing(kind))
    )
    return QuadrantView(index, owner, assets)


_asset_view = cache(AssetView)


def market_view(state: Oilfield, market: MarketName, good: Good, step: int, fields: int) -> MarketView:
    """A good on a market whose track has this many fields at this step."""
    return _market_view(market, good, state.market(market).free(good), step, fields)


@cache
def _market_view(market: MarketName, good: Good, free: int, step: int, fields: int) -> MarketView:
    to_buy, to_sell = prices_to_buy(step, fields, free), prices_to_sell(step, free)
    return MarketView(market, good, len(to_buy), to_buy[0] if to_buy else None, to_sell[0] if to_sell else None)
