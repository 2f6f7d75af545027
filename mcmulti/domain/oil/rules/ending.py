"""The common ends of all rule sets: standstill, the final sale, the standings by cash."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count
from mcmulti.domain.oil.names import KINDS, Kind, Millions, Pieces, Seat, Seats
from mcmulti.domain.oil.phrases import Phrases
from mcmulti.domain.oil.rules.board import QUADRANTS
from mcmulti.domain.oil.rules.quadrant import EMPTY
from mcmulti.domain.oil.rules.transfers import pay
from mcmulti.domain.oil.state import Oilfield, Standing

F = TypeVar("F", bound=Oilfield)
DecidedBy = Literal["cash", "barrels", "shared", "target", "left"]


class GameStoodStill(Event, frozen=True):
    """For this many full `rounds` nobody's cash, barrels, or assets changed: the game ends."""

    rounds: Count

    def evolve(self, state: F) -> F:
        return replace(state, stood_still=True)


class AssetsLiquidated(Event, frozen=True):
    """All remaining assets of a player were sold at the end: pieces of each kind, and the proceeds."""

    seat: Seat
    rigs: Pieces
    wells: Pieces
    stations: Pieces
    refineries: Pieces
    proceeds: Millions

    def evolve(self, state: F) -> F:
        quadrants = tuple(
            EMPTY if owner == self.seat else quadrant
            for owner, quadrant in zip(state.owners, state.quadrants, strict=True)
        )
        return replace(state, players=state.stored(self.seat, self.proceeds), quadrants=quadrants)

    def transfers(self) -> tuple[Transfer, ...]:
        reason = "liquidation"
        moved = list(pay(self.seat, -self.proceeds, reason))
        for kind, number in self._pieces():
            moved += transfer(f"seat:{self.seat}:{kind}", "supply", kind, number, reason)
        return tuple(moved)

    def assets(self, say: Phrases) -> str:
        """The pieces, kind by kind."""
        return say.listing([say.pieces(number, kind) for kind, number in self._pieces() if number])

    def _pieces(self) -> Iterator[tuple[Kind, int]]:
        return zip(KINDS, (self.rigs, self.wells, self.stations, self.refineries), strict=True)


class GameFinished(Event, frozen=True):
    """The game is over.

    `decided_by`: cash, barrels, shared if both are equal, target for the first to have it, or left if all others have
    left the game.
    """

    standings: Annotated[tuple[Standing, ...], Meta(max_length=4)]
    winners: Seats
    decided_by: DecidedBy

    def finished(self, state: F) -> F:
        """The state after it, in every game."""
        return replace(state, phase="over", standings=self.standings, winners=self.winners, decided_by=self.decided_by)

    def about(self, actor: int | None) -> int | None:
        return None


class Ranking(NamedTuple):
    """The result of a game, in the order of `GameFinished`."""

    standings: tuple[Standing, ...]
    winners: tuple[int, ...]
    decided_by: Literal["cash", "barrels", "shared", "left"]


def stands_still(state: Oilfield, rounds: int) -> bool:
    """Whether nobody's cash, barrels, or assets changed in this many full rounds (`table/standstill`).

    Checked at the end of a turn. A round is one turn of every quadrant, including those without an owner.
    """
    return state.still >= rounds * len(QUADRANTS)


def liquidate(play: Course[F], sell: Mapping[Kind, int], rule: str) -> None:
    """Sell all remaining assets at these prices, in millions of dollars, under this rule."""
    for seat in range(len(play.state.players)):
        sell_all(play, seat, sell, rule, AssetsLiquidated)


def sell_all(play: Course[F], seat: int, sell: Mapping[Kind, int], rule: str, sale: type[AssetsLiquidated]) -> None:
    """Sell all assets of a seat, if it has any, at these prices, in millions of dollars, under this rule."""
    pieces = play.state.pieces(seat)
    proceeds = sum(number * sell[kind] for kind, number in pieces.items())
    if proceeds:
        sold = sale(
            seat,
            rigs=pieces["rig"],
            wells=pieces["well"],
            stations=pieces["station"],
            refineries=pieces["refinery"],
            proceeds=proceeds,
        )
        play.record(sold, rule)


def ranked(state: Oilfield, winner: int | None = None) -> tuple[Standing, ...]:
    """A `winner` first if the game has one already, then by cash, then by barrels; equal seats share a rank.

    Players who left come last.
    """
    taken = state.taken
    worth = {
        seat: (seat == winner, seat in taken, player.cash, player.crude + player.gasoline)
        for seat, player in enumerate(state.players)
    }
    return tuple(
        Standing(seat, 1 + sum(other > worth[seat] for other in worth.values()), *worth[seat][2:])
        for seat in sorted(worth, key=lambda seat: worth[seat], reverse=True)
    )


def richest(state: Oilfield) -> Ranking:
    """The player with the most cash wins; barrels break ties. If those are equal too, the victory is shared."""
    standings = ranked(state)
    winners = tuple(standing.seat for standing in standings if standing.rank == 1)
    if state.departures.ended == "left":
        return Ranking(standings, winners, "left")
    if len(winners) > 1:
        return Ranking(standings, winners, "shared")
    rivals = [standing for standing in standings if standing.seat in state.taken]
    alone = sum(standing.cash == rivals[0].cash for standing in rivals) == 1
    return Ranking(standings, winners, "cash" if alone else "barrels")
