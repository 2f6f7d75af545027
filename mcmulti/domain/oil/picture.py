"""What pictures of all rule sets show alike: quadrants with what the dice hit, seats, markets, prices of assets."""

from collections.abc import Mapping

from mcmulti.domain.core.picture import Asset, AssetPrice, Field, HitLine, Seat, Track
from mcmulti.domain.core.site import Site
from mcmulti.domain.oil.board import Lines, bit, sites
from mcmulti.domain.oil.market import prices_to_buy, prices_to_sell
from mcmulti.domain.oil.names import KINDS, Good, Kind, MarketName
from mcmulti.domain.oil.state import Oilfield

_PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Across and down, clockwise from the north-west (`board/quadrants`)."""


def field(state: Oilfield, index: int, name: str, lines: Lines, *, at_turn: bool) -> Field:
    """A quadrant with its assets."""
    quadrant = state.quadrants[index]
    idle = sites(index, quadrant.idle)
    assets = (
        Asset(kind, site.row, site.column, _hits(lines, kind, site), kind == "refinery" and site in idle)
        for kind in KINDS
        for site in sites(index, quadrant.standing(kind))
    )
    across, down = _PLACES[index]
    hit_lines = []
    if lines.row:
        hit_lines.append(HitLine("row", lines.row, "red"))
    if lines.column:
        hit_lines.append(HitLine("column", lines.column, "black"))
    owner = state.owners[index] if state.players else None
    return Field(name, across, down, owner, at_turn, tuple(assets), tuple(hit_lines))


def _hits(lines: Lines, kind: Kind, site: Site) -> int:
    return lines.blocks(bit(site)) if kind == "refinery" else lines.single(bit(site))


def seats(state: Oilfield, waited_for: tuple[int, ...], declared_by: int | None = None) -> tuple[Seat, ...]:
    """All seats; before the start only who sits there."""
    if not state.players:
        return tuple(Seat(seat, chair.name if chair else None) for seat, chair in enumerate(state.chairs))
    ranks = {standing.seat: standing.rank for standing in state.standings}
    return tuple(
        Seat(
            seat,
            player.name,
            player.cash,
            player.crude,
            player.gasoline,
            seat in waited_for,
            seat == declared_by,
            ranks.get(seat),
        )
        for seat, player in enumerate(state.players)
    )


def market_track(
    state: Oilfield, market: MarketName, good: Good, name: str, step: int, fields: int, *, closed: bool = False
) -> Track:
    """A good on a market whose track has that many fields, a step apart."""
    free = state.market(market).free(good)
    to_buy, to_sell = prices_to_buy(step, fields, free), prices_to_sell(step, free)
    buy, sell = to_buy[0] if to_buy else None, to_sell[0] if to_sell else None
    return Track(name, good, prices_to_buy(step, fields, 0), buy, len(to_buy), buy=buy, sell=sell, closed=closed)


def asset_prices(buy: Mapping[Kind, int], sell: Mapping[Kind, int]) -> tuple[AssetPrice, ...]:
    """What the bank asks and pays for each kind, in millions of dollars."""
    return tuple(AssetPrice(kind, buy.get(kind), sell.get(kind)) for kind in KINDS)
