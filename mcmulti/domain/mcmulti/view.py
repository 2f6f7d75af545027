"""What a reader of a game sees: the board, the markets, the cards, and everybody's cash, which is open.

What must stay unknown is not in the state at all: the order of the news pile and, until the end, the seed.
"""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Count, Sha256
from mcmulti.domain.core.table import Status
from mcmulti.domain.mcmulti.components import FIELDS, STEP, NewsName
from mcmulti.domain.mcmulti.news.track import next_sale
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import Due, Phase, State
from mcmulti.domain.oil.names import (
    BarrelCount,
    EconomyName,
    Kind,
    MarketName,
    Millions,
    QuadrantNumber,
    Quadrants,
    Seat,
    Seats,
)
from mcmulti.domain.oil.state import Standing
from mcmulti.domain.oil.view import MarketView, QuadrantView, SeatView, market_views, quadrant_views, seat_views


class ConsumerView(Struct, frozen=True):
    """The consumer market.

    `price`: the price of its cheapest barrel, in millions of dollars. `barrels`: how many are there. `next_sale`: what
    the next barrel of gasoline brings at a pump, in millions of dollars, null if none can be sold.
    """

    price: Millions
    barrels: BarrelCount
    next_sale: Millions | None


class EconomyView(Struct, frozen=True):
    """The economy card in force.

    `card`: its name. `buy`: the price of each kind of asset, in millions of dollars. `sell`: what each kind brings, in
    millions of dollars. `demand`: by how many red fields the consumer price moves when this card comes. `difference`:
    the value of the difference track; at 8 the economy changes.
    """

    card: EconomyName
    buy: dict[Kind, Millions]
    sell: dict[Kind, Millions]
    demand: Annotated[int, Meta(ge=-20, le=20)]
    difference: Count


class NewsView(Struct, frozen=True):
    """The news cards.

    `likelier`: the open card that a double 1 or 3 brings, null for none. `less_likely`: the open card that a double 6
    brings, null for none. `active`: the cards in force. `pile`: how many cards the pile has.
    """

    likelier: NewsName | None
    less_likely: NewsName | None
    active: Annotated[tuple[NewsName, ...], Meta(max_length=8)]
    pile: Annotated[int, Meta(ge=0, le=8)]


class TurnView(Struct, frozen=True):
    """The current turn.

    `number`: its number, from 1. `quadrant`: the quadrant whose turn it is. `seat`: who plays it, null for the ghost.
    `market`: the market that this turn trades on, null as long as none is chosen. `red`: the red die, 0 before the
    roll. `black`: the black die, 0 before the roll. `operating`: the quadrant that produces now, null if none does.
    `news`: the card that happens now, null for none. `dues`: what each seat owes for it, in the order of paying.
    """

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
    """A game of McMulti as one reader sees it.

    `status`: whether it is open, running, or finished. `you`: the reader's seat, null for spectators. `to_move`: the
    seats the game waits for, before the start those that have not agreed to it. `setup`: what was agreed on when the
    table was opened. `seats`: the players and their property. `phase`: the current part of the turn. `quadrants`: the
    four quadrants of the board, with their assets. `markets`: each good on each market. `consumer`: the consumer
    market. `economy`: the economy card in force. `news`: the news cards. `turn`: the current turn, null before the
    first. `declared_by`: the seat that declared victory, null if none did. `last_turns`: the quadrants that still have
    a turn after the declaration, null before it. `still`: how many turns began since anybody's cash, barrels, or assets
    last changed; ten rounds of them, 40, end the game (`table/standstill`). `standings`: the final ranking, the best
    first; empty before the end.

    `winners`: the seats that won, empty until the game is over, and if it was called off. `commitment`: the SHA-256 of
    the secret seed. `seed`: the secret seed that all draws come from, null until the game is over.
    """

    status: Status
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
    still: Count
    standings: Annotated[tuple[Standing, ...], Meta(max_length=4)]
    winners: Seats
    commitment: Sha256
    seed: Sha256 | None


def view(state: State, seat: int | None) -> McMultiView:
    """The game as the seat sees it; None for a spectator."""
    card = state.card
    return McMultiView(
        status=state.status,
        phase=state.phase,
        you=seat,
        to_move=state.to_move,
        setup=state.setup,
        seats=seat_views(state),
        quadrants=quadrant_views(state),
        markets=market_views(state, STEP, FIELDS),
        consumer=ConsumerView(
            state.consumer_price,
            state.consumer_barrels,
            next_sale(state.setup.consumer_track, state.consumer_price),
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
        still=state.still,
        standings=state.standings,
        winners=state.winners,
        commitment=state.commitment,
        seed=state.seed,
    )


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
