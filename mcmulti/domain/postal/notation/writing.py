"""Write order sheets in their notation, which `reading` parses."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.notation.vocabulary import (
    CLIMATES,
    GOODS,
    KINDS,
    KINDS_OF,
    MARKETS,
    PLAYERS,
    RELATIONS,
    site,
    written,
)
from mcmulti.domain.postal.sheets import sheet as s

WIDTH = 100
"""The most columns of an `if` with its orders on one line."""
_QUANTITIES = {asked: quantity for quantity, asked in c.ASKED.items()}
_IFS = s.IfOrder | s.IfTrade | s.IfPumps


def sheet_text(sheet: s.OrderSheet) -> str:
    """A sheet in the notation, with a line break at the end.

    Lines are numbered if a condition of the sheet refers to a number.
    """
    return _Layout(any(isinstance(place.node, c.LineWas) for place in s.walk(sheet))).sheet(sheet)


def order_text(order: s.OrderBase) -> str:
    """A line of a sheet in the notation; for an opened `if`, only the condition."""
    return f"if {condition_text(order.condition)}" if isinstance(order, s.IfLine) else _order(order)


def condition_text(condition: c.Condition) -> str:
    """A condition in the notation."""
    match condition:
        case c.AllOf(conditions) if len(conditions) > 1:
            return " and ".join(_part(part) for part in conditions)
        case c.AnyOf(conditions) if len(conditions) > 1 and not _run_together(conditions):
            return " or ".join(_part(part) for part in conditions)
        case c.AllOf(conditions) | c.AnyOf(conditions):
            name = "all" if isinstance(condition, c.AllOf) else "any"
            return f"{name} of ({', '.join(condition_text(part) for part in conditions)})"
        case c.Not(condition=denied):
            return f"not {_part(denied)}"
        case c.ClimateIs(climates):
            return " or ".join(_climate(name) for name in climates)
        case c.AssetAt():
            kind = "asset" if condition.kind is None else written(KINDS, condition.kind)
            return f"{'hit ' * condition.hit}{kind}{_of(condition.seat)} at {site(condition.plot)}"
        case c.LineWas(line, outcome):
            done = {"in_full": "done in full", "in_part": "done in part", "skipped": "skipped", None: "done"}
            return f"line {line} {done[outcome]}"
        case c.Compares():
            added = f" {'plus' if condition.plus > 0 else 'minus'} {abs(condition.plus)}" if condition.plus else ""
            return f"{_mine(condition.quantity)} {RELATIONS[condition.relation]} {_mine(condition.other)}{added}"
        case c.Bounded():
            return _bounded(condition)
    raise TypeError(f"{type(condition).__name__} is not a condition")


class _Layout:
    """Lays out orders on lines of text, and counts the lines of the sheet."""

    def __init__(self, is_numbered: bool) -> None:
        self._is_numbered = is_numbered
        self._line = 0

    def sheet(self, sheet: s.OrderSheet) -> str:
        """All of a sheet."""
        lines: list[str] = []
        if sheet.orders and not _says_phase(sheet.orders[0]):
            lines.append("assets:")
        lines += self._lines(sheet.orders, "")
        if sheet.trades and not _says_phase(sheet.trades[0]):
            lines.append("barrels:")
        lines += self._lines(sheet.trades, "")
        lines += self._lines((sheet.pumps,), "", "pumps: ")
        return "".join(f"{line}\n" for line in lines)

    def _lines(self, orders: tuple[Any, ...], indent: str, before: str = "") -> Iterator[str]:
        for order in orders:
            number = f"{self._line + 1}. " if self._is_numbered else ""
            front = f"{indent}{number}{before}"
            short = _short(order)
            if short is not None and len(front) + len(short) <= WIDTH:
                self._line += s.lines((order,))
                yield f"{front}{short}"
            else:
                yield from self._block(order, indent, front)

    def _block(self, order: Any, indent: str, front: str) -> Iterator[str]:
        """An order on a line of its own, or an `if` up to its `end`."""
        self._line += 1
        if not isinstance(order, _IFS):
            yield f"{front}{_order(order)}"
            return
        then, otherwise = s.branches(order)
        yield f"{front}if {condition_text(order.condition)}:"
        yield from self._lines(then, f"{indent}  ")
        if otherwise:
            yield f"{indent}else:"
            yield from self._lines(otherwise, f"{indent}  ")
        yield f"{indent}end"


def _says_phase(order: Any) -> bool:
    """Whether an order shows which phase it belongs to."""
    return not isinstance(order, _IFS) or any(_says_phase(each) for branch in s.branches(order) for each in branch)


def _short(order: Any) -> str | None:
    """An order, or an `if` with at most one order in each branch, on one line; None for other ones."""
    if not isinstance(order, _IFS):
        return _order(order)
    then, otherwise = s.branches(order)
    if max(len(then), len(otherwise)) > 1 or any(isinstance(each, _IFS) for each in (*then, *otherwise)):
        return None
    if then and not otherwise:  # no `else` of an enclosing `if` can be mistaken for one of this
        if isinstance(order.condition, c.Not):
            return f"{_order(then[0])} unless {condition_text(order.condition.condition)}"
        return f"{_order(then[0])} if {condition_text(order.condition)}"
    if otherwise:
        done = _order(then[0]) if then else "nothing"
        return f"if {condition_text(order.condition)}: {done} else {_order(otherwise[0])}"
    return None


def _order(order: s.OrderBase) -> str:
    match order:
        case s.SellAssetOrder(kind, plot):
            return f"sell {written(KINDS, kind)} {site(plot)}"
        case s.ConvertRigOrder(plot, keep):
            return f"convert {'rig' if plot is None else site(plot)}{_remainder(keep, 'cash')}"
        case s.BuyAssetOrder(kind, plot, keep):
            return f"buy {written(KINDS, kind)} {site(plot)}{_remainder(keep, 'cash')}"
        case s.BuyBarrelsOrder(market, good, quantity, price, keep):
            bound = "" if price is None else f" not above {price}"
            return f"buy {quantity} {_traded(good, market)}{bound}{_remainder(keep, 'cash')}"
        case s.SellBarrelsOrder(market, good, quantity, price, keep):
            bound = "" if price is None else f" not below {price}"
            if quantity == "max" and keep:
                return f"sell all but {keep} {_traded(good, market)}{bound}"
            return f"sell {quantity} {_traded(good, market)}{bound}{_remainder(keep, 'barrels')}"
        case s.HoldPumps():
            return "hold"
        case s.SellAtPumps():
            told = ", ".join(_pumps(order))
            return f"sell {told}" if told else "sell"
    raise TypeError(f"{type(order).__name__} is not a line by itself")


def _pumps(order: s.SellAtPumps) -> Iterator[str]:
    if order.each < 2:
        yield f"{order.each} each"
    yield from (f"{pump.each} at {site(pump.plot)}" for pump in order.at)
    if order.at_most is not None:
        yield f"at most {order.at_most}"
    if order.not_below > 1:
        yield f"not below {order.not_below}"
    if order.keep:
        yield f"keep {order.keep} barrels"


def _traded(good: Any, market: Any) -> str:
    return f"{written(GOODS, good)} {written(MARKETS, market)}"


def _remainder(keep: int, of_what: str) -> str:
    return f" keep {keep} {of_what}" if keep else ""


def _part(condition: c.Condition) -> str:
    """A nested condition."""
    said = condition_text(condition)
    joins = isinstance(condition, c.AllOf | c.AnyOf) or (
        isinstance(condition, c.ClimateIs) and len(condition.climates) > 1
    )
    return f"({said})" if joins else said


def _run_together(conditions: tuple[c.Condition, ...]) -> bool:
    """Whether two climates joined by `or` would be read as one condition."""
    plain = [isinstance(part, c.ClimateIs) and len(part.climates) == 1 for part in conditions]
    return any(one and other for one, other in pairwise(plain))


def _climate(name: str) -> str:
    word = next(word for word, meant in CLIMATES.items() if meant == name)
    return "rapid growth" if word == "rapid" else word


def _bounded(condition: c.Bounded) -> str:
    bounds = _bounds(condition)
    kind = _QUANTITIES.get(type(condition))
    if kind is not None:
        quantity = kind(**{name: getattr(condition, name) for name in kind.__struct_fields__})
        return f"{_quantity(quantity)} {bounds}" if bounds else _deeds(quantity)
    match condition:
        case c.ConversionsAre():
            return f"conversions {bounds}"
        case c.ClimateChangesAre():
            return f"climate changes {bounds}"
        case c.RoundIs():
            return f"round {bounds}"
        case c.RollsAre():
            return " ".join(("roll", *_roll(condition), bounds)).rstrip()
    raise TypeError(f"{type(condition).__name__} is not a condition on a figure")


def _roll(condition: c.RollsAre) -> Iterator[str]:
    if condition.double is not None:
        yield "double" if condition.double else "not double"
    if condition.row is not None:
        yield f"row {condition.row}"
    if condition.column is not None:
        yield f"column {condition.column}"
    if condition.seat is not None:
        yield f"for {PLAYERS[condition.seat]}"


def _bounds(condition: c.Bounded) -> str:
    least, most = condition.at_least, condition.at_most
    if least is None and most is None:
        return "" if isinstance(condition, c.Counted) else "any"
    if least is None:
        return f"at most {most}"
    if most is None:
        return f"at least {least}"
    return f"exactly {least}" if least == most else f"from {least} to {most}"


def _quantity(quantity: q.QuantityBase) -> str:
    match quantity:
        case q.CashOf(seat):
            return f"cash{_of(seat)}"
        case q.BarrelsOf(good, seat):
            return f"{written(GOODS, good)}{_of(seat)}"
        case q.AssetsOf(kind, seat):
            return f"{written(KINDS_OF, kind)}{_of(seat)}"
        case q.PriceOf(deal, market, good):
            return f"price to {deal} {_traded(good, market)}"
        case q.ConsumerPriceNow():
            return "consumer price"
        case q.AssetDealsOf() | q.BarrelDealsOf():
            by = "" if quantity.seat is None else f" by {PLAYERS[quantity.seat]}"
            return f"{_dealt(quantity)} {quantity.deed or 'dealt'}{by}{_where(quantity)}"
    raise TypeError(f"{type(quantity).__name__} is not a quantity")


def _mine(quantity: q.QuantityBase) -> str:
    """A quantity, including its owner even if that is the sheet's own seat."""
    is_own = isinstance(quantity, q.CashOf | q.BarrelsOf | q.AssetsOf) and quantity.seat is None
    return f"{'my ' * is_own}{_quantity(quantity)}"


def _deeds(quantity: Any) -> str:
    """Something was done at least once in the round."""
    who = "anyone" if quantity.seat is None else PLAYERS[quantity.seat]
    return f"{who} {quantity.deed or 'dealt'} {_dealt(quantity)}{_where(quantity)}"


def _dealt(quantity: q.AssetDealsOf | q.BarrelDealsOf) -> str:
    if isinstance(quantity, q.AssetDealsOf):
        return written(KINDS_OF, quantity.kind)
    return "barrels" if quantity.good is None else written(GOODS, quantity.good)


def _where(quantity: q.AssetDealsOf | q.BarrelDealsOf) -> str:
    if isinstance(quantity, q.AssetDealsOf):
        return "" if quantity.plot is None else f" at {site(quantity.plot)}"
    if quantity.market is None:
        return ""
    return " at pumps" if quantity.market == "consumers" else f" on {quantity.market}"


def _of(seat: int | None) -> str:
    return "" if seat is None else f" of {PLAYERS[seat]}"
