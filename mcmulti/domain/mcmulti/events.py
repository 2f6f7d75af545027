"""Events: what happened, in the past tense. Each holds all that the fold needs, prices included.

`seat` is who it happened to, None for the ghost. Money is in millions of dollars, quantities in barrels.
"""

from typing import Literal

from msgspec import Struct

from mcmulti.domain.chance import Draw
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

    game_id: str
    ruleset: str
    version: int
    setup: Setup
    commitment: str


class SeatTaken(Event, frozen=True):
    """A player sat down and added entropy to the dice."""

    seat: int
    player: str
    name: str
    entropy: str


class SeatLeft(Event, frozen=True):
    """A player left before the start."""

    seat: int


class GameStarted(Event, frozen=True):
    """The seats are final: `chairs` lists, for each player in order, the seat it had taken.

    `owners` says who owns each quadrant, None for the ghost. `cash`, `crude` and `gasoline` are what
    every player starts with. `free` are the free fields of each good on both markets, `news` the cards.
    """

    chairs: tuple[int, ...]
    owners: tuple[int | None, ...]
    entropy: str
    cash: int
    crude: int
    gasoline: int
    economy: EconomyName
    free: dict[Good, int]
    consumer_price: int
    news: tuple[NewsName, ...]


class StartingRoll(Struct, frozen=True):
    """What one player rolled for the start."""

    seat: int
    die: Draw


class StartRolled(Event, frozen=True):
    """Players rolled for who starts; those with the highest roll again if there are several."""

    rolls: tuple[StartingRoll, ...]


class FirstPlayerChosen(Event, frozen=True):
    """Who starts, and the quadrants in the order of the special purchase round."""

    seat: int
    quadrant: int
    purchases: tuple[int, ...]


class PurchasesEnded(Event, frozen=True):
    """A quadrant's go in the special purchase round ended."""

    seat: int
    quadrant: int


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
    dues: tuple[Due, ...]


class TaxPaid(Event, frozen=True):
    """A player paid what was due, or all it had."""

    seat: int
    due: int
    paid: int


class CleanUpOrdered(Event, frozen=True):
    """Every refinery standing fell idle; the owners may pay for clean-ups in this order."""

    sites: tuple[Site, ...]
    seats: tuple[int, ...]


class CleanUpPaid(Event, frozen=True):
    """An idle refinery was cleaned up and works again."""

    seat: int
    site: Site
    price: int


class CleanUpsEnded(Event, frozen=True):
    """A player paid for no more clean-ups when the news came."""

    seat: int


class BarrelsUsedUp(Event, frozen=True):
    """The cheapest barrels of a market went to the supply."""

    market: MarketName
    good: Good
    quantity: int


class BarrelsShifted(Event, frozen=True):
    """The cheapest barrels of one market moved to the dearest free fields of the other."""

    source: MarketName
    target: MarketName
    good: Good
    quantity: int


class ConsumerPriceMoved(Event, frozen=True):
    """The cheapest consumer barrel moved from `before` to `after`; `removed` barrels above it were taken off."""

    before: int
    after: int
    removed: int


# A turn


class TurnBegan(Event, frozen=True):
    """A quadrant's turn began with its market phase."""

    turn: int
    quadrant: int
    seat: int | None


class BarrelsBought(Event, frozen=True):
    """Barrels were bought on a market at these prices."""

    seat: int
    market: MarketName
    good: Good
    prices: tuple[int, ...]


class BarrelsSold(Event, frozen=True):
    """Barrels were sold on a market at these prices."""

    seat: int
    market: MarketName
    good: Good
    prices: tuple[int, ...]


class DiceRolled(Event, frozen=True):
    """The production roll."""

    seat: int | None
    red: Draw
    black: Draw


class DifferenceAdvanced(Event, frozen=True):
    """The difference track advanced `by` the difference of the dice, `to` its new place."""

    by: int
    to: int


class EconomyChanged(Event, frozen=True):
    """The green die named the next economy card; the difference track went back to 0."""

    green: Draw
    before: EconomyName
    after: EconomyName


class OperationBegan(Event, frozen=True):
    """A quadrant may operate what the dice hit: barrels that stations can sell, refineries refine and wells pump.

    `strike` is the rig that may become a well.
    """

    seat: int
    quadrant: int
    neighbour: bool
    stations: int
    refineries: int
    wells: int
    strike: Site | None


class GasolineSold(Event, frozen=True):
    """Stations sold gasoline to the consumers at these prices."""

    seat: int
    prices: tuple[int, ...]


class CrudeRefined(Event, frozen=True):
    """Refineries turned this many barrels of crude into gasoline."""

    seat: int
    quantity: int


class CrudePumped(Event, frozen=True):
    """Wells brought this many barrels of crude."""

    seat: int
    quantity: int


class OilStruck(Event, frozen=True):
    """A rig became a well, the n-th on the board."""

    seat: int
    site: Site
    wells: int
    price: int


class AssetPhaseBegan(Event, frozen=True):
    """The asset phase of a turn began."""

    seat: int
    quadrant: int


class AssetBought(Event, frozen=True):
    """An asset was bought from the bank and placed."""

    seat: int
    kind: Kind
    site: Site
    price: int


class AssetSold(Event, frozen=True):
    """An asset was sold to the bank."""

    seat: int
    kind: Kind
    site: Site
    price: int


# The end


class VictoryDeclared(Event, frozen=True):
    """A player declared victory; the quadrants that have a last turn follow in order."""

    seat: int
    cash: int
    last_turns: tuple[int, ...]


class AssetsLiquidated(Event, frozen=True):
    """All remaining assets of a player were sold at the end: pieces of each kind, and what they brought."""

    seat: int
    rigs: int
    wells: int
    stations: int
    refineries: int
    proceeds: int


class GameFinished(Event, frozen=True):
    """The game is over. `decided_by` is cash, barrels, or shared when both are equal."""

    standings: tuple[Standing, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy


class SeedRevealed(Event, frozen=True):
    """The secret seed, in hexadecimal: everybody can recompute the dice."""

    seed: str


EVENTS: tuple[type[Event], ...] = tuple(Event.__subclasses__())
