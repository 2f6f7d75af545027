"""The common part of all views: seats, quadrants, and markets, which are open.

What did not change between two moments is the same object in both views, so that it is built and compared only once.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import PlayerId, PlayerName
from mcmulti.domain.oil.names import (
    GOODS,
    KINDS,
    MARKETS,
    BarrelCount,
    Good,
    Kind,
    MarketName,
    Millions,
    QuadrantNumber,
    Quadrants,
    Seat,
    Site,
)
from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.oil.rules.market import Market, prices_to_buy, prices_to_sell
from mcmulti.domain.oil.rules.quadrant import Quadrant
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
    players = state.players or (Player(),) * len(state.chairs)
    return _seat_views(state.player_ids, state.names, players, state.owners)


@lru_cache(maxsize=1024)
def _seat_views(
    ids: tuple[str | None, ...],
    names: tuple[str | None, ...],
    players: tuple[Player, ...],
    owners: tuple[int | None, ...],
) -> tuple[SeatView, ...]:
    seated = enumerate(zip(ids, names, players, strict=True))
    return tuple([_seat_view(seat, *each, _owned(owners, seat)) for seat, each in seated])


@lru_cache(maxsize=1024)
def _seat_view(seat: int, player: str | None, name: str | None, has: Player, quadrants: tuple[int, ...]) -> SeatView:
    return SeatView(seat, player, name, has.cash, has.crude, has.gasoline, quadrants)


@lru_cache(maxsize=1024)
def _owned(owners: tuple[int | None, ...], seat: int) -> tuple[int, ...]:
    return tuple([quadrant for quadrant, owner in enumerate(owners) if owner == seat])


def quadrant_views(state: Oilfield) -> tuple[QuadrantView, ...]:
    """The four quadrants with their assets."""
    return _quadrant_views(state.owners, state.quadrants)


@lru_cache(maxsize=1024)
def _quadrant_views(owners: tuple[int | None, ...], quadrants: tuple[Quadrant, ...]) -> tuple[QuadrantView, ...]:
    return tuple(map(_quadrant_view, range(4), owners, quadrants))


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


def market_views(state: Oilfield, step: Mapping[Good, int], fields: int) -> tuple[MarketView, ...]:
    """Each good on each market. Each track has this many fields, at the step of its good."""
    return _market_views(state.domestic, state.foreign, tuple([step[good] for good in GOODS]), fields)


@lru_cache(maxsize=1024)
def _market_views(domestic: Market, foreign: Market, steps: tuple[int, ...], fields: int) -> tuple[MarketView, ...]:
    return tuple(
        _market_view(name, good, market.free(good), step, fields)
        for name, market in zip(MARKETS, (domestic, foreign), strict=True)
        for good, step in zip(GOODS, steps, strict=True)
    )


@cache
def _market_view(market: MarketName, good: Good, free: int, step: int, fields: int) -> MarketView:
    to_buy, to_sell = prices_to_buy(step, fields, free), prices_to_sell(step, free)
    return MarketView(market, good, len(to_buy), to_buy[0] if to_buy else None, to_sell[0] if to_sell else None)
