"""What a reader of a game sees: the board, the markets, the cards and everybody's cash, which is open.

What nobody may know is not in the state at all: the order of the news pile and, until the end, the seed.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.figures import (
    BarrelCount,
    Count,
    Millions,
    PlayerId,
    PlayerName,
    QuadrantNumber,
    Quadrants,
    Seat,
    Seats,
    Sha256,
)
from mcmulti.domain.mcmulti.board import sites
from mcmulti.domain.mcmulti.components import (
    ECONOMY,
    GOODS,
    KINDS,
    MARKETS,
    EconomyName,
    Good,
    Kind,
    MarketName,
    NewsName,
)
from mcmulti.domain.mcmulti.flow import players as player_ids
from mcmulti.domain.mcmulti.flow import status, to_move
from mcmulti.domain.mcmulti.market import prices_to_buy, prices_to_sell
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import Due, Phase, Standing, State
from mcmulti.domain.site import Site


class SeatView(Struct, frozen=True):
    """A seat: who sits there and what it owns. Cash in millions of dollars, crude and gasoline in barrels.

    `player` and `name` are null for an empty seat.
    """

    seat: Seat
    player: PlayerId | None
    name: PlayerName | None
    cash: Millions
    crude: BarrelCount
    gasoline: BarrelCount
    quadrants: Quadrants


class AssetView(Struct, frozen=True):
    """An asset on the board. An idle refinery waits for its clean-up and cannot refine."""

    kind: Kind
    site: Site
    idle: bool


class QuadrantView(Struct, frozen=True):
    """A quadrant of the board; `owner` is null for the ghost's."""

    quadrant: QuadrantNumber
    owner: Seat | None
    assets: Annotated[tuple[AssetView, ...], Meta(max_length=36)]


class MarketView(Struct, frozen=True):
    """One good on one market: barrels there, and the price of the next barrel in millions of dollars.

    `buy` is null when the market is empty, `sell` when it is full.
    """

    market: MarketName
    good: Good
    barrels: BarrelCount
    buy: Millions | None
    sell: Millions | None


class ConsumerView(Struct, frozen=True):
    """The consumer market: the price of its cheapest barrel, how many barrels lie there, what the next one brings."""

    price: Millions
    barrels: BarrelCount
    next_sale: Millions | None


class EconomyView(Struct, frozen=True):
    """The economy card in force, with prices in millions of dollars, and the difference track (changes at 8)."""

    card: EconomyName
    buy: dict[Kind, Millions]
    sell: dict[Kind, Millions]
    demand: Annotated[int, Meta(ge=-20, le=20)]
    difference: Count


class NewsView(Struct, frozen=True):
    """The open news cards, those in force, and how many cards the pile has."""

    likelier: NewsName | None
    less_likely: NewsName | None
    active: Annotated[tuple[NewsName, ...], Meta(max_length=8)]
    pile: Annotated[int, Meta(ge=0, le=8)]


class TurnView(Struct, frozen=True):
    """The turn that is played. `seat` is null for the ghost; `red` and `black` are 0 before the roll."""

    number: Count
    quadrant: QuadrantNumber
    seat: Seat | None
    market: MarketName | None
    red: Annotated[int, Meta(ge=0, le=6)]
    black: Annotated[int, Meta(ge=0, le=6)]
    operating: QuadrantNumber | None
    news: NewsName | None
    dues: Annotated[tuple[Due, ...], Meta(max_length=4)]


class McMultiView(Struct, frozen=True, tag="mcmulti", tag_field="ruleset"):
    """A game of McMulti as one reader sees it. `you` is the reader's seat, null for onlookers.

    `to_move` lists the seats the game waits for. `seed` is null until the game is over.
    """

    status: Literal["open", "running", "finished"]
    phase: Phase
    you: Seat | None
    to_move: Seats
    setup: Setup
    seats: Annotated[tuple[SeatView, ...], Meta(max_length=4)]
    quadrants: Annotated[tuple[QuadrantView, ...], Meta(max_length=4)]
    markets: Annotated[tuple[MarketView, ...], Meta(max_length=4)]
    consumer: ConsumerView
    economy: EconomyView
    news: NewsView
    turn: TurnView | None
    declared_by: Seat | None
    last_turns: Quadrants | None
    standings: Annotated[tuple[Standing, ...], Meta(max_length=4)]
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None


def view(state: State, seat: int | None) -> McMultiView:
    """The game as the seat sees it; None for an onlooker."""
    card = ECONOMY[state.economy]
    return McMultiView(
        status=status(state),
        phase=state.phase,
        you=seat,
        to_move=to_move(state),
        setup=state.setup,
        seats=_seats(state),
        quadrants=tuple(_quadrant(state, index) for index in range(4)),
        markets=tuple(_market(state, market, good) for market in MARKETS for good in GOODS),
        consumer=ConsumerView(
            state.consumer_price,
            state.consumer_barrels,
            state.consumer_price - 1 if state.consumer_price > 1 else None,
        ),
        economy=EconomyView(card.name, card.buy, card.sell, card.demand, state.difference),
        news=NewsView(
            state.news.likelier,
            state.news.less_likely,
            state.news.active,
            len(state.news.pile) + len(state.news.under),
        ),
        turn=_turn(state),
        declared_by=state.declared_by,
        last_turns=state.last_turns,
        standings=state.standings,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )


def _seats(state: State) -> tuple[SeatView, ...]:
    if state.players:
        return tuple(
            SeatView(
                seat,
                player.player,
                player.name,
                player.cash,
                player.crude,
                player.gasoline,
                state.quadrants_of(seat),
            )
            for seat, player in enumerate(state.players)
        )
    return tuple(
        SeatView(seat, player, chair.name if chair else None, 0, 0, 0, ())
        for seat, (player, chair) in enumerate(zip(player_ids(state), state.chairs, strict=True))
    )


def _quadrant(state: State, index: int) -> QuadrantView:
    quadrant = state.quadrants[index]
    idle = sites(index, quadrant.idle)
    assets = tuple(
        AssetView(kind, site, kind == "refinery" and site in idle)
        for kind in KINDS
        for site in sites(index, quadrant.standing(kind))
    )
    return QuadrantView(index, state.owners[index], assets)


def _market(state: State, market: MarketName, good: Good) -> MarketView:
    free = state.market(market).free(good)
    to_buy, to_sell = prices_to_buy(good, free), prices_to_sell(good, free)
    return MarketView(market, good, len(to_buy), to_buy[0] if to_buy else None, to_sell[0] if to_sell else None)


def _turn(state: State) -> TurnView | None:
    turn = state.turn
    if turn is None:
        return None
    return TurnView(
        turn.number,
        turn.quadrant,
        turn.seat,
        turn.market,
        turn.red,
        turn.black,
        turn.operating if state.phase in ("production", "neighbours") else None,
        turn.card,
        turn.dues,
    )
