"""What a game of this family has at every moment: seats, players, assets, markets."""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import BarrelCount, Millions, Seat
from mcmulti.domain.oil.market import Market
from mcmulti.domain.oil.names import KINDS, EconomyName, Kind, MarketName
from mcmulti.domain.oil.quadrant import EMPTY, Quadrant


class Chair(Struct, frozen=True, gc=False):
    """A taken seat before the start."""

    player: str
    name: str
    entropy: str


class Player(Struct, frozen=True, gc=False):
    """What a player owns: cash in millions of dollars, barrels of crude and of gasoline."""

    player: str
    name: str
    cash: int = 0
    crude: int = 0
    gasoline: int = 0


class Standing(Struct, frozen=True, gc=False):
    """A player's place at the end: cash in millions of dollars, barrels of both goods."""

    seat: Seat
    rank: Annotated[int, Meta(ge=1, le=4)]
    cash: Millions
    barrels: BarrelCount


# States never hold themselves: the garbage collector, which looks for that, passes them over.
class Oilfield(Struct, frozen=True, gc=False):
    """What the states of all rule sets have. `player_ids` is who sits where, by seat; None for an empty seat.

    `still`: turns that began since anybody's cash, barrels or assets last changed. `stood_still`: whether that ended
    the game.
    """

    game_id: str
    commitment: str
    chairs: tuple[Chair | None, ...]
    player_ids: tuple[str | None, ...]
    players: tuple[Player, ...] = ()
    owners: tuple[int | None, ...] = (None, None, None, None)
    quadrants: tuple[Quadrant, ...] = (EMPTY, EMPTY, EMPTY, EMPTY)
    economy: EconomyName = "recovery"
    domestic: Market = Market()
    foreign: Market = Market()
    consumer_price: int = 0
    still: int = 0
    stood_still: bool = False
    standings: tuple[Standing, ...] = ()
    winners: tuple[int, ...] = ()
    seed: str | None = None
    draws: int = 0
    entropy: str = ""

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

    @property
    def names(self) -> tuple[str | None, ...]:
        """What players are called, by seat; None for an empty seat."""
        seated = self.players or self.chairs
        return tuple(one.name if one else None for one in seated)

    @property
    def seated(self) -> tuple[int, ...]:
        """The seats taken before the start."""
        return tuple(seat for seat, chair in enumerate(self.chairs) if chair is not None)
