"""Events of the postal game: what happened, in the past tense. Each holds all that the fold needs, prices included.

Money is in millions of dollars, quantities in barrels.
"""

from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.figures import (
    BarrelCount,
    Code,
    Count,
    GameId,
    Millions,
    RulesetName,
    Salt,
    Seat,
    Seats,
    Sha256,
)
from mcmulti.domain.core.rounds import Round
from mcmulti.domain.core.site import Site
from mcmulti.domain.oil.events import (
    AssetBought,
    AssetsLiquidated,
    AssetSold,
    BarrelsBought,
    BarrelsSold,
    CrudePumped,
    CrudeRefined,
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
from mcmulti.domain.oil.names import EconomyName, Good
from mcmulti.domain.postal.conditions import Condition
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.sheet import LINES, NODES, Line, OpenedLine, OrderSheet

__all__ = [
    "EVENTS",
    "AssetBought",
    "AssetSold",
    "AssetsLiquidated",
    "BarrelsBought",
    "BarrelsSold",
    "ClimateChanged",
    "ConditionChecked",
    "CrudePumped",
    "CrudeRefined",
    "DiceRolled",
    "DoubleVoided",
    "Event",
    "Finding",
    "GameFinished",
    "GameStoodStill",
    "GasolineSold",
    "HoldChanged",
    "OperationBegan",
    "OrderCurtailed",
    "OrderSkipped",
    "OrdersMissing",
    "OrdersOpened",
    "OrdersSubmitted",
    "OrdersWithdrawn",
    "PostalGameOpened",
    "PostalGameStarted",
    "PumpsHeld",
    "RigConverted",
    "RoundBegan",
    "RoundClosed",
    "SeatLeft",
    "SeatTaken",
    "SeedRevealed",
    "TurnBegan",
]


# The table


class PostalGameOpened(Event, frozen=True):
    """A table was set up. `commitment` is the SHA-256 of the secret seed, in hexadecimal."""

    game_id: GameId
    ruleset: RulesetName
    version: Count
    setup: PostalSetup
    commitment: Sha256


class PostalGameStarted(Event, frozen=True):
    """The seats are final. `cash`, `crude` and `gasoline` are what every player starts with.

    `free` are the free fields of each good on both markets. `consumer_price` is what the first barrel of gasoline
    brings at a pump.
    """

    entropy: Annotated[str, Meta(max_length=259, pattern="^[0-9A-Za-z_,-]*$")]
    cash: Millions
    crude: BarrelCount
    gasoline: BarrelCount
    economy: EconomyName
    free: dict[Good, BarrelCount]
    consumer_price: Millions


# A round


class RoundBegan(Event, frozen=True):
    """The game waits for order sheets. `round` counts from 1; `order` is that of the turns."""

    round: Round
    order: Seats


class OrdersSubmitted(Event, frozen=True):
    """A seat sent its sheet for the round, in the place of one sent before.

    Only the seat may read it until the game is over. `round`: the one it is for. `sheet`: the orders. `salt` keeps
    others from guessing the sheet from its digest.
    """

    seat: Seat
    round: Round
    sheet: OrderSheet
    salt: Salt


class OrdersWithdrawn(Event, frozen=True):
    """A seat took its sheet for the `round` back: it has sent none."""

    seat: Seat
    round: Round


class HoldChanged(Event, frozen=True):
    """A seat holds the round, or holds it no more. `round`: which one. `hold`: whether it does."""

    seat: Seat
    round: Round
    hold: bool


class RoundClosed(Event, frozen=True):
    """The `round` is refereed. `missing` are the seats that sent no sheet."""

    round: Round
    missing: Seats


class OrdersMissing(Event, frozen=True):
    """A player at turn had sent no sheet for the `round`: the referee does what the rules say in that case."""

    seat: Seat
    round: Round


# Lines of a sheet


class OrdersOpened(Event, frozen=True):
    """Lines of a seat's sheet for the `round` were reached: those of phases 1 and 2 in its turn, or those for pumps.

    `lines`: what stands in them, in reading order; what came of it follows. Other lines stay sealed.
    """

    seat: Seat
    round: Round
    lines: Annotated[tuple[OpenedLine, ...], Meta(min_length=1, max_length=LINES)]


class Finding(Struct, frozen=True, gc=False):
    """What one condition came to. `condition`: what was asked. `holds`: whether it was so.

    `value`: what the game said, a figure or the climate; null where there is no such price.
    """

    condition: Condition
    value: EconomyName | Annotated[int, Meta(ge=0, le=2**31 - 1)] | None
    holds: bool


class ConditionChecked(Event, frozen=True):
    """A condition in a sheet was looked into. `line`: where it stands. `holds`: which branch was taken, `then` if true.

    `findings`: what each of its parts came to, in reading order.
    """

    seat: Seat
    line: Line
    holds: bool
    findings: Annotated[tuple[Finding, ...], Meta(max_length=NODES)]


class OrderSkipped(Event, frozen=True):
    """A `line` of a sheet could not be carried out. `code`: why. `have` and `need`: the figures, if there are any."""

    seat: Seat
    line: Line
    code: Code
    have: Count | None
    need: Count | None


class OrderCurtailed(Event, frozen=True):
    """A `line` was carried out in part. `asked`: how many barrels it wanted. `done`: how many it got. `code`: why."""

    seat: Seat
    line: Line
    asked: BarrelCount
    done: BarrelCount
    code: Code


class RigConverted(Event, frozen=True):
    """A rig became a well. `conversions`: the how many-th of the game it was."""

    seat: Seat
    site: Site
    conversions: Count
    price: Millions


# The referee's dice


class DoubleVoided(Event, frozen=True):
    """A double that would have been one climate change too many; it was rolled again."""

    seat: Seat
    red: Draw
    black: Draw


class ClimateChanged(Event, frozen=True):
    """A double changed the climate. `double`: of which number.

    `price_before` and `price_after`: what the next barrel brings at a pump, 0 where none could be sold.
    """

    double: Annotated[int, Meta(ge=1, le=6)]
    before: EconomyName
    after: EconomyName
    price_before: Millions
    price_after: Millions


class PumpsHeld(Event, frozen=True):
    """Pumps that were hit did not sell what they could. `line`: where the sheet says so. `quantity`: what was held."""

    seat: Seat
    line: Line
    quantity: BarrelCount


EVENTS: tuple[type[Event], ...] = (
    PostalGameOpened,
    SeatTaken,
    SeatLeft,
    PostalGameStarted,
    RoundBegan,
    OrdersSubmitted,
    OrdersWithdrawn,
    HoldChanged,
    RoundClosed,
    TurnBegan,
    OrdersMissing,
    OrdersOpened,
    ConditionChecked,
    OrderSkipped,
    OrderCurtailed,
    AssetBought,
    AssetSold,
    RigConverted,
    BarrelsBought,
    BarrelsSold,
    DiceRolled,
    DoubleVoided,
    ClimateChanged,
    OperationBegan,
    PumpsHeld,
    GasolineSold,
    CrudeRefined,
    CrudePumped,
    GameStoodStill,
    AssetsLiquidated,
    GameFinished,
    SeedRevealed,
)
