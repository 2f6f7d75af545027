"""Phase 1: buying and selling barrels on one of the two markets."""

from bisect import bisect_right
from functools import cache

from mcmulti.domain.core.offers import Offer, Range, TextChoice, plain
from mcmulti.domain.mcmulti.commands import BuyBarrels, SellBarrels
from mcmulti.domain.mcmulti.components import FIELDS, NEWS, STEP
from mcmulti.domain.mcmulti.state import Play, State
from mcmulti.domain.oil.names import GOODS, MARKETS, Good, MarketName
from mcmulti.domain.oil.rules import market as track
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold

ROLL_DICE = plain("RollDice", "dice/production-roll")

_CLOSED_BY = {card.closes: card.name for card in NEWS.values() if card.closes}
_SUMS = {good: [track.sums_to_buy(STEP[good], FIELDS, free) for free in range(FIELDS + 1)] for good in GOODS}
"""The total cost of the cheapest barrels of a good, by the number of free fields and the number of barrels.

A player can pay for as many barrels as there are sums that do not exceed its cash.
"""


def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Trade barrels of both goods on either market, or roll the dice."""
    player = state.players[seat]
    offers: list[Offer] = []
    chosen = state.now.market
    for name in MARKETS:
        closed = _closed(state, name, chosen)
        if closed and not complete:
            continue
        market = state.market(name)
        crude, gasoline = market.crude, market.gasoline
        offers += (
            _buying(name, "crude", crude, bisect_right(_SUMS["crude"][crude], player.cash), closed),
            _selling(name, "crude", crude, min(player.crude, crude), closed),
            _buying(name, "gasoline", gasoline, bisect_right(_SUMS["gasoline"][gasoline], player.cash), closed),
            _selling(name, "gasoline", gasoline, min(player.gasoline, gasoline), closed),
        )
    return (*offers, ROLL_DICE)


def _closed(state: State, name: MarketName, chosen: MarketName | None) -> str | None:
    """Why a market is closed: news, or trading on the other one (`market/one-per-turn`)."""
    if _CLOSED_BY[name] in state.news.active:
        return f"{name}_closed"
    return "other_market" if chosen and chosen != name else None


@cache
def _buying(name: MarketName, good: Good, free: int, affordable: int, closed: str | None) -> Offer:
    """Cheapest first (`market/buy`)."""
    limit = "cash" if affordable < FIELDS - free else "market_empty"
    prices = track.prices_to_buy(STEP[good], FIELDS, free)[:affordable]
    return _dealing("BuyBarrels", "market/buy", name, good, prices, limit, closed)


@cache
def _selling(name: MarketName, good: Good, free: int, most: int, closed: str | None) -> Offer:
    """Most expensive first (`market/sell`)."""
    limit = "barrels" if most < free else "market_full"
    prices = track.prices_to_sell(STEP[good], free)[:most]
    return _dealing("SellBarrels", "market/sell", name, good, prices, limit, closed)


def _dealing(
    command: str,
    rule: str,
    name: MarketName,
    good: Good,
    prices: tuple[int, ...],
    limit: str,
    closed: str | None,
) -> Offer:
    return Offer(
        command,
        rule,
        {
            "market": TextChoice((name,)),
            "good": TextChoice((good,)),
            "quantity": Range(1, len(prices), limit, prices=prices),
        },
        blocked_by=closed or (None if prices else limit),
    )


def buy_barrels(play: Play, seat: int, command: BuyBarrels, offer: Offer) -> None:
    play.record(BarrelsBought(seat, command.market, command.good, offer.prices(command.quantity)), offer.rule)


def sell_barrels(play: Play, seat: int, command: SellBarrels, offer: Offer) -> None:
    play.record(BarrelsSold(seat, command.market, command.good, offer.prices(command.quantity)), offer.rule)
