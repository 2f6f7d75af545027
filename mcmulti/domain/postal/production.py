"""Phase 3: what the dice hit operates by itself, the player's own site first, then its neighbours."""

from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.event import Notice
from mcmulti.domain.oil import production as common
from mcmulti.domain.oil.board import Lines, left, lines_hit, right, sites
from mcmulti.domain.oil.figures import BarrelCount, Seat
from mcmulti.domain.postal.carrying_out import holds, open_lines
from mcmulti.domain.postal.components import TARGET
from mcmulti.domain.postal.ending import finish_if_won, over
from mcmulti.domain.postal.places import Line
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.sheet import HoldPumps, IfLine, IfPumps, OpenedLine, OrderSheet, PumpOrder, lines
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.tracing import first_for_pumps, orders_pumps


class OperationBegan(common.OperationBegan, frozen=True):
    """The dice hit assets of a player, which operate now."""

    def evolve(self, state: State) -> State:
        return state


class PumpsHeld(Notice, frozen=True):
    """Pumps that were hit did not sell what they could. `line`: where the sheet says so. `quantity`: what was held."""

    seat: Seat
    line: Line
    quantity: BarrelCount


class GasolineSold(common.GasolineSold, frozen=True):
    """Pumps sold gasoline to the consumers: after each sale the price falls by 1, after one at 1 there is none."""

    def evolve(self, state: State) -> State:
        return replace(state, still=0, players=self.players(state), consumer_price=self.prices[-1] - 1)


def operate_all(play: Play, seat: int, red: int, black: int) -> None:
    """The player's own site, then the neighbours on the lines shared with it, until somebody wins."""
    neighbours = (left(seat), right(seat))
    for each in (seat, *(other for other in play.state.order if other in neighbours)):
        if not over(play):
            _operate(play, each, lines_hit(each, seat, red, black), neighbour=each != seat)


def _operate(play: Play, seat: int, hit: Lines, *, neighbour: bool) -> None:
    """Pumps, then refineries, then wells (`postal/phase-3`)."""
    quadrant = play.state.quadrants[seat]
    pumps, refineries = hit.single(quadrant.stations), hit.blocks(quadrant.refineries)
    wells = 2 * hit.single(quadrant.wells)
    strike = () if neighbour else sites(seat, hit.crossing(quadrant.rigs))
    if not (pumps or refineries or wells or strike):
        return
    began = OperationBegan(seat, seat, neighbour, pumps, refineries, wells, strike[0] if strike else None)
    play.record(began, "board/neighbours" if neighbour else "postal/phase-3")
    if pumps:
        _sell(play, seat, pumps)
        if over(play):
            return
    refined = min(refineries, play.state.players[seat].crude)
    if refined:
        play.record(common.CrudeRefined(seat, refined), "postal/phase-3")
    if wells:
        play.record(common.CrudePumped(seat, wells), "postal/phase-3")


def _sell(play: Play, seat: int, hits: int) -> None:
    """A barrel a hit while there is gasoline, unless the sheet says otherwise; at 1 the last (`postal/pump`).

    Each sale brings the price that stands, which then falls by 1. The one that brings the target is the last.
    """
    wish = _wish(play, seat)
    price, player = play.state.consumer_price, play.state.players[seat]
    possible = tuple(range(price, 0, -1))[: min(hits, player.gasoline)]
    sold = tuple(bid for bid in possible if bid >= wish.lowest)
    if len(sold) < len(possible):
        play.record(PumpsHeld(seat, wish.line, len(possible) - len(sold)), "postal/pump")
    enough = bisect_left(tuple(accumulate(sold)), TARGET - player.cash) + 1
    if sold:
        play.record(GasolineSold(seat, sold[:enough]), "postal/pump")
        finish_if_won(play, seat)


class _Wish(NamedTuple):
    """The lowest price that a sale may bring, in millions of dollars, and the line of the sheet that says so."""

    lowest: int
    line: int


def _wish(play: Play, seat: int) -> _Wish:
    """What the sheet says of the pumps as things stand, which is opened; the last line of it, if nothing else."""
    sheet = play.state.sheets[seat] or OrderSheet()
    order: PumpOrder = sheet.pumps
    line, first = first_for_pumps(sheet), len(play.facts)
    opened: list[OpenedLine] = []
    while isinstance(order, IfPumps):
        opened.append(OpenedLine(line, 3, IfLine(order.condition)))
        if holds(play, seat, line, order.condition):
            line, order = line + 1, order.then
        else:
            line, order = line + 1 + lines((order.then,)), order.otherwise
    if orders_pumps(sheet):
        open_lines(play, seat, first, (*opened, OpenedLine(line, 3, order)))
    if isinstance(order, HoldPumps):
        return _Wish(play.state.consumer_price + 1, line)
    return _Wish(order.not_below, line)
