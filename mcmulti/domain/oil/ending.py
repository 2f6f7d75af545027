"""The end that all rule sets can come to: standstill, the final sale, the standings by cash."""

from collections.abc import Mapping
from typing import TypeVar

from mcmulti.domain.core.course import Course
from mcmulti.domain.oil.board import QUADRANTS
from mcmulti.domain.oil.events import AssetsLiquidated, DecidedBy, GameFinished
from mcmulti.domain.oil.names import Kind
from mcmulti.domain.oil.state import Oilfield, Standing

F = TypeVar("F", bound=Oilfield)


def stands_still(state: Oilfield, rounds: int) -> bool:
    """Whether nobody's cash, barrels or assets changed in so many full rounds (`table/standstill`).

    Looked at when a turn is over; a round is one turn of every quadrant, nobody's among them.
    """
    return state.still >= rounds * len(QUADRANTS)


def settle(play: Course[F], sell: Mapping[Kind, int], sale: str, winner: str) -> None:
    """Sell what stands at these prices, in millions of dollars; rank by cash, then by barrels.

    `sale` and `winner` are the rules that the sales and the victory come from.
    """
    for seat in range(len(play.state.players)):
        _liquidate(play, seat, sell, sale)
    standings = _standings(play.state)
    winners = tuple(standing.seat for standing in standings if standing.rank == 1)
    richest = sum(standing.cash == standings[0].cash for standing in standings)
    decided_by: DecidedBy = "cash" if richest == 1 else "barrels"
    if len(winners) > 1:
        decided_by = "shared"
    play.record(GameFinished(standings, winners, decided_by), winner)


def _liquidate(play: Course[F], seat: int, sell: Mapping[Kind, int], rule: str) -> None:
    pieces = play.state.pieces(seat)
    proceeds = sum(number * sell[kind] for kind, number in pieces.items())
    if proceeds:
        liquidated = AssetsLiquidated(
            seat,
            rigs=pieces["rig"],
            wells=pieces["well"],
            stations=pieces["station"],
            refineries=pieces["refinery"],
            proceeds=proceeds,
        )
        play.record(liquidated, rule)


def _standings(state: Oilfield) -> tuple[Standing, ...]:
    """Most cash first, then most barrels; equals share a rank."""
    worth = {seat: (player.cash, player.crude + player.gasoline) for seat, player in enumerate(state.players)}
    return tuple(
        Standing(seat, 1 + sum(other > worth[seat] for other in worth.values()), *worth[seat])
        for seat in sorted(worth, key=lambda seat: worth[seat], reverse=True)
    )
