"""Events that several rule sets have in common. Each holds all that the fold needs, prices included.

`seat` is who it happened to, None for nobody's quadrant. Money is in millions of dollars, quantities in barrels.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.figures import (
    BarrelCount,
    Count,
    Entropy,
    Millions,
    Pieces,
    PlayerId,
    PlayerName,
    Prices,
    QuadrantNumber,
    Seat,
    Seats,
    Sha256,
)
from mcmulti.domain.core.site import Site
from mcmulti.domain.oil.names import Good, Kind, MarketName
from mcmulti.domain.oil.state import Standing

DecidedBy = Literal["cash", "barrels", "shared", "target"]


# Events never hold themselves: the garbage collector, which looks for that, passes them over.
class Event(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag=True):
    """Base of all events; `type` names the event."""


class SeatTaken(Event, frozen=True):
    """A player sat down and added entropy to the dice."""

    seat: Seat
    player: PlayerId
    name: PlayerName
    entropy: Entropy


class SeatLeft(Event, frozen=True):
    """A player left before the start."""

    seat: Seat


class TurnBegan(Event, frozen=True):
    """A quadrant's turn began with its market phase. `turn` counts the turns of the game, from 1."""

    turn: Count
    quadrant: QuadrantNumber
    seat: Seat | None


class BarrelsBought(Event, frozen=True):
    """Barrels were bought on a market at these prices."""

    seat: Seat
    market: MarketName
    good: Good
    prices: Prices


class BarrelsSold(Event, frozen=True):
    """Barrels were sold on a market at these prices."""

    seat: Seat
    market: MarketName
    good: Good
    prices: Prices


class DiceRolled(Event, frozen=True):
    """The production roll."""

    seat: Seat | None
    red: Draw
    black: Draw


class OperationBegan(Event, frozen=True):
    """A quadrant may operate what the dice hit: barrels that stations can sell, refineries refine and wells pump.

    `strike` is the rig that may become a well.
    """

    seat: Seat
    quadrant: QuadrantNumber
    neighbour: bool
    stations: BarrelCount
    refineries: BarrelCount
    wells: BarrelCount
    strike: Site | None


class GasolineSold(Event, frozen=True):
    """Stations sold gasoline to the consumers at these prices."""

    seat: Seat
    prices: Prices


class CrudeRefined(Event, frozen=True):
    """Refineries turned this many barrels of crude into gasoline."""

    seat: Seat
    quantity: BarrelCount


class CrudePumped(Event, frozen=True):
    """Wells brought this many barrels of crude."""

    seat: Seat
    quantity: BarrelCount


class AssetBought(Event, frozen=True):
    """An asset was bought from the bank and placed."""

    seat: Seat
    kind: Kind
    site: Site
    price: Millions


class AssetSold(Event, frozen=True):
    """An asset was sold to the bank."""

    seat: Seat
    kind: Kind
    site: Site
    price: Millions


class GameStoodStill(Event, frozen=True):
    """So many full `rounds` had gone by in which nobody's cash, barrels or assets changed: the game ends."""

    rounds: Count


class AssetsLiquidated(Event, frozen=True):
    """All remaining assets of a player were sold at the end: pieces of each kind, and what they brought."""

    seat: Seat
    rigs: Pieces
    wells: Pieces
    stations: Pieces
    refineries: Pieces
    proceeds: Millions


class GameFinished(Event, frozen=True):
    """The game is over.

    `decided_by` is cash, barrels, shared when both are equal, or target for who had it first.
    """

    standings: Annotated[tuple[Standing, ...], Meta(max_length=4)]
    winners: Seats
    decided_by: DecidedBy


class SeedRevealed(Event, frozen=True):
    """The secret seed, in hexadecimal: everybody can recompute the dice."""

    seed: Sha256
