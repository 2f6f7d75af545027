"""Order sheets: what a player wants done in its turn, as data. They always terminate: no loops, no jumps.

Lines are numbered from 1 in reading order: phase 1, phase 2, then the pumps. An ``if`` is a line, and so is every line
of both its branches, `then` before `else`.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, Union

from msgspec import Meta, Struct, field

from mcmulti.domain.core.capabilities.rounds import RoundNumber
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.names import Buyable, Good, Kind, MarketName
from mcmulti.domain.postal.conditions.conditions import Condition, parts
from mcmulti.domain.postal.names import LINES, Line, Outcome, Plot

DEPTH = 8
NODES = 1000
LIMIT_CODES = {"sheet_lines": LINES, "sheet_depth": DEPTH, "sheet_nodes": NODES}
"""The maximum size of a sheet, by the code of the limit (`postal/sheet`)."""

Price = Annotated[int, Meta(ge=1, le=1000)]
Amount = Annotated[int, Meta(ge=1, le=144)] | Literal["max"]
Reserve = Annotated[int, Meta(ge=0, le=MOST)]


class OrderBase(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag=True):
    """Base of all lines of a sheet; `type` names the order."""


class SellAssetOrder(OrderBase, frozen=True):
    """Sell an asset that the player's own last roll hit. `plot`: where it is; for a refinery, any of its sites."""

    kind: Kind
    plot: Plot


class ConvertRigOrder(OrderBase, frozen=True):
    """Convert the rig that had a double hit into a well. `plot`: where it is; wherever it is if omitted.

    `keep`: the cash that must be left, in millions of dollars.
    """

    plot: Plot | None = None
    keep: Reserve = 0


class BuyAssetOrder(OrderBase, frozen=True):
    """Buy an asset and place it. `plot`: where. `keep`: the cash that must be left, in millions of dollars."""

    kind: Buyable
    plot: Plot
    keep: Reserve = 0


class BuyBarrelsOrder(OrderBase, frozen=True):
    """Buy barrels, one by one as far as possible. `quantity`: how many, or max.

    `not_above`: the highest price to pay for a barrel, in millions of dollars; any if omitted. `keep`: the cash that
    must be left, in millions of dollars.
    """

    market: MarketName
    good: Good
    quantity: Amount
    not_above: Price | None = None
    keep: Reserve = 0


class SellBarrelsOrder(OrderBase, frozen=True):
    """Sell barrels, one by one as far as possible. `quantity`: how many, or max.

    `not_below`: the lowest price to take for a barrel, in millions of dollars; any if omitted. `keep`: the barrels of
    the good that must be left; with a `quantity` of max, all but these are sold.
    """

    market: MarketName
    good: Good
    quantity: Amount
    not_below: Price | None = None
    keep: Reserve = 0


class IfOrder(OrderBase, frozen=True):
    """A choice in phase 1. `condition`: what decides. `then`: if it holds. `else`: if it does not."""

    condition: Condition
    then: Annotated[tuple["AssetOrder", ...], Meta(max_length=LINES)] = ()
    otherwise: Annotated[tuple["AssetOrder", ...], Meta(max_length=LINES)] = field(default=(), name="else")


class IfTrade(OrderBase, frozen=True):
    """A choice in phase 2. `condition`: what decides. `then`: if it holds. `else`: if it does not."""

    condition: Condition
    then: Annotated[tuple["TradeOrder", ...], Meta(max_length=LINES)] = ()
    otherwise: Annotated[tuple["TradeOrder", ...], Meta(max_length=LINES)] = field(default=(), name="else")


