"""Phase 2: buying and selling barrels on one of the two markets."""

from bisect import bisect_right

from mcmulti.domain.core.event import Notice
from mcmulti.domain.core.figures import Code
from mcmulti.domain.oil.names import BarrelCount, Seat
from mcmulti.domain.oil.rules.market import prices_to_buy, prices_to_sell, sums_to_buy
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from mcmulti.domain.postal.components import FIELDS, STEP
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.names import Line, Outcome
from mcmulti.domain.postal.refereeing.acting import Actions, skip
from mcmulti.domain.postal.sheets.sheet import BuyBarrelsOrder, SellBarrelsOrder
from mcmulti.domain.postal.state import Play


class OrderCurtailed(Notice, frozen=True):
    """A `line` was carried out in part. `asked`: the requested number of barrels. `done`: the number traded. `code`:
    why.
    """

    seat: Seat
    line: Line
    asked: BarrelCount
    done: BarrelCount
    code: Code


def buy_barrels(play: Play, seat: int, line: int, order: BuyBarrelsOrder) -> Outcome:
    """Buy barrel by barrel, as far as order, market, cash, and highest price allow (`postal/phase-2`)."""
    free, step = play.state.market(order.market).free(order.good), STEP[order.good]
    cash = play.state.players[seat].cash
    prices = prices_to_buy(step, FIELDS, free)
    highest = order.not_above
    sums = sums_to_buy(step, FIELDS, free)
    bounds = {
        "market_empty": len(prices),
        "cash": bisect_right(sums, cash),
        "keep_cash": bisect_right(sums, cash - order.keep),
        "price_above": len(prices) if highest is None else sum(price <= highest for price in prices),
    }
    code = min(bounds, key=lambda bound: bounds[bound])
    if _elsewhere(play, order):
        return skip(play, seat, line, "other_market")
    if not prices:
        return skip(play, seat, line, code, 0, 1)
    if not bounds[code]:
        first = prices[0]
        needs = {"cash": (cash, first), "keep_cash": (cash, first + order.keep), "price_above": (first, highest)}
        return skip(play, seat, line, code, *needs[code])
    done = prices[: _wanted(order, bounds[code])]
    play.record(BarrelsBought(seat, order.market, order.good, done), "postal/phase-2")
    return _outcome(play, seat, line, order, len(done), code)


def sell_barrels(play: Play, seat: int, line: int, order: SellBarrelsOrder) -> Outcome:
    """Sell barrel by barrel, as far as order, market, stock, and lowest price allow (`postal/phase-2`)."""
    player = play.state.players[seat]
    stock = player.crude if order.good == "crude" else player.gasoline
    prices = prices_to_sell(STEP[order.good], play.state.market(order.market).free(order.good))
    lowest = order.not_below
    bounds = {
        "barrels": stock,
        "keep_barrels": max(0, stock - order.keep),
        "market_full": len(prices),
        "price_below": len(prices) if lowest is None else sum(price >= lowest for price in prices),
    }
    code = min(bounds, key=lambda bound: bounds[bound])
    if _elsewhere(play, order):
        return skip(play, seat, line, "other_market")
    if not bounds[code]:
        kept = (stock, order.keep + 1) if code == "keep_barrels" else (0, 1)
        return skip(play, seat, line, code, *((prices[0], lowest) if code == "price_below" else kept))
    done = prices[: _wanted(order, bounds[code])]
    play.record(BarrelsSold(seat, order.market, order.good, done), "postal/phase-2")
    return _outcome(play, seat, line, order, len(done), code)


def _elsewhere(play: Play, order: BuyBarrelsOrder | SellBarrelsOrder) -> bool:
    """Whether the player traded on the other market in this turn."""
    return play.state.now.market not in (None, order.market)


def _wanted(order: BuyBarrelsOrder | SellBarrelsOrder, possible: int) -> int:
    return possible if order.quantity == "max" else min(order.quantity, possible)


def _outcome(
    play: Play, seat: int, line: int, order: BuyBarrelsOrder | SellBarrelsOrder, done: int, code: str
) -> Outcome:
    """Record why a number could not be traded in full, if it could not (`postal/sheet`)."""
    if order.quantity == "max" or order.quantity <= done:
        return "in_full"
    play.record(OrderCurtailed(seat, line, order.quantity, done, code), LIMITS[code].rule)
    return "in_part"


ACTIONS: Actions = {BuyBarrelsOrder: buy_barrels, SellBarrelsOrder: sell_barrels}
