"""The common state of this family: players, assets, markets, the turn."""

from typing import Annotated, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving.departures import NO_DEPARTURES, Departures
from mcmulti.domain.core.capabilities.votes import NO_PROPOSALS, Proposals
from mcmulti.domain.core.table import Chair, Table
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil.names import KINDS, BarrelCount, EconomyName, Kind, MarketName, Millions, Seat
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.quadrant import EMPTY, Quadrant


class Player(Struct, frozen=True, gc=False):
    """What a player owns: cash in millions of dollars, barrels of crude and of gasoline."""

    cash: int = 0
    crude: int = 0
    gasoline: int = 0


Players = tuple[Player, ...]


class Standing(Struct, frozen=True, gc=False):
    """A player's place at the end.

    `seat`: its number. `rank`: its place, from 1; seats with equal cash and barrels share one. `cash`: in millions of
    dollars, after the final sale. `barrels`: how many of both goods.
    """

    seat: Seat
    rank: Annotated[int, Meta(ge=1, le=4)]
    cash: Millions
    barrels: BarrelCount


class Turn(Struct, frozen=True, gc=False):
    """The current turn. `quadrant`: whose turn it is. `seat`: its owner, None for nobody.

    `number`: counts turns from 1. `market`: the one traded on. The dice `red` and `black` are 0 before the roll.
    """

    number: int
    quadrant: int
    seat: int | None
    market: MarketName | None = None
    red: int = 0
    black: int = 0


class Oilfield(Table, frozen=True):
    """The common part of the states of all rule sets.

    `still`: turns that began since anybody's cash, barrels, or assets last changed. `stood_still`: whether that ended
    the game.
    """

    players: tuple[Player, ...] = ()
    owners: tuple[int | None, ...] = (None, None, None, None)
    quadrants: tuple[Quadrant, ...] = (EMPTY, EMPTY, EMPTY, EMPTY)
    economy: EconomyName = "recovery"
    domestic: Market = Market()
    foreign: Market = Market()
    consumer_price: int = 0
    turn: Turn | None = None
    still: int = 0
    stood_still: bool = False
    standings: tuple[Standing, ...] = ()
    departures: Departures = NO_DEPARTURES
    proposals: Proposals = NO_PROPOSALS
    winners: tuple[int, ...] = ()

    @property
    def now(self) -> Turn:
        """The current turn; only a running game has one."""
        if self.turn is None:
            raise LookupError("no turn is played")
        return self.turn

    def market(self, name: MarketName) -> Market:
        """The domestic or the foreign market."""
        return self.domestic if name == "domestic" else self.foreign

    def quadrants_of(self, seat: int) -> tuple[int, ...]:
        """The quadrants a player owns."""
        return tuple([quadrant for quadrant, owner in enumerate(self.owners) if owner == seat])

    def pieces(self, seat: int) -> dict[Kind, int]:
        """How many assets of each kind a player owns."""
        owned = [self.quadrants[index] for index in self.quadrants_of(seat)]
        return {kind: sum(quadrant.standing(kind).bit_count() for quadrant in owned) for kind in KINDS}

    def stored(self, seat: int, cash: int, crude: int = 0, gasoline: int = 0) -> Players:
        """The players after one of them got this much more cash in millions of dollars, and barrels of both goods."""
        players = list(self.players)
        player = players[seat]
        players[seat] = Player(player.cash + cash, player.crude + crude, player.gasoline + gasoline)
        return tuple(players)

    def rebuilt(self, seat: int, cash: int, index: int, quadrant: Quadrant) -> Self:
        """The state after a player got more cash and a quadrant changed. Resets the count of turns without change."""
        return replace(self, players=self.stored(seat, cash), quadrants=put(self.quadrants, index, quadrant), still=0)


def dealt_out(chairs: tuple[Chair | None, ...], cash: int, crude: int, gasoline: int) -> Players:
    """The players on the chairs, with what each starts with. Raises ValueError for an empty chair."""
    if None in chairs:
        raise ValueError(f"seat {chairs.index(None)} starts, but nobody took it")
    return (Player(cash, crude, gasoline),) * len(chairs)
