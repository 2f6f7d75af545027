"""A tycoon's phases 2 and 3: barrels on the better market, gasoline at the pumps."""

from typing import Any, NamedTuple

from mcmulti.bots.strategies.postal.lines import (
    buy_barrels,
    cash_from,
    if_pumps,
    if_trade,
    price_is,
    sell_at_pumps,
    sell_barrels,
)
from mcmulti.bots.strategies.postal.outlook import PostalOutlook
from mcmulti.client.json_object import Json

MARKETS = ("domestic", "foreign")
STEP = {"crude": 1, "gasoline": 2}
LUCK = 120
"""How much more cash than now to hope for when the turn comes."""


class Dealing(NamedTuple):
    """Lines for one market, their gain at current prices, and the deal and good with the greatest gain."""

    lines: list[Json]
    gain: float
    deal: str
    good: str


def trades(outlook: PostalOutlook) -> list[Json]:
    """Phase 2, from the holdings that phase 1 leaves. Sells everything if that brings the target."""
    usual = _usual(outlook)
    revenue, market = max((_revenue(outlook, market), market) for market in MARKETS)
    if not revenue or outlook.cash + revenue + LUCK < outlook.target:
        return usual
    out = [sell_barrels(market, good, "max", STEP[good]) for good in ("gasoline", "crude") if outlook.me[good]]
    return out if revenue >= outlook.target else [if_trade(cash_from(outlook.target - revenue), out, usual)]


def pumps(outlook: PostalOutlook) -> Json:
    """Phase 3: not below a market's price for the barrel, but at any price for the target."""
    price = max(1, outlook.sale("gasoline") - 2)
    if price == 1:
        return sell_at_pumps()
    near = outlook.target - max(1, outlook.consumer_price)
    return if_pumps(cash_from(near), sell_at_pumps(), sell_at_pumps(price))


def _usual(outlook: PostalOutlook) -> list[Json]:
    """The profitable deals on the better market; on the other one if others spoiled that."""
    second, first = sorted((_dealing(outlook, market) for market in MARKETS), key=lambda dealing: dealing.gain)
    if not first.lines or not outlook.turns_before or first.good != second.good or first.deal != second.deal:
        return first.lines
    there, here = second.lines[0]["market"], first.lines[0]["market"]
    prices = [_track(outlook, market, first.good)[first.deal] for market in (here, there)]
    middle = sum(prices) // 2
    bound = {"at_most": middle} if first.deal == "buy" else {"at_least": middle}
    return [if_trade(price_is(first.deal, here, first.good, **bound), first.lines, second.lines)]


def _dealing(outlook: PostalOutlook, market: str) -> Dealing:
    """The profitable deals on a market: gasoline before crude, sales before purchases."""
    budget = outlook.cash
    lines: list[Json] = []
    gains: dict[tuple[str, str], float] = {}
    for good in ("gasoline", "crude"):
        number, lowest, gain = _selling(outlook, market, good)
        if number:
            lines.append(sell_barrels(market, good, number, lowest))
            gains["sell", good] = gain
    for good in ("gasoline", "crude"):
        number, highest, gain, spent = _buying(outlook, market, good, budget)
        if number and ("sell", good) not in gains:
            lines.append(buy_barrels(market, good, number, highest))
            gains["buy", good] = gain
            budget -= spent
    deal, good = max(gains, key=lambda key: gains[key], default=("", ""))
    return Dealing(lines, sum(gains.values()), deal, good)


def _selling(outlook: PostalOutlook, market: str, good: str) -> tuple[int, int, float]:
    """How many barrels to sell, the lowest price to take, and the gain."""
    value = outlook.crude if good == "crude" else outlook.gasoline
    stock: int = outlook.me[good]
    price: int = _track(outlook, market, good)["sell"] or 0
    number, gain, lowest = 0, 0.0, price
    while price > 0 and number < stock and price > value(stock - number):
        gain += price - value(stock - number)
        lowest = max(STEP[good], int(value(stock - number)) + 1)
        number += 1
        price -= STEP[good]
    return number, lowest, gain


def _buying(outlook: PostalOutlook, market: str, good: str, budget: int) -> tuple[int, int, float, int]:
    """How many barrels to buy, the highest price to pay, the gain, and their cost at current prices."""
    value = outlook.crude if good == "crude" else outlook.gasoline
    stock, track = outlook.me[good], _track(outlook, market, good)
    price: int = track["buy"] or 0
    number, gain, spent, highest = 0, 0.0, 0, price
    while number < track["barrels"] and spent + price <= budget and price < value(stock + number + 1):
        number += 1
        gain += value(stock + number) - price
        highest = max(price, int(value(stock + number)))
        spent += price
        price += STEP[good]
    return number, highest, gain, spent


def _track(outlook: PostalOutlook, market: str, good: str) -> dict[str, Any]:
    """A good on a market, from the view."""
    return next(track for track in outlook.view["markets"] if (track["market"], track["good"]) == (market, good))


def _revenue(outlook: PostalOutlook, market: str) -> int:
    """The proceeds of all barrels on a market at current prices."""
    total = 0
    for good in ("gasoline", "crude"):
        price = _track(outlook, market, good)["sell"] or 0
        total += sum(max(0, price - STEP[good] * sold) for sold in range(outlook.me[good]))
    return total
