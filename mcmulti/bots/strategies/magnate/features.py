"""A magnate's input: a position of the box game in numbers, as one seat sees it.

Counts are scaled to about 0 to 1; money is in fractions of the target.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from mcmulti.domain.mcmulti.components import ECONOMY, NEWS
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import Kind
from mcmulti.domain.oil.rules.board import free_blocks, free_sites
from mcmulti.domain.oil.rules.quadrant import Quadrant

_CARDS = tuple(ECONOMY)
_NEWS = tuple(NEWS)
_BLOCK = 12
_LEAST = ECONOMY["depression"].sell
_COMING = {
    name: {kind: sum(ECONOMY[after].sell[kind] for after in card.next) / 6 for kind in card.sell}
    for name, card in ECONOMY.items()
}
"""The bank's average prices after the economy changes."""


class _Pieces(NamedTuple):
    """The number of each kind in one place; idle refineries separately."""

    rigs: int
    stations: int
    refineries: int
    wells: int
    idle: int


class _Holding(NamedTuple):
    """A seat's property in numbers, and its total in millions of dollars if everything is sold."""

    worth: float
    numbers: list[float]
    pieces: _Pieces


def features(state: State, seat: int, rolls: bool) -> list[float]:
    """The position in numbers. `rolls`: whether the dice come next, instead of trades on a market."""
    target = state.setup.target
    seats = range(len(state.players))
    holdings = [_holding(state, each, target) for each in seats]
    mine = holdings[seat]
    others = sorted((holdings[each] for each in seats if each != seat), key=lambda held: -held.worth)
    numbers = list(mine.numbers)
    for held in others:
        numbers += held.numbers
    numbers += [0.0] * (_BLOCK * (4 - len(holdings)))
    return numbers + _prospects(state, seat, mine, target) + _common_features(state, seat, holdings, rolls)


def _holding(state: State, seat: int, target: int) -> _Holding:
    player = state.players[seat]
    owned = [_pieces(state.quadrants[index]) for index in state.quadrants_of(seat)]
    pieces = owned[0] if len(owned) == 1 else _Pieces(*map(sum, zip(*owned, strict=True)))
    rigs, stations, refineries, wells, idle = pieces
    worth = player.cash + sum(_sold(pieces, state.card.sell))
    numbers = [
        player.cash / target,
        worth / target,
        (player.cash + sum(_sold(pieces, _LEAST))) / target,
        player.crude / 10,
        player.gasoline / 10,
        rigs / 10,
        stations / 5,
        refineries / 4,
        wells / 5,
        idle / 2,
        _turns_until(state, seat) / 4,
        float(state.declared_by == seat),
    ]
    return _Holding(worth, numbers, pieces)


def _sold(pieces: _Pieces, prices: Mapping[Kind, float]) -> list[float]:
    """What each kind brings at these prices; idle refineries as much as others."""
    rigs, stations, refineries, wells, idle = pieces
    blocks = refineries + idle
    return [rigs * prices["rig"], stations * prices["station"], blocks * prices["refinery"], wells * prices["well"]]


@lru_cache(maxsize=4096)
def _pieces(quadrant: Quadrant) -> _Pieces:
    idle = quadrant.idle.bit_count()
    return _Pieces(
        quadrant.rigs.bit_count(),
        quadrant.stations.bit_count(),
        quadrant.refineries.bit_count() - idle,
        quadrant.wells.bit_count(),
        idle,
    )


def _turns_until(state: State, seat: int) -> int:
    """The number of turns until the seat has one, 0 if it is its turn; 4 if it has none anymore."""
    if state.turn is None:
        at_turn = state.first
    elif state.last_turns is not None:
        turns = (state.turn.quadrant, *state.last_turns)
        return next((n for n, quadrant in enumerate(turns) if state.owners[quadrant] == seat), 4)
    else:
        at_turn = state.turn.quadrant
    return next(n for n in range(4) if state.owners[(at_turn + n) % 4] == seat)


def _prospects(state: State, seat: int, mine: _Holding, target: int) -> list[float]:
    """What your own assets bring now and when the economy changes, and how much room there is."""
    quadrants = [state.quadrants[index] for index in state.quadrants_of(seat)]
    return [
        *(money / target for money in _sold(mine.pieces, state.card.sell)),
        *(money / target for money in _sold(mine.pieces, _COMING[state.economy])),
        sum(_free_sites(quadrant) for quadrant in quadrants) / 36,
        sum(_free_blocks(quadrant) for quadrant in quadrants) / 10,
    ]


@lru_cache(maxsize=4096)
def _free_sites(quadrant: Quadrant) -> int:
    return free_sites(quadrant.occupied).bit_count()


@lru_cache(maxsize=4096)
def _free_blocks(quadrant: Quadrant) -> int:
    return free_blocks(quadrant.occupied).bit_count()


def _common_features(state: State, seat: int, holdings: list[_Holding], rolls: bool) -> list[float]:
    """What is the same for all: markets, cards, turns, and everybody's assets together."""
    worths = [held.worth for held in holdings]
    last_turns = state.last_turns
    turn = state.turn
    return [
        state.domestic.crude / 10,
        state.foreign.crude / 10,
        state.domestic.gasoline / 10,
        state.foreign.gasoline / 10,
        state.consumer_price / 40,
        state.consumer_barrels / 10,
        state.difference / 8,
        (turn.number if turn else 0) / 50,
        float(last_turns is not None),
        (0 if last_turns is None else len(last_turns)) / 3,
        float("domestic_price_freeze" in state.news.active),
        float("foreign_embargo" in state.news.active),
        float(rolls),
        float(turn is None),
        float(len(holdings) == 2),
        float(len(holdings) == 3),
        float(state.setup.target == 1000),
        sum(worth > holdings[seat].worth for worth in worths) / 3,
        sum(held.pieces.wells for held in holdings) / 20,
        sum(held.pieces.stations for held in holdings) / 20,
        sum(held.pieces.refineries for held in holdings) / 12,
        *(float(state.economy == card) for card in _CARDS),
        *(float(state.news.likelier == card) for card in _NEWS),
    ]
