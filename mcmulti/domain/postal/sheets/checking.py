"""What is known of a sheet before the round: likely mistakes (`postal/check`), and a forecast (`postal/forecast`)."""

from typing import Any

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.rounds import Remark
from mcmulti.domain.core.chance import WithheldChance
from mcmulti.domain.core.course.course import Decision
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.tuples import put
from mcmulti.domain.core.wording.data import texts
from mcmulti.domain.core.wording.telling import Language, joined
from mcmulti.domain.oil.names import Good
from mcmulti.domain.oil.rules.board import bit, free_blocks
from mcmulti.domain.postal.components import FIELDS, HIGHEST_PRICE, STEP
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions.knowledge import Known, assuming, lines_asked, verdict
from mcmulti.domain.postal.limits import not_waiting, too_large
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.refereeing.assets import at
from mcmulti.domain.postal.refereeing.refereeing import begin_turn, deal
from mcmulti.domain.postal.sheets.sheet import (
    LIMIT_CODES,
    BuyAssetOrder,
    BuyBarrelsOrder,
    IfOrder,
    IfPumps,
    IfTrade,
    OrderSheet,
    SellAtPumps,
    SellBarrelsOrder,
    branches,
    first_excess,
    lines,
)
from mcmulti.domain.postal.sheets.tracing import first_for_pumps
from mcmulti.domain.postal.state import Play, State

Markets = frozenset[str]


class _Remarks(Phrases):
    """Phrases, and likely mistakes."""

    __slots__ = ()

    TEMPLATES = joined(Phrases.TEMPLATES, texts(__package__, "remarks.toml"))


def check(state: State, seat: int, sheet: OrderSheet, language: Language = "en") -> tuple[Remark, ...]:
    """Likely mistakes, in the order of the lines. A sheet cannot name players or sites that do not exist."""
    checker = _Checker(seat, _Remarks(state, language), first_for_pumps(sheet))
    excess = first_excess(sheet)
    if excess:
        checker.say(excess.line, excess.code, most=LIMIT_CODES[excess.code])
        return tuple(checker.remarks)
    if sheet == OrderSheet():
        checker.say(None, "nothing_ordered")
    line = checker.orders(sheet.orders, 1, {}, frozenset())[0]
    line = checker.orders(sheet.trades, line, {}, frozenset())[0]
    checker.orders((sheet.pumps,), line, {}, frozenset())
    return tuple(sorted(checker.remarks, key=lambda remark: remark.line or 0))


class _Checker:
    """Walks through a sheet and collects remarks."""

    def __init__(self, seat: int, phrases: Phrases, pumps: int) -> None:
        self.remarks: list[Remark] = []
        self._seat = seat
        self._pumps = pumps
        self._phrases = phrases

    def orders(self, orders: tuple[Any, ...], line: int, known: Known, dealt: Markets) -> tuple[int, Markets]:
        """Check orders. Returns the number of the line after them, and the markets that may have been traded on by
        then.
        """
        for order in orders:
            if isinstance(order, IfOrder | IfTrade | IfPumps):
                known, dealt = self._branches(order, line, known, dealt)
            else:
                if isinstance(order, BuyBarrelsOrder | SellBarrelsOrder):
                    dealt = self._trade(order, line, dealt)
                elif isinstance(order, SellAtPumps) and order.not_below > HIGHEST_PRICE:
                    self._never_sells(line, "gasoline", order.not_below)
                elif isinstance(order, BuyAssetOrder) and order.kind == "refinery":
                    self._refinery(order.plot, line)
                known = {asked: values for asked, values in known.items() if self._lasts(asked)}
            line += lines((order,))
        return line, dealt

    def _branches(
        self, order: IfOrder | IfTrade | IfPumps, line: int, known: Known, dealt: Markets
    ) -> tuple[Known, Markets]:
        then, otherwise = branches(order)
        for asked in lines_asked(order.condition):
            if asked >= line or asked >= self._pumps:
                self.say(line, "not_before", asked=asked)
        held = verdict(order.condition, known)
        if held is False:
            self.say(line, "never_then")
        if held is True and otherwise:
            self.say(line, "never_else")
        first = self.orders(then, line + 1, assuming(order.condition, True, known), dealt)
        second = self.orders(otherwise, line + 1 + lines(then), assuming(order.condition, False, known), dealt)
        return {asked: values for asked, values in known.items() if self._lasts(asked)}, first[1] | second[1]

    def _trade(self, order: BuyBarrelsOrder | SellBarrelsOrder, line: int, dealt: Markets) -> Markets:
        step, phrases = STEP[order.good], self._phrases
        if isinstance(order, BuyBarrelsOrder):
            if order.not_above is not None and order.not_above < step:
                self.say(line, "never_buys", good=phrases.word(order.good), price=phrases.money(order.not_above))
        elif order.not_below is not None and order.not_below > step * FIELDS:
            self._never_sells(line, order.good, order.not_below)
        if dealt - {order.market}:
            self.say(line, "two_markets")
        return dealt | {order.market}

    def _refinery(self, plot: Plot, line: int) -> None:
        if not free_blocks(0) & bit(at(self._seat, plot)):  # impossible even in an empty quadrant
            self.say(line, "never_fits")

    def _lasts(self, asked: c.Condition) -> bool:
        """Whether what is known of a subject is still valid after a line was carried out."""
        if isinstance(asked, c.CashIs | c.BarrelsAre | c.AssetsAre | c.AssetAt):
            return asked.seat not in (None, self._seat)
        if isinstance(asked, c.AssetDealsAre | c.BarrelDealsAre):
            return asked.seat is not None and asked.seat != self._seat
        lasting = c.ClimateIs | c.ClimateChangesAre | c.ConsumerPriceIs | c.RoundIs | c.RollsAre | c.LineWas
        return isinstance(asked, lasting)

    def _never_sells(self, line: int, good: Good, price: int) -> None:
        self.say(line, "never_sells", good=self._phrases.word(good), price=self._phrases.money(price))

    def say(self, line: int | None, code: str, **phrases: object) -> None:
        """Add a remark about a line, or about the whole sheet."""
        self.remarks.append(Remark(line, code, self._phrases.fill(code, **phrases)))


def forecast(state: State, seat: int, sheet: OrderSheet) -> Decision[State] | Rejection:
    """Apply phases 1 and 2 of the sheet to the current state, without dice or other players' turns.

    It does not depend on other sheets, so it reveals nothing that is sealed. Rejected if the game is not waiting for
    sheets, or the sheet is too large.
    """
    rejection = not_waiting(state) or too_large(sheet)
    if rejection:
        return rejection
    play = Play(replace(state, sheets=put(state.sheets, seat, sheet)), WithheldChance(), state.draws)
    begin_turn(play, seat)
    deal(play, seat, sheet)
    return Decision(play.facts, play.state)
