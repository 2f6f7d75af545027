"""Quantities that a condition can compare with one another."""

from typing import TypeAlias, Union, get_args

from msgspec import Struct

from mcmulti.domain.oil.figures import Seat
from mcmulti.domain.oil.names import Good, Kind, MarketName
from mcmulti.domain.postal.names import AssetDeed, BarrelDeed, Buyer, Deal
from mcmulti.domain.postal.sheets.places import Plot


class QuantityBase(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag=True):
    """Base of all quantities; `type` names the quantity."""


class CashOf(QuantityBase, frozen=True):
    """A player's cash, in millions of dollars. `seat`: whose; one's own if left out."""

    seat: Seat | None = None


class BarrelsOf(QuantityBase, frozen=True):
    """A player's barrels of a good. `seat`: whose; one's own if left out."""

    good: Good
    seat: Seat | None = None


class AssetsOf(QuantityBase, frozen=True):
    """A player's assets on the board.

    `kind`: of which kind; of all if left out. `seat`: whose; one's own if left out.
    """

    kind: Kind | None = None
    seat: Seat | None = None


class PriceOf(QuantityBase, frozen=True):
    """The price of the next barrel on a market, in millions of dollars; none on a market that is empty or full.

    `deal`: whether the barrel would be bought or sold.
    """

    deal: Deal
    market: MarketName
    good: Good


class ConsumerPriceNow(QuantityBase, frozen=True):
    """What the next sale of a pump brings, in millions of dollars; none while consumers buy nothing."""


class AssetDealsOf(QuantityBase, frozen=True):
    """Assets that were bought, sold or converted so far in this round.

    `deed`: what was done. `kind`: with which kind; with any if left out. `plot`: where; anywhere if left out.
    `seat`: by whom; by all together if left out.
    """

    deed: AssetDeed
    kind: Kind | None = None
    plot: Plot | None = None
    seat: Seat | None = None


class BarrelDealsOf(QuantityBase, frozen=True):
    """Barrels that were bought or sold so far in this round, at pumps too.

    `deed`: what was done; both together if left out. `good`: of which good; of both if left out. `market`: where;
    anywhere if left out. `seat`: by whom; by all together if left out.
    """

    deed: BarrelDeed | None = None
    good: Good | None = None
    market: Buyer | None = None
    seat: Seat | None = None


Quantity: TypeAlias = Union[  # noqa: UP007
    CashOf, BarrelsOf, AssetsOf, PriceOf, ConsumerPriceNow, AssetDealsOf, BarrelDealsOf
]
QUANTITIES: tuple[type[QuantityBase], ...] = get_args(Quantity)
