"""What a reader of a game by post sees: everything except the sheets of others."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.rounds import Round
from mcmulti.domain.core.figures import Count, Sha256
from mcmulti.domain.core.table import Status
from mcmulti.domain.oil.names import KINDS, EconomyName, Kind, Millions, Seat, Seats, Site
from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.oil.state import Standing
from mcmulti.domain.oil.view import (
    AssetView,
    MarketView,
    QuadrantView,
    SeatView,
    market_views,
    quadrant_views,
    seat_views,
)
from mcmulti.domain.postal.components import CLIMATES, FIELDS, STEP
from mcmulti.domain.postal.conditions.findings import consumer_price
from mcmulti.domain.postal.refereeing.assets import strike_cost, struck
from mcmulti.domain.postal.refereeing.refereeing import AHEAD
from mcmulti.domain.postal.sheets.sheet import LaterSheet, OrderSheet
from mcmulti.domain.postal.state import Phase, PostalSetup, State


class ClimateView(Struct, frozen=True):
    """The economy.

    `climate`: the economic climate. `buy`: the price of each kind of asset, in millions of dollars. `sell`: what each
    kind brings, in millions of dollars. `demand`: by how many key steps the consumer price rises when this climate
    comes. `changes`: how often the climate changed in this round. `strike_cost`: the price of the next conversion of a
    rig, in millions of dollars. `consumer_price`: what the next barrel of gasoline brings at a pump, in millions of
    dollars, null if none can be sold.
    """

    climate: EconomyName
    buy: dict[Kind, Millions]
    sell: dict[Kind, Millions]
    demand: Annotated[int, Meta(ge=0, le=80)]
    changes: Count
    strike_cost: Millions
    consumer_price: Millions | None


class OrdersView(Struct, frozen=True):
    """A seat in this round.

    `seat`: its number. `submitted`: whether its sheet is in. `holds`: whether it holds the round. `hits`: its assets
    that it can sell. `strike`: the rig that it can convert, null for none.
    """

    seat: Seat
    submitted: bool
    holds: bool
    hits: Annotated[tuple[AssetView, ...], Meta(max_length=36)]
    strike: Site | None


class PostalView(Struct, frozen=True, tag="postal", tag_field="ruleset"):
    """A game by post as one reader sees it.

    `status`: whether it is open, running, or finished. `you`: the reader's seat, null for spectators. `to_move`: the
    seats the game waits for, before the start those that have not agreed to it. `setup`: what was agreed on when the
    table was opened. `seats`: the players and their property. `phase`: the current part of the round. `quadrants`: the
    four quadrants of the board, with their assets. `markets`: each good on each market. `climate`: the economy.
    `round`: its number, from 1, 0 before the start. `order`: the seats in the order in which this round's turns are
    played. `orders`: who sent a sheet for the round, and what they can sell and convert. `sheet`: the reader's own for
    this round, null if there is none. `later`: the reader's own for later rounds, in their order. `standing`: the
    reader's own for all rounds without another, null if there is none. `still`: how many turns began since anybody's
    cash, barrels, or assets last changed; ten rounds of them, 40, end the game (`table/standstill`). `standings`: the
    final ranking, the best first; empty before the end.

    `winners`: the seats that won, empty until the game is over, and if it was called off. `commitment`: the SHA-256 of
    the secret seed. `seed`: the secret seed that all draws come from, null until the game is over.
    """

    status: Status
    phase: Phase
    you: Seat | None
    to_move: Seats
    setup: PostalSetup
    seats: Annotated[tuple[SeatView, ...], Meta(max_length=4)]
    quadrants: Annotated[tuple[QuadrantView, ...], Meta(max_length=4)]
    markets: Annotated[tuple[MarketView, ...], Meta(max_length=4)]
    climate: ClimateView
    round: Round
    order: Seats
    orders: Annotated[tuple[OrdersView, ...], Meta(max_length=4)]
    sheet: OrderSheet | None
    later: Annotated[tuple[LaterSheet, ...], Meta(max_length=AHEAD)]
    standing: OrderSheet | None
    still: Count
    standings: Annotated[tuple[Standing, ...], Meta(max_length=4)]
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None


def view(state: State, seat: int | None) -> PostalView:
    """The game as the seat sees it; None for a spectator."""
    climate = CLIMATES[state.economy]
    return PostalView(
        status=state.status,
        phase=state.phase,
        you=seat,
        to_move=state.to_move,
        setup=state.setup,
        seats=seat_views(state),
        quadrants=quadrant_views(state),
        markets=market_views(state, STEP, FIELDS),
        climate=ClimateView(
            climate.name,
            climate.buy,
            climate.sell,
            climate.demand,
            state.climate_changes,
            strike_cost(state),
            consumer_price(state),
        ),
        round=state.round,
        order=state.order,
        orders=tuple(_orders(state, each) for each in range(len(state.players))),
        sheet=None if seat is None else state.sheets[seat],
        later=() if seat is None else state.later[seat],
        standing=None if seat is None else state.standing[seat],
        still=state.still,
        standings=state.standings,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )


def _orders(state: State, seat: int) -> OrdersView:
    hits = tuple(
        AssetView(kind, site, idle=False) for kind in KINDS for site in sites(seat, state.hits[seat].standing(kind))
    )
    return OrdersView(seat, state.sheets[seat] is not None, state.holds[seat], hits, struck(state, seat))
