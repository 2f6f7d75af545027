"""Parse order sheets in their notation, which `writing` writes. The grammar is in docs/reference/order-notation.md.

The parser does not guess. If a text has no meaning, or more than one, it is refused with the place and the reason.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from mcmulti.domain.core.capabilities.rounds import ReadOrders
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.oil.names import Buyable, MarketName
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.names import LINES, Plot
from mcmulti.domain.postal.notation.reading_conditions import ConditionReader
from mcmulti.domain.postal.notation.tokens import Lexeme, quoted, refuse
from mcmulti.domain.postal.notation.vocabulary import GOODS, KINDS, MARKETS
from mcmulti.domain.postal.sheets import sheet as s

_BUYABLE: dict[str, Buyable] = {word: kind for word, kind in KINDS.items() if kind != "well"}
_IF = ("if", "unless")
_PUMPS = {"pumps": "pumps", "stations": "pumps"}
_MOST_PRICE = 1000
_MOST_BARRELS = 144
_MOST_PUMPS = 36

Phase = Literal[1, 2, 3]


def read_sheet(text: str, seat: int | None = None, names: Sequence[str | None] = ()) -> ReadOrders:
    """Parse a sheet. `seat`: the owner, if known. Raises `UnreadOrders`.

    `names`: the players' names by seat, None if a seat has none.
    """
    return _SheetReader(text, seat, names).sheet()


class _If(NamedTuple):
    """An `if` of any phase."""

    condition: c.Condition
    then: tuple[Any, ...]
    otherwise: tuple[Any, ...] = ()


class _Done(NamedTuple):
    """A parsed order, and its position. `phase` is None for an `if` without orders."""

    phase: Phase | None
    order: Any
    token: Lexeme


class _SheetReader(ConditionReader):
    """Parses a sheet."""

    def __init__(self, text: str, seat: int | None, names: Sequence[str | None]) -> None:
        super().__init__(text, seat, names)
        self._market_of_all: MarketName | None = None
        self._places: list[int] = []
        self._open: list[tuple[bool, bool]] = []
        """The open `if`s: whether they continue to an `end`, and whether an `else` can still come."""

    def sheet(self) -> ReadOrders:
        """The whole text."""
        orders: dict[Phase, list[Any]] = {1: [], 2: [], 3: []}
        phase: Phase = 1
        while not self._is_over():
            token = self.lexeme
            heading = self._heading()
            for done in [_Done(heading, None, token)] if heading else self._statement():
                if (done.phase or phase) < phase or (phase == 3 and done.phase is None):
                    refuse(done.token, "phase_over")
                phase = done.phase or phase
                if orders[3]:
                    refuse(done.token, "second_pumps")
                if done.order is not None:
                    orders[phase].append(_in_phase(done.order, phase))
            self._separated()
        if not orders[3]:
            orders[3].append(s.SellAtPumps())
            self._places.append(self.lexeme.line)
        return ReadOrders(s.OrderSheet(tuple(orders[1]), tuple(orders[2]), orders[3][0]), tuple(self._places))

    def _is_over(self) -> bool:
        while self.lexeme.kind == "break" or self.lexeme.text in (";", ","):
            self.take()
        return self.lexeme.kind == "end"

    def _separated(self, *closing: str) -> None:
        """An order is followed by the end of its line, or by a separator."""
        if self.lexeme.kind not in ("break", "end") and self.lexeme.text not in closing and not self.skip(",", ";"):
            self.fail("';'", "line_end")

    def _heading(self) -> Phase | None:
        """A heading that says which phase the next lines belong to, or on which market they trade."""
        if self.lexeme.text in ("assets", "barrels"):
            phase: Phase = 1 if self.take().text == "assets" else 2
            self.must(":")
            return phase
        if not self.word("market"):
            return None
        self.skip(":")
        self._market_of_all = self.must_mean(MARKETS)
        return 2

    # Orders

    def _statement(self) -> list[_Done]:
        """An order with its number, if it has one; no order for `nothing`."""
        self._numbered()
        token = self.lexeme
        if self.word("nothing"):
            return []
        if self.stands(*_IF):
            return [self._if()]
        if self.meaning(_PUMPS):
            self.skip(":")
            return [self._pumps(token)]
        self._places.append(token.line)
        done = self._order()
        if self.stands(*_IF):
            self._places.append(token.line)
            done = done._replace(order=_If(self._condition(), (done.order,)))
        return [done]

    def _numbered(self) -> None:
        """The optional number in front of a line of the sheet."""
        token = self.lexeme
        if token.kind == "number":
            number = self.integer(1, LINES)
            self.skip(")")
            if number != len(self._places) + 1:
                refuse(token, "other_line", number=len(self._places) + 1)

    def _order(self) -> _Done:
        token = self.lexeme
        deed = self.must("buy", "sell", "convert")
        self.skip("a", "an")
        if deed == "convert":
            self.skip("rig")
            plot = self._site() if self.lexeme.kind == "site" or self.lexeme.text in ("at", "row") else None
            return _Done(1, s.ConvertRigOrder(plot, self._remainder("cash")), token)
        if deed == "buy":
            bought = self.meaning(_BUYABLE)
            if bought:
                return _Done(1, s.BuyAssetOrder(bought[0], self._site(), self._remainder("cash")), token)
        else:
            sold = self.meaning(KINDS)
            if sold:
                return _Done(1, s.SellAssetOrder(sold[0], self._site()), token)
        return _Done(2, self._trade(is_sale=deed == "sell"), token)

    def _site(self) -> Plot:
        self.skip("at")
        return self.plot()

    def _trade(self, *, is_sale: bool) -> s.BuyBarrelsOrder | s.SellBarrelsOrder:
        quantity: Any = "max" if self.word("max", "all") else self.integer(1, _MOST_BARRELS)
        keep = self.integer(0, MOST) if is_sale and quantity == "max" and self.word("but") else None
        self.skip("barrels")
        good, market = self.traded()
        price = None
        while True:
            if self.lexeme.text == "," and any(map(self.next_is, ("not", "keep", "on", *MARKETS))):
                self.take()
            if market is None and (market := self.market()):
                continue
            if price is None and self.word("not"):
                self.must("below" if is_sale else "above")
                price = self.integer(1, _MOST_PRICE)
            elif keep is None and self.stands("keep"):
                keep = self._remainder("barrels", good) if is_sale else self._remainder("cash")
            else:
                break
        market = market or self._market_of_all
        if market is None:
            self.fail_as(*map(quoted, ("domestic", "foreign")))
        order = s.SellBarrelsOrder if is_sale else s.BuyBarrelsOrder
        return order(market, good, quantity, price, keep or 0)

    def _remainder(self, *of_what: str) -> int:
        """What must be left, optionally followed by its name; 0 if nothing is given."""
        if not self.word("keep"):
            return 0
        keep = self.integer(0, MOST)
        if self.lexeme.text in GOODS:
            self.meaning({word: good for word, good in GOODS.items() if good in of_what}) or self.fail()
        else:
            self.skip(*of_what[:1])
        return keep

    # Pumps

    def _pumps(self, token: Lexeme) -> _Done:
        """What pumps do, optionally followed by a condition."""
        done = self._pump()
        if self.lexeme.text not in _IF or isinstance(done.order, _If):
            return done._replace(token=token)
        condition = self._condition()
        self._places.append(token.line)
        otherwise = (self._pump().order,) if self.word("else") else self._default_pump(token)
        return _Done(3, _If(condition, (done.order,), otherwise), token)

    def _default_pump(self, token: Lexeme) -> tuple[s.PumpOrder, ...]:
        self._places.append(token.line)
        return (s.SellAtPumps(),)

    def _pump(self) -> _Done:
        self._numbered()
        token = self.lexeme
        if token.text in _IF:
            return self._if(of_pumps=True)
        self._places.append(token.line)
        if self.must("hold", "sell", *_IF) == "hold":
            return _Done(3, s.HoldPumps(), token)
        told: dict[str, Any] = {}
        at: list[s.PumpAt] = []
        while True:
            if self.lexeme.text == "," and (self._is_number_next() or any(map(self.next_is, ("not", "at", "keep")))):
                self.take()
            if self.lexeme.kind == "number" and self.next_is("each") and "each" not in told:
                told["each"] = self.integer(1, 2)
                self.must("each")
            elif self.lexeme.kind == "number":
                each = self.integer(0, 2)
                if len(at) == _MOST_PUMPS:
                    refuse(self.lexeme, "too_many", most=_MOST_PUMPS)
                self.must("at")
                at.append(s.PumpAt(self.plot(), each))
            elif "at_most" not in told and self.word("at"):
                self.must("most")
                told["at_most"] = self.integer(1, _MOST_BARRELS)
            elif "not_below" not in told and self.word("not"):
                self.must("below")
                told["not_below"] = self.integer(1, _MOST_PRICE)
            elif "keep" not in told and self.stands("keep"):
                told["keep"] = self._remainder("barrels", "gasoline")
            else:
                return _Done(3, s.SellAtPumps(at=tuple(at), **told), token)

    # Conditions around orders

    def _condition(self) -> c.Condition:
        is_denied = self.must(*_IF) == "unless"
        condition = self.condition()
        return c.Not(condition) if is_denied else condition

    def _if(self, *, of_pumps: bool = False, is_chained: bool = False) -> _Done:
        """An `if` with its branches: on its line, or to its `end` if its line ends after the colon.

        A chained one follows the `else` of another one, and ends with it.
        """
        token = self.lexeme
        self._places.append(token.line)
        with self.deeper():
            condition = self._condition()
            self.must(":", "then", ",")
            is_block = self.lexeme.kind in ("break", "end") or is_chained
            self._open.append((is_block, True))
            then = self._branch(is_block, of_pumps)
            has_else = self._else(is_block)
            self._open[-1] = is_block, False
            if not has_else:
                otherwise = []
            elif is_block and self.lexeme.text in _IF:
                otherwise = [self._if(of_pumps=of_pumps, is_chained=True)]
            else:
                self.skip(":")
                otherwise = self._branch(is_block, of_pumps)
            self._open.pop()
            if is_block and not is_chained:
                self.must("end")
            elif not is_block:
                self.skip("end")
        phase = _phase([*then, *otherwise])
        branches = [tuple(done.order for done in branch) for branch in (then, otherwise)]
        if of_pumps and not has_else:
            branches[1] = self._default_pump(token)
        return _Done(phase, _If(condition, *branches), token)

    def _branch(self, is_block: bool, of_pumps: bool) -> list[_Done]:
        """The orders of a branch: one for pumps; in a block any number, otherwise at least one."""
        done: list[_Done] = []
        is_first = True
        while True:
            while self.lexeme.text in (";", ",") or (is_block and self.lexeme.kind == "break"):
                self.take()
            if is_first and (of_pumps or not is_block):
                done += [self._pump()] if of_pumps else self._statement()
            elif self.lexeme.kind in ("break", "end") or self.lexeme.text in ("else", "end"):
                return done
            elif of_pumps:
                self.fail(*map(quoted, ("else", "end")))
            else:
                done += self._statement()
            is_first = False
            self._separated("else", "end")

    def _else(self, is_block: bool) -> bool:
        """Whether an `else` of this `if` comes, which is consumed. On its own line it must be unambiguous."""
        if not is_block and self.lexeme.kind == "break":
            ahead = next(at for at in range(self._at, len(self._tokens)) if self._tokens[at].kind != "break")
            if self._tokens[ahead].text != "else":
                return False
            waiting = 0
            for is_other_block, takes_else in reversed(self._open):
                waiting += takes_else
                if is_other_block:
                    break
            if waiting > 1:
                refuse(self._tokens[ahead], "whose_else")
            self._at = ahead
        return self.word("else") is not None

    def _is_number_next(self) -> bool:
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)].kind == "number"


def _phase(done: list[_Done]) -> Phase | None:
    """The phase that all of these orders belong to."""
    phase: Phase | None = None
    for each in done:
        if phase is not None and each.phase not in (None, phase):
            refuse(each.token, "two_phases")
        phase = phase or each.phase
    return phase


def _in_phase(order: Any, phase: Phase) -> Any:
    """An order, with its branches, converted to this phase."""
    if not isinstance(order, _If):
        return order
    then, otherwise = (tuple(_in_phase(each, phase) for each in branch) for branch in (order.then, order.otherwise))
    if phase == 3:
        return s.IfPumps(order.condition, then[0], otherwise[0])
    return (s.IfOrder if phase == 1 else s.IfTrade)(order.condition, then, otherwise)
