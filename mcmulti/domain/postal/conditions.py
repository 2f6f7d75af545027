"""Conditions in order sheets: what may be asked of the game when a line's turn comes."""

from typing import Annotated, TypeAlias, Union, get_args

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.figures import Seat
from mcmulti.domain.oil.names import EconomyName, Good, Kind, MarketName
from mcmulti.domain.postal.names import Deal, Span

Bound = Annotated[int, Meta(ge=0, le=MOST)] | None


class ConditionBase(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag=True):
    """Base of all conditions; `type` names the condition."""


class Bounded(ConditionBase, frozen=True):
    """Base of conditions on a figure: it holds from `at_least` to `at_most`, each left out for no bound."""

    at_least: Bound = None
    at_most: Bound = None


class ClimateIs(ConditionBase, frozen=True):
    """The climate is one of `climates`."""

    climates: Annotated[tuple[EconomyName, ...], Meta(min_length=1, max_length=7)]


class PriceIs(Bounded, frozen=True, kw_only=True):
    """The price of the next barrel on a market, in millions of dollars.

    It holds from `at_least` to `at_most`, each left out for no bound; never if there is no such price, on a market
    that is empty or full. `deal`: whether the barrel would be bought or sold.
    """

    deal: Deal
    market: MarketName
    good: Good


class ConsumerPriceIs(Bounded, frozen=True):
    """What the next sale of a pump brings, in millions of dollars: from `at_least` to `at_most`.

    It never holds while consumers buy nothing.
    """


class CashIs(Bounded, frozen=True):
    """A player's cash, in millions of dollars: from `at_least` to `at_most`. `seat`: whose; one's own if left out."""

    seat: Seat | None = None


class BarrelsAre(Bounded, frozen=True, kw_only=True):
    """One's own barrels of a good: from `at_least` to `at_most`."""

    good: Good


class AssetsAre(Bounded, frozen=True):
    """A player's assets on the board: from `at_least` to `at_most` pieces.

    `kind`: of which kind; of all if left out. `seat`: whose; one's own if left out.
    """

    kind: Kind | None = None
    seat: Seat | None = None


class ConversionsAre(Bounded, frozen=True):
    """Rigs converted by all players: from `at_least` to `at_most`. `span`: in the whole game, or this round."""

    span: Span = "game"


class ClimateChangesAre(Bounded, frozen=True):
    """Changes of the climate so far this round: from `at_least` to `at_most`."""


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
    ConversionsAre,
    ClimateChangesAre,
    AllOf,
    AnyOf,
    Not,
]
CONDITIONS: tuple[type[ConditionBase], ...] = get_args(Condition)
