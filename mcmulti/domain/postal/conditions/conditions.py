"""Conditions in order sheets, which are evaluated when a line is reached.

They can ask about earlier events of the round as well as the current state.
"""

from typing import Annotated, TypeAlias, Union, get_args

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.names import EconomyName, Good, Kind, MarketName, Seat
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.conditions.quantities import Quantity
from mcmulti.domain.postal.names import AssetDeed, BarrelDeed, Buyer, Deal, Line, Outcome, Plot, Relation

Bound = Annotated[int, Meta(ge=0, le=MOST)] | None
Die = Annotated[int, Meta(ge=1, le=6)]


class ConditionBase(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag=True):
    """Base of all conditions; `type` names the condition."""


class Bounded(ConditionBase, frozen=True):
    """Base of conditions on a number: it holds from `at_least` to `at_most`; omit either for no bound."""

    at_least: Bound = None
    at_most: Bound = None

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest number for which it holds, None for no bound."""
        return self.at_least, self.at_most


class Counted(Bounded, frozen=True):
    """Base of conditions on what happened in this round: how often, from `at_least` to `at_most`.

    At least once if both are omitted.
    """

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the greatest number for which it holds, None for no bound."""
        return (1, None) if self.at_least is None and self.at_most is None else (self.at_least, self.at_most)


class ClimateIs(ConditionBase, frozen=True):
    """The climate is one of `climates`."""

    climates: Annotated[tuple[EconomyName, ...], Meta(min_length=1, max_length=7)]


class PriceIs(Bounded, frozen=True, kw_only=True):
    """The price of the next barrel on a market, in millions of dollars.

    It holds from `at_least` to `at_most`; omit either for no bound. It never holds if there is no such price, because
    the market is empty or full. `deal`: whether the barrel would be bought or sold.
    """

    deal: Deal
    market: MarketName
    good: Good


class ConsumerPriceIs(Bounded, frozen=True):
    """What the next sale of a pump brings, in millions of dollars: from `at_least` to `at_most`.

    It never holds while consumers buy nothing.
    """


class CashIs(Bounded, frozen=True):
    """A player's cash, in millions of dollars: from `at_least` to `at_most`. `seat`: whose; your own if omitted."""

    seat: Seat | None = None


class BarrelsAre(Bounded, frozen=True, kw_only=True):
    """A player's barrels of a good: from `at_least` to `at_most`. `seat`: whose; your own if omitted."""

    good: Good
    seat: Seat | None = None


class AssetsAre(Bounded, frozen=True):
    """A player's assets on the board: from `at_least` to `at_most` pieces.

    `kind`: of which kind; of all if omitted. `seat`: whose; your own if omitted.
    """

    kind: Kind | None = None
    seat: Seat | None = None


class AssetAt(ConditionBase, frozen=True):
    """An asset is on a site. `plot`: where; for a refinery, any of its four sites.

    `kind`: of which kind; of any if omitted. `seat`: in whose quadrant; in your own if omitted. `hit`: whether its
    owner's own last roll must have hit it, so that it can be sold.
    """

    plot: Plot
    kind: Kind | None = None
    seat: Seat | None = None
    hit: bool = False


class ConversionsAre(Bounded, frozen=True):
    """Rigs converted by all players in the whole game: from `at_least` to `at_most`."""


class ClimateChangesAre(Bounded, frozen=True):
    """Changes of the climate so far this round: from `at_least` to `at_most`."""


class RoundIs(Bounded, frozen=True):
    """The number of the current round: from `at_least` to `at_most`."""


class AssetDealsAre(Counted, frozen=True, kw_only=True):
    """Assets bought, sold, or converted so far in this round: from `at_least` to `at_most`, one or more if omitted.

    `deed`: what was done. `kind`: with which kind; with any if omitted. `plot`: where; anywhere if omitted. `seat`: by
    whom; by all together if omitted.
    """

    deed: AssetDeed
    kind: Kind | None = None
    plot: Plot | None = None
    seat: Seat | None = None


class BarrelDealsAre(Counted, frozen=True, kw_only=True):
    """Barrels bought or sold so far in this round: from `at_least` to `at_most`, one or more if omitted.

    `deed`: what was done; both together if omitted. `good`: of which good; of both if omitted. `market`: where,
    including consumers at pumps; anywhere if omitted. `seat`: by whom; by all together if omitted.
    """

    deed: BarrelDeed | None = None
    good: Good | None = None
    market: Buyer | None = None
    seat: Seat | None = None


class RollsAre(Counted, frozen=True, kw_only=True):
    """Rolls so far in this round: from `at_least` to `at_most`, one or more if omitted; not those rolled again.

    `row`: the number on the red die; any if omitted. `column`: the number on the black die; any if omitted. `double`:
    whether both are the same; either if omitted. `seat`: for whose turn; for all together if omitted.
    """

    row: Die | None = None
    column: Die | None = None
    double: bool | None = None
    seat: Seat | None = None


class LineWas(ConditionBase, frozen=True):
    """The outcome of an earlier line of phases 1 and 2 of this sheet. It never holds for a line that was not reached.

    `line`: its number. `outcome`: carried out in full, in part, or skipped; in full or in part if omitted. An `if` is
    carried out in full when its condition holds, and skipped when it does not.
    """

    line: Line
    outcome: Outcome | None = None


class Compares(ConditionBase, frozen=True):
    """Two quantities compared: one is more than the other, or at least as much, and so on.

    It never holds if there is no such price. `quantity`: the one that must be more. `other`: the one it is compared
    with. `relation`: how they must relate. `plus`: added to the other first; can be negative.
    """

    quantity: Quantity
    other: Quantity
    relation: Relation = "more"
    plus: Annotated[int, Meta(ge=-1000, le=1000)] = 0


class AllOf(ConditionBase, frozen=True):
    """All of the `conditions` hold."""

    conditions: Annotated[tuple["Condition", ...], Meta(min_length=1, max_length=50)]


class AnyOf(ConditionBase, frozen=True):
    """At least one of the `conditions` holds."""

    conditions: Annotated[tuple["Condition", ...], Meta(min_length=1, max_length=50)]


class Not(ConditionBase, frozen=True):
    """The `condition` does not hold."""

    condition: "Condition"


Condition: TypeAlias = Union[  # noqa: UP007
    ClimateIs,
    PriceIs,
    ConsumerPriceIs,
    CashIs,
    BarrelsAre,
    AssetsAre,
    AssetAt,
    ConversionsAre,
    ClimateChangesAre,
    RoundIs,
    AssetDealsAre,
    BarrelDealsAre,
    RollsAre,
    LineWas,
    Compares,
    AllOf,
    AnyOf,
    Not,
]
CONDITIONS: tuple[type[ConditionBase], ...] = get_args(Condition)


ASKED: dict[type[q.QuantityBase], type[Bounded]] = {
    q.CashOf: CashIs,
    q.BarrelsOf: BarrelsAre,
    q.AssetsOf: AssetsAre,
    q.PriceOf: PriceIs,
    q.ConsumerPriceNow: ConsumerPriceIs,
    q.AssetDealsOf: AssetDealsAre,
    q.BarrelDealsOf: BarrelDealsAre,
}
"""The condition that bounds each quantity: it has the same fields, and the bounds."""


def parts(condition: object) -> tuple[Condition, ...]:
    """The conditions that one is made of; none for one that asks for something itself."""
    if isinstance(condition, AllOf | AnyOf):
        return condition.conditions
    return (condition.condition,) if isinstance(condition, Not) else ()
