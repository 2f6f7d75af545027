"""Events: what happened, in the past tense. Each holds all that the fold needs, prices included.

`seat` is who it happened to, None for the ghost. Money is in millions of dollars, quantities in barrels.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.chance import Draw
from mcmulti.domain.figures import (
    BarrelCount,
    Count,
    Entropy,
    GameId,
    Millions,
    Owners,
    Pieces,
    PlayerId,
    PlayerName,
    Prices,
    QuadrantNumber,
    Quadrants,
    RulesetName,
    Seat,
    Seats,
    Sha256,
)
from mcmulti.domain.mcmulti.components import EconomyName, Good, Kind, MarketName, NewsName
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import Due, Standing
from mcmulti.domain.site import Site

DecidedBy = Literal["cash", "barrels", "shared"]


class Event(Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """Base of all events; `type` names the event."""


# The table


class GameOpened(Event, frozen=True):
    """A table was set up. `commitment` is the SHA-256 of the secret seed, in hexadecimal."""

    game_id: GameId
    ruleset: RulesetName
    version: Count
    setup: Setup
    commitment: Sha256


class SeatTaken(Event, frozen=True):
    """A player sat down and added entropy to the dice."""

    seat: Seat
    player: PlayerId
    name: PlayerName
    entropy: Entropy


class SeatLeft(Event, frozen=True):
    """A player left before the start."""

    seat: Seat


class GameStarted(Event, frozen=True):
    """The seats are final: `chairs` lists, for each player in order, the seat it had taken.

    `owners` says who owns each quadrant, None for the ghost. `cash`, `crude` and `gasoline` are what
    every player starts with. `free` are the free fields of each good on both markets, `news` the cards.
    """

    chairs: Seats
    owners: Owners
    entropy: Annotated[str, Meta(max_length=259, pattern="^[0-9A-Za-z_,-]*$")]
    cash: Millions
    crude: BarrelCount
    gasoline: BarrelCount
    economy: EconomyName
    free: dict[Good, BarrelCount]
    consumer_price: Millions
    news: Annotated[tuple[NewsName, ...], Meta(max_length=8)]


class StartingRoll(Struct, frozen=True):
    """What one player rolled for the start."""

    seat: Seat
    die: Draw


class StartRolled(Event, frozen=True):
    """Players rolled for who starts; those with the highest roll again if there are several."""

    rolls: Annotated[tuple[StartingRoll, ...], Meta(max_length=4)]


class FirstPlayerChosen(Event, frozen=True):
    """Who starts, and the quadrants in the order of the special purchase round."""

    seat: Seat
    quadrant: QuadrantNumber
    purchases: Quadrants


class PurchasesEnded(Event, frozen=True):
    """A quadrant's go in the special purchase round ended."""

    seat: Seat
    quadrant: QuadrantNumber


# News


class NewsTurnedOver(Event, frozen=True):
    """A news card was turned over. `draw` chose it from the pile; None if it came from under the pile."""

    card: NewsName
    place: Literal["likelier", "less_likely"]
    draw: Draw | None


class NewsMovedUp(Event, frozen=True):
    """The less likely news became the likelier."""

    card: NewsName


class NewsTriggered(Event, frozen=True):
    """News happened."""

    card: NewsName


class NewsDiscarded(Event, frozen=True):
    """A news card was done and went under the pile."""

    card: NewsName


class TaxLevied(Event, frozen=True):
    """What the news makes each player pay, in the order of paying."""

    card: NewsName
    dues: Annotated[tuple[Due, ...], Meta(max_length=4)]


class TaxPaid(Event, frozen=True):
    """A player paid what was due, or all it had."""

    seat: Seat
    due: Millions
    paid: Millions


class CleanUpOrdered(Event, frozen=True):
    """Every refinery standing fell idle; the owners may pay for clean-ups in this order."""

    sites: Annotated[tuple[Site, ...], Meta(max_length=36)]
    seats: Seats


class CleanUpPaid(Event, frozen=True):
    """An idle refinery was cleaned up and works again."""

    seat: Seat
    site: Site
    price: Millions


class CleanUpsEnded(Event, frozen=True):
    """A player paid for no more clean-ups when the news came."""

    seat: Seat


class BarrelsUsedUp(Event, frozen=True):
    """The cheapest barrels of a market went to the supply."""

    market: MarketName
    good: Good
    quantity: BarrelCount


class BarrelsShifted(Event, frozen=True):
    """The cheapest barrels of one market moved to the dearest free fields of the other."""

    source: MarketName
    target: MarketName
    good: Good
    quantity: BarrelCount


class ConsumerPriceMoved(Event, frozen=True):
    """The cheapest consumer barrel moved from `before` to `after`; `removed` barrels above it were taken off."""

    before: Millions
    after: Millions
    removed: BarrelCount


# A turn


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


class DifferenceAdvanced(Event, frozen=True):
    """The difference track advanced `by` the difference of the dice, `to` its new place."""

    by: Count
    to: Count


class EconomyChanged(Event, frozen=True):
    """The green die named the next economy card; the difference track went back to 0."""

    green: Draw
    before: EconomyName
    after: EconomyName


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


class OilStruck(Event, frozen=True):
    """A rig became a well, the n-th on the board."""

    seat: Seat
    site: Site
    wells: Pieces
    price: Millions


class AssetPhaseBegan(Event, frozen=True):
    """The asset phase of a turn began."""

    seat: Seat
    quadrant: QuadrantNumber


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


# The end


class VictoryDeclared(Event, frozen=True):
    """A player declared victory; the quadrants that have a last turn follow in order."""

    seat: Seat
    cash: Millions
    last_turns: Quadrants


class AssetsLiquidated(Event, frozen=True):
    """All remaining assets of a player were sold at the end: pieces of each kind, and what they brought."""

    seat: Seat
    rigs: Pieces
    wells: Pieces
    stations: Pieces
    refineries: Pieces
    proceeds: Millions


class GameFinished(Event, frozen=True):
    """The game is over. `decided_by` is cash, barrels, or shared when both are equal."""

    standings: Annotated[tuple[Standing, ...], Meta(max_length=4)]
    winners: Seats
    decided_by: DecidedBy


class SeedRevealed(Event, frozen=True):
    """The secret seed, in hexadecimal: everybody can recompute the dice."""

    seed: Sha256


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
