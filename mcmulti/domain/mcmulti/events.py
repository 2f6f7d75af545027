"""Events: what happened, in the past tense. Each holds all that the fold needs, prices included.

`seat` is who it happened to, None for the ghost. Money is in millions of dollars, quantities in barrels.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.figures import (
    BarrelCount,
    Count,
    GameId,
    Millions,
    Owners,
    Pieces,
    QuadrantNumber,
    Quadrants,
    RulesetName,
    Seat,
    Seats,
    Sha256,
)
from mcmulti.domain.core.site import Site
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.domain.mcmulti.state import Due
from mcmulti.domain.oil.events import (
    AssetBought,
    AssetsLiquidated,
    AssetSold,
    BarrelsBought,
    BarrelsSold,
    CrudePumped,
    CrudeRefined,
    DecidedBy,
    DiceRolled,
    Event,
    GameFinished,
    GameStoodStill,
    GasolineSold,
    OperationBegan,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    TurnBegan,
)
from mcmulti.domain.oil.names import EconomyName, Good, MarketName

__all__ = [
    "EVENTS",
    "AssetBought",
    "AssetPhaseBegan",
    "AssetSold",
    "AssetsLiquidated",
    "BarrelsBought",
    "BarrelsShifted",
    "BarrelsSold",
    "BarrelsUsedUp",
    "CleanUpOrdered",
    "CleanUpPaid",
    "CleanUpsEnded",
    "ConsumerPriceMoved",
    "CrudePumped",
    "CrudeRefined",
    "DecidedBy",
    "DiceRolled",
    "DifferenceAdvanced",
    "EconomyChanged",
    "Event",
    "FirstPlayerChosen",
    "GameFinished",
    "GameOpened",
    "GameStarted",
    "GameStoodStill",
    "GasolineSold",
    "NewsDiscarded",
    "NewsMovedUp",
    "NewsTriggered",
    "NewsTurnedOver",
    "OilStruck",
    "OperationBegan",
    "PurchasesEnded",
    "SeatLeft",
    "SeatTaken",
    "SeedRevealed",
    "StartRolled",
    "StartingRoll",
    "TaxLevied",
    "TaxPaid",
    "TurnBegan",
    "VictoryDeclared",
]


# The table


class GameOpened(Event, frozen=True):
    """A table was set up. `commitment` is the SHA-256 of the secret seed, in hexadecimal."""

    game_id: GameId
    ruleset: RulesetName
    version: Count
    setup: Setup
    commitment: Sha256


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


class StartingRoll(Struct, frozen=True, gc=False):
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


class DifferenceAdvanced(Event, frozen=True):
    """The difference track advanced `by` the difference of the dice, `to` its new place."""

    by: Count
    to: Count


class EconomyChanged(Event, frozen=True):
    """The green die named the next economy card; the difference track went back to 0."""

    green: Draw
    before: EconomyName
    after: EconomyName


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


# The end


class VictoryDeclared(Event, frozen=True):
    """A player declared victory; the quadrants that have a last turn follow in order."""

    seat: Seat
    cash: Millions
    last_turns: Quadrants


EVENTS: tuple[type[Event], ...] = (
    GameOpened,
    SeatTaken,
    SeatLeft,
    GameStarted,
    StartRolled,
    FirstPlayerChosen,
    PurchasesEnded,
    NewsTurnedOver,
    NewsMovedUp,
    NewsTriggered,
    NewsDiscarded,
    TaxLevied,
    TaxPaid,
    CleanUpOrdered,
    CleanUpPaid,
    CleanUpsEnded,
    BarrelsUsedUp,
    BarrelsShifted,
    ConsumerPriceMoved,
    TurnBegan,
    BarrelsBought,
    BarrelsSold,
    DiceRolled,
    DifferenceAdvanced,
    EconomyChanged,
    OperationBegan,
    GasolineSold,
    CrudeRefined,
    CrudePumped,
    OilStruck,
    AssetPhaseBegan,
    AssetBought,
    AssetSold,
    VictoryDeclared,
    GameStoodStill,
    AssetsLiquidated,
    GameFinished,
    SeedRevealed,
)