class PumpAt(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A pump with its own limit. `plot`: where it is. `each`: the most barrels it sells when it is hit."""

    plot: Plot
    each: Annotated[int, Meta(ge=0, le=2)]


class SellAtPumps(OrderBase, frozen=True):
    """Let pumps sell what they can, within limits.

    `not_below`: the lowest price of a sale, in millions of dollars. `each`: the most barrels that a pump sells when it
    is hit; a double hit allows 2. `at`: pumps with another limit. `at_most`: the most barrels that all pumps sell in
    the whole round; any number if omitted. `keep`: the barrels of gasoline that must be left.
    """

    not_below: Price = 1
    each: Annotated[int, Meta(ge=1, le=2)] = 2
    at: Annotated[tuple[PumpAt, ...], Meta(max_length=36)] = ()
    at_most: Annotated[int, Meta(ge=1, le=144)] | None = None
    keep: Reserve = 0


class HoldPumps(OrderBase, frozen=True):
    """Let pumps sell nothing."""


class IfPumps(OrderBase, frozen=True):
    """A choice whenever pumps are hit. `condition`: what decides. `then`: if it holds. `else`: if not."""

    condition: Condition
    then: "PumpOrder" = SellAtPumps()
    otherwise: "PumpOrder" = field(default=SellAtPumps(), name="else")


AssetOrder: TypeAlias = Union[SellAssetOrder, ConvertRigOrder, BuyAssetOrder, IfOrder]  # noqa: UP007
TradeOrder: TypeAlias = Union[BuyBarrelsOrder, SellBarrelsOrder, IfTrade]  # noqa: UP007
PumpOrder: TypeAlias = Union[SellAtPumps, HoldPumps, IfPumps]  # noqa: UP007


class OrderSheet(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a player wants done in its turn of a round.

    `orders`: phase 1, in the order written. `trades`: phase 2, on one of the two markets. `pumps`: phase 3; if omitted,
    pumps sell what they can. At most 200 lines, 8 deep, 1000 lines and conditions in all.
    """

    orders: Annotated[tuple[AssetOrder, ...], Meta(max_length=LINES)] = ()
    trades: Annotated[tuple[TradeOrder, ...], Meta(max_length=LINES)] = ()
    pumps: PumpOrder = SellAtPumps()

    def measures(self) -> Mapping[str, int]:
        """Lines, depth and nodes, by the code of their limit."""
        places = list(walk(self))
        return {
            "sheet_lines": places[-1].line,
            "sheet_depth": max(place.depth for place in places),
            "sheet_nodes": len(places),
        }


class LaterSheet(Struct, frozen=True, gc=False):
    """A sheet that waits for its round. `round`: which one. `standing`: whether it also applies to all rounds after
    that.
    """

    round: RoundNumber
    sheet: OrderSheet
    standing: bool


class Place(NamedTuple):
    """An element of a sheet: its line, its depth, and the order or condition."""

    line: int
    depth: int
    node: Any


def walk(sheet: OrderSheet) -> Iterator[Place]:
    """Everything in the sheet in reading order. It uses its own stack, so that depth is not limited."""
    line = 0
    stack: list[tuple[int, Any]] = [(1, node) for node in reversed((*sheet.orders, *sheet.trades, sheet.pumps))]
    while stack:
        depth, node = stack.pop()
        if not isinstance(node, OrderBase):
            inner: tuple[Any, ...] = parts(node)
        else:
            line += 1
            inner = ()
            if isinstance(node, IfOrder | IfTrade | IfPumps):
                then, otherwise = branches(node)
                inner = (node.condition, *then, *otherwise)
        yield Place(line, depth, node)
        stack += [(depth + 1, part) for part in reversed(inner)]


class Excess(NamedTuple):
    """The first line that exceeds a limit, and the limit's code."""

    line: int
    code: str


class IfLine(OrderBase, frozen=True):
    """A line with a condition, as it is opened: without the content of its branches.

    `condition`: what decides.
    """

    condition: Condition


OpenedOrder: TypeAlias = Union[  # noqa: UP007
    SellAssetOrder, ConvertRigOrder, BuyAssetOrder, BuyBarrelsOrder, SellBarrelsOrder, SellAtPumps, HoldPumps, IfLine
]


class OpenedLine(Struct, frozen=True, gc=False):
    """A line of a sheet that was reached. `line`: its number. `phase`: of the turn. `order`: its content.

    `outcome`: whether it was carried out, in full or in part; an `if` is carried out if its condition held. Null for
    instructions for pumps.
    """

    line: Line
    phase: Literal[1, 2, 3]
    order: OpenedOrder
    outcome: Outcome | None = None


def first_excess(sheet: OrderSheet) -> Excess | None:
    """Where a sheet becomes too large (`postal/sheet`); None if it does not."""
    for number, place in enumerate(walk(sheet), start=1):
        sizes = {"sheet_lines": place.line, "sheet_depth": place.depth, "sheet_nodes": number}
        for code, most in LIMIT_CODES.items():
            if sizes[code] > most:
                return Excess(place.line, code)
    return None


def lines(orders: tuple[Any, ...]) -> int:
    """The number of lines of these orders, including all their branches."""
    return sum(1 + sum(map(lines, branches(order))) for order in orders)


def branches(order: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The orders in both branches of an if, `then` and `else`; none for other orders."""
    if isinstance(order, IfOrder | IfTrade):
        return order.then, order.otherwise
    return ((order.then,), (order.otherwise,)) if isinstance(order, IfPumps) else ((), ())
