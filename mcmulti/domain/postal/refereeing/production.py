"""Phase 3: hit assets operate automatically, the player's own quadrant first, then its neighbors."""

from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.event import Notice
from mcmulti.domain.oil.names import BarrelCount, Seat
from mcmulti.domain.oil.rules import production as common
from mcmulti.domain.oil.rules.board import Lines, bit, left, lines_hit, right, sites
from mcmulti.domain.postal.components import TARGET
from mcmulti.domain.postal.conditions.happenings import barrel_deals
from mcmulti.domain.postal.conditions.quantities import BarrelDealsOf
from mcmulti.domain.postal.names import Line, Outcome
from mcmulti.domain.postal.refereeing.carrying_out import OrdersOpened, holds, open_lines
from mcmulti.domain.postal.refereeing.ending import finish_if_won, over
from mcmulti.domain.postal.sheets.sheet import (
    HoldPumps,
    IfLine,
    IfPumps,
    OpenedLine,
    OrderSheet,
    PumpOrder,
    SellAtPumps,
    lines,
)
from mcmulti.domain.postal.sheets.tracing import first_for_pumps, orders_pumps
from mcmulti.domain.postal.state import Play, State


class OperationBegan(common.OperationBegan, frozen=True):
    """The dice hit assets of a player, which operate now."""

    def evolve(self, state: State) -> State:
        return state


class PumpsHeld(Notice, frozen=True):
    """Pumps that were hit did not sell all they could. `line`: the line that requires it. `quantity`: what was held
    back.
    """

    seat: Seat
    line: Line
    quantity: BarrelCount


class GasolineSold(common.GasolineSold, frozen=True):
    """Pumps sold gasoline to the consumers: the price falls by 1 after each sale; after a sale at 1 there is none."""

    def evolve(self, state: State) -> State:
        return replace(state, still=0, players=self.players(state), consumer_price=self.prices[-1] - 1)


def operate_all(play: Play, seat: int, red: int, black: int) -> None:
    """Operate the player's own quadrant, then the neighbors on the lines shared with it, until somebody wins."""
    neighbours = (left(seat), right(seat))
    for each in (seat, *(other for other in play.state.order if other in neighbours)):
        if not over(play):
            _operate(play, each, lines_hit(each, seat, red, black), neighbour=each != seat)


def _operate(play: Play, seat: int, hit: Lines, *, neighbour: bool) -> None:
    """Operate pumps, then refineries, then wells (`postal/phase-3`)."""
    quadrant = play.state.quadrants[seat]
    pumps, refineries = hit.single(quadrant.stations), hit.blocks(quadrant.refineries)
    wells = 2 * hit.single(quadrant.wells)
    strike = () if neighbour else sites(seat, hit.crossing(quadrant.rigs))
    if not (pumps or refineries or wells or strike):
        return
    began = OperationBegan(seat, seat, neighbour, pumps, refineries, wells, strike[0] if strike else None)
    play.record(began, "board/neighbours" if neighbour else "postal/phase-3")
    if pumps:
        _sell(play, seat, hit)
        if over(play):
            return
    refined = min(refineries, play.state.players[seat].crude)
    if refined:
        play.record(common.CrudeRefined(seat, refined), "postal/phase-3")
    if wells:
        play.record(common.CrudePumped(seat, wells), "postal/phase-3")


def _sell(play: Play, seat: int, hit: Lines) -> None:
    """Sell one barrel per hit while there is gasoline, unless the sheet says otherwise. The sale at 1 is the last one
    (`postal/pump`).

    Each sale brings the current price, which then falls by 1. The sale that brings the target is the last.
    """
    wish = _wish(play, seat)
    price, player = play.state.consumer_price, play.state.players[seat]
    stations = play.state.quadrants[seat].stations
    possible = tuple(range(price, 0, -1))[: min(hit.single(stations), player.gasoline)]
    sold = _willing(play, seat, wish.order, hit, possible)
    if len(sold) < len(possible):
        play.record(PumpsHeld(seat, wish.line, len(possible) - len(sold)), "postal/pump")
    enough = bisect_left(tuple(accumulate(sold)), TARGET - player.cash) + 1
    if sold:
        play.record(GasolineSold(seat, sold[:enough]), "postal/pump")
        finish_if_won(play, seat)


def _willing(
    play: Play, seat: int, order: SellAtPumps | HoldPumps, hit: Lines, possible: tuple[int, ...]
) -> tuple[int, ...]:
    """The possible sales, each with its price, that the order allows: at each pump, and in the whole round."""
    if isinstance(order, HoldPumps):
        return ()
    own = {(pump.plot.row, pump.plot.column): pump.each for pump in order.at}
    pumps = sites(seat, play.state.quadrants[seat].stations)
    allowed = sum(min(hit.single(bit(pump)), own.get((pump.row, pump.column), order.each)) for pump in pumps)
    allowed = min(allowed, max(0, play.state.players[seat].gasoline - order.keep))
    if order.at_most is not None:
        sold = barrel_deals([fact.event for fact in play.facts], _at_pumps(seat))
        allowed = min(allowed, max(0, order.at_most - sold))
    return tuple(price for price in possible[:allowed] if price >= order.not_below)


def _at_pumps(seat: int) -> BarrelDealsOf:
    """The sales at a player's pumps in the round so far."""
    return BarrelDealsOf("sold", "gasoline", "consumers", seat)


class _Wish(NamedTuple):
    """The instruction for pumps, and its line in the sheet."""

    order: SellAtPumps | HoldPumps
    line: int


def _wish(play: Play, seat: int) -> _Wish:
    """The sheet's current instruction for the pumps, whose lines are opened; by default its last line."""
    sheet = play.state.sheets[seat] or OrderSheet()
    order: PumpOrder = sheet.pumps
    line, first = first_for_pumps(sheet), len(play.facts)
    opened: list[OpenedLine] = []
    while isinstance(order, IfPumps):
        held = holds(play, seat, line, order.condition, _came_to(play, seat))
        opened.append(OpenedLine(line, 3, IfLine(order.condition), "in_full" if held else "skipped"))
        if held:
            line, order = line + 1, order.then
        else:
            line, order = line + 1 + lines((order.then,)), order.otherwise
    if orders_pumps(sheet):
        open_lines(play, seat, first, (*opened, OpenedLine(line, 3, order)))
    return _Wish(order, line)


def _came_to(play: Play, seat: int) -> dict[int, Outcome]:
    """The outcomes of the lines of phases 1 and 2, if the player's turn in the round was before this."""
    opened = (fact.event for fact in play.facts)
    return {
        line.line: line.outcome
        for event in opened
        if isinstance(event, OrdersOpened) and event.seat == seat
        for line in event.lines
        if line.phase != 3 and line.outcome is not None
    }
