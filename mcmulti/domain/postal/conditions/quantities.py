"""Quantities that a condition can compare."""

from typing import TypeAlias, Union, get_args

from msgspec import Struct

from mcmulti.domain.oil.names import Good, Kind, MarketName, Seat
from mcmulti.domain.postal.names import AssetDeed, BarrelDeed, Buyer, Deal, Plot


class QuantityBase(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag=True):
    """Base of all quantities; `type` names the quantity."""


class CashOf(QuantityBase, frozen=True):
    """A player's cash, in millions of dollars. `seat`: whose; your own if omitted."""

    seat: Seat | None = None


class BarrelsOf(QuantityBase, frozen=True):
    """A player's barrels of a good. `seat`: whose; your own if omitted."""

    good: Good
    seat: Seat | None = None


class AssetsOf(QuantityBase, frozen=True):
    """A player's assets on the board.

    `kind`: of which kind; of all if omitted. `seat`: whose; your own if omitted.
    """

    kind: Kind | None = None
    seat: Seat | None = None


class PriceOf(QuantityBase, frozen=True):
    """The price of the next barrel on a market, in millions of dollars; none if the market is empty or full.

    `deal`: whether the barrel would be bought or sold.
    """

    deal: Deal
    market: MarketName
    good: Good


class ConsumerPriceNow(QuantityBase, frozen=True):
    """What the next sale of a pump brings, in millions of dollars; none while consumers buy nothing."""


class AssetDealsOf(QuantityBase, frozen=True):
    """Assets that were bought, sold, or converted so far in this round.

    `deed`: what was done. `kind`: with which kind; with any if omitted. `plot`: where; anywhere if omitted. `seat`: by
    whom; by all together if omitted.
    """

    deed: AssetDeed
    kind: Kind | None = None
    plot: Plot | None = None
    seat: Seat | None = None


class BarrelDealsOf(QuantityBase, frozen=True):
    """Barrels that were bought or sold so far in this round, including pumps.

    `deed`: what was done; both together if omitted. `good`: of which good; of both if omitted. `market`: where;
    anywhere if omitted. `seat`: by whom; by all together if omitted.
    """

    deed: BarrelDeed | None = None
    good: Good | None = None
    market: Buyer | None = None
    seat: Seat | None = None


Quantity: TypeAlias = Union[  # noqa: UP007
    CashOf, BarrelsOf, AssetsOf, PriceOf, ConsumerPriceNow, AssetDealsOf, BarrelDealsOf
]
QUANTITIES: tuple[type[QuantityBase], ...] = get_args(Quantity)
