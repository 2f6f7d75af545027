"""Looking through a sheet before the round for what can never be carried out (`postal/check`)."""

from typing import Any

from mcmulti.domain.postal import conditions as c
from mcmulti.domain.postal.components import FIELDS, STEP
from mcmulti.domain.postal.knowledge import Known, assuming, verdict
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.sheet import (
    LIMIT_CODES,
    BuyBarrelsOrder,
    IfOrder,
    IfPumps,
    IfTrade,
    OrderSheet,
    SellBarrelsOrder,
    first_excess,
    lines,
)
from mcmulti.domain.postal.state import State
from mcmulti.domain.rounds import Remark

Markets = frozenset[str]


def check(state: State, seat: int, sheet: OrderSheet) -> tuple[Remark, ...]:
    """What looks like a mistake, in the order of the lines. Players and sites that do not exist no sheet can name."""
    excess = first_excess(sheet)
    if excess:
        return (
            Remark(excess.line, excess.code, f"{LIMITS[excess.code].sentence} At most {LIMIT_CODES[excess.code]}."),
        )
    checker = _Checker(seat)
    line = checker.orders(sheet.orders, 1, {}, frozenset())[0]
    line = checker.orders(sheet.trades, line, {}, frozenset())[0]
    checker.orders((sheet.pumps,), line, {}, frozenset())
    return tuple(sorted(checker.remarks, key=lambda remark: remark.line or 0))


class _Checker:
    """Walks through a sheet and collects remarks."""

    def __init__(self, seat: int) -> None:
        self.remarks: list[Remark] = []
        self._seat = seat

    def orders(self, orders: tuple[Any, ...], line: int, known: Known, dealt: Markets) -> tuple[int, Markets]:
        """Look through orders; returns the line behind them, and the markets that may have been dealt on by then."""
        for order in orders:
            if isinstance(order, IfOrder | IfTrade | IfPumps):
                known, dealt = self._branches(order, line, known, dealt)
            else:
                if isinstance(order, BuyBarrelsOrder | SellBarrelsOrder):
                    dealt = self._trade(order, line, dealt)
                known = {asked: values for asked, values in known.items() if self._lasts(asked)}
            line += lines((order,))
        return line, dealt

    def _branches(
        self, order: IfOrder | IfTrade | IfPumps, line: int, known: Known, dealt: Markets
    ) -> tuple[Known, Markets]:
        then, otherwise = _tuple(order.then), _tuple(order.otherwise)
        held = verdict(order.condition, known)
        if held is False:
            self._say(line, "never_then", "The condition can never hold, so its `then` is never reached.")
        if held is True and otherwise:
            self._say(line, "never_else", "The condition always holds, so its `else` is never reached.")
        first = self.orders(then, line + 1, assuming(order.condition, True, known), dealt)
        second = self.orders(otherwise, line + 1 + lines(then), assuming(order.condition, False, known), dealt)
        return {asked: values for asked, values in known.items() if self._lasts(asked)}, first[1] | second[1]

    def _trade(self, order: BuyBarrelsOrder | SellBarrelsOrder, line: int, dealt: Markets) -> Markets:
        step = STEP[order.good]
        if isinstance(order, BuyBarrelsOrder):
            if order.not_above is not None and order.not_above < step:
                self._say(line, "never_buys", f"No barrel of {order.good} is ever as cheap as {order.not_above}.")
        elif order.not_below is not None and order.not_below > step * FIELDS:
            self._say(line, "never_sells", f"No barrel of {order.good} ever brings {order.not_below}.")
        if dealt - {order.market}:
            self._say(line, "two_markets", "A line before it deals on the other market; only one is open in a turn.")
        return dealt | {order.market}

    def _lasts(self, asked: c.Condition) -> bool:
        """Whether what is known of a subject is still known after a line was carried out."""
        if isinstance(asked, c.CashIs | c.AssetsAre):
            return asked.seat not in (None, self._seat)
        return isinstance(asked, c.ClimateIs | c.ClimateChangesAre | c.ConsumerPriceIs)

    def _say(self, line: int, code: str, sentence: str) -> None:
        self.remarks.append(Remark(line, code, sentence))


def _tuple(branch: Any) -> tuple[Any, ...]:
    return branch if isinstance(branch, tuple) else (branch,)
