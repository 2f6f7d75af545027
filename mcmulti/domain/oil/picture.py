"""The common parts of pictures of oil games: quadrants with the hits of the dice, seats, markets, asset prices."""

from collections.abc import Mapping
from functools import lru_cache

from mcmulti.domain.core.shown.board import Colour, Grid, Kind, Line, Mark, Placed
from mcmulti.domain.core.shown.gauges import Holdings
from mcmulti.domain.core.shown.picture import Card, Die, Row, Said, Seat, Track, Unit, seated
from mcmulti.domain.oil import names
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS, Good, MarketName, Site
from mcmulti.domain.oil.rules.board import QUADRANTS, Lines, bit, lines_hit, sites
from mcmulti.domain.oil.rules.market import prices_to_buy, prices_to_sell
from mcmulti.domain.oil.rules.quadrant import Quadrant
from mcmulti.domain.oil.state import Oilfield

SIDE = 6
_PLACES = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Across and down, clockwise from the northwest (`board/quadrants`)."""
_LOOKS: Mapping[names.Kind, tuple[str, str]] = {
    "rig": ("R", "derrick"),
    "well": ("W", "drop"),
    "station": ("S", "pump"),
    "refinery": ("#", "factory"),
}
COLOURS: Mapping[Good, Colour] = {"crude": "brown", "gasoline": "yellow"}


@lru_cache(maxsize=64)
def kinds(said: Said) -> tuple[Kind, ...]:
    """The assets, with their signs and glyphs."""
    return tuple(Kind(said(kind), *_LOOKS[kind]) for kind in KINDS)


@lru_cache(maxsize=64)
def marks(said: Said) -> tuple[Mark, Mark, Mark]:
    """The conditions of assets: idle, hit once, hit twice."""
    return Mark(said("idle"), "="), Mark(said("hit_once"), "+", 1), Mark(said("hit_twice"), "*", 2)


@lru_cache(maxsize=64)
def units(said: Said) -> tuple[Unit, ...]:
    """What players own: cash, barrels of both goods, and the value of everything except the barrels."""
    goods = (Unit(said(good), f"{said(good)} {{}}") for good in GOODS)
    return Unit(said("cash_held"), said("millions")), *goods, Unit(said("net_worth"), f"{said('net_worth')} {{}}")


def dice(said: Said, red: int, black: int) -> tuple[Die, Die]:
    """The two dice of a production roll."""
    return Die(said("red_die"), "red", red), Die(said("black_die"), "black", black)


def quadrants(
    state: Oilfield, said: Said, compass: tuple[str, ...], at_turn: int | None, red: int, black: int, picks: str
) -> tuple[Grid, ...]:
    """The board with its assets; `red` and `black` are 0 if no dice were rolled.

    `picks`: how a site is picked, with ``{quadrant}``, ``{row}``, and ``{column}`` for its position.
    """
    return tuple(
        _quadrant(
            state.quadrants[index],
            state.owners[index] if state.players else None,
            said,
            index,
            said(compass[index]),
            Lines(0, 0) if at_turn is None else lines_hit(index, at_turn, red, black),
            at_turn=index == at_turn,
            picks=picks,
        )
        for index in QUADRANTS
    )


@lru_cache(maxsize=256)
def _quadrant(
    quadrant: Quadrant, owner: int | None, said: Said, index: int, name: str, lines: Lines, *, at_turn: bool, picks: str
) -> Grid:
    """A quadrant; few of them change between two moments."""
    idle = sites(index, quadrant.idle)
    across, down = _PLACES[index]
    hit = []
    if lines.row:
        hit.append(Line("row", lines.row, "red", said("red_die")))
    if lines.column:
        hit.append(Line("column", lines.column, "black", said("black_die")))
    return Grid(
        name=name,
        rows=SIDE,
        columns=SIDE,
        across=across,
        down=down,
        owner="nobody" if owner is None else owner,
        at_turn=at_turn,
        pieces=tuple(
            _asset(said, kind, site, owner, lines, idle=kind == "refinery" and site in idle)
            for kind in KINDS
            for site in sites(index, quadrant.standing(kind))
        ),
        lines=tuple(hit),
        picks=picks.replace("{quadrant}", str(index)),
    )


def _asset(said: Said, kind: names.Kind, site: Site, owner: int | None, lines: Lines, *, idle: bool) -> Placed:
    hits = lines.blocks(bit(site)) if kind == "refinery" else lines.single(bit(site))
    still, once, twice = marks(said)
    now = ((), (once,), (twice,))[hits] + ((still,) if idle else ())
    side = 2 if kind == "refinery" else 1
    looks = kinds(said)[KINDS.index(kind)]
    return Placed(looks, owner, marks=now, row=site.row, column=site.column, rows=side, columns=side)


def seats(
    state: Oilfield, said: Said, holdings: Holdings, waited_for: tuple[int, ...], declared_by: int | None = None
) -> tuple[Seat, ...]:
    """All seats with their holdings; before the start only occupied ones."""
    called = seated(state, said)
    if not state.players:
        return tuple(Seat(seat, name, (0, 0, 0, 0)) for seat, name in enumerate(called))
    ranks = {standing.seat: standing.rank for standing in state.standings}
    return tuple(
        Seat(
            seat,
            called[seat],
            (player.cash, player.crude, player.gasoline, holdings[seat].worth or 0),
            seat in waited_for,
            (said("declared_victory"),) if seat == declared_by else (),
            ranks.get(seat),
        )
        for seat, player in enumerate(state.players)
    )


def markets(
    state: Oilfield, said: Said, step: Mapping[Good, int], fields: int, closed: tuple[MarketName, ...] = ()
) -> tuple[Track, ...]:
    """A track for each good on each market, with this number of fields and this step."""
    return tuple(
        _market(state.market(market).free(good), said, market, good, step[good], fields, closed=market in closed)
        for market in MARKETS
        for good in GOODS
    )


@lru_cache(maxsize=256)
def _market(free: int, said: Said, market: MarketName, good: Good, step: int, fields: int, *, closed: bool) -> Track:
    """A track with this number of free fields; few of them change between two moments."""
    to_buy, to_sell = prices_to_buy(step, fields, free), prices_to_sell(step, free)
    return Track(
        said(f"{market}_{good}"),
        COLOURS[good],
        prices_to_buy(step, fields, 0),
        said("barrels"),
        tuple(to_buy),
        buy=to_buy[0] if to_buy else None,
        sell=to_sell[0] if to_sell else None,
        closed=closed,
        picks=(f"market={market};good={good}",),
    )


def economy(said: Said, name: str, buy: Mapping[names.Kind, int], sell: Mapping[names.Kind, int], demand: int) -> Card:
    """The economy with the bank's prices for each kind, in millions of dollars."""
    return Card(
        said("economy"),
        said(name),
        kinds(said),
        (
            Row(said("asked"), tuple(buy.get(kind) for kind in KINDS)),
            Row(said("paid"), tuple(sell.get(kind) for kind in KINDS)),
        ),
        f"{said('demand')} {demand:+d}",
    )
