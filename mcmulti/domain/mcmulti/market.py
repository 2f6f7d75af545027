"""Phase 1: buying and selling barrels on one of the two markets."""

from bisect import bisect_right
from functools import cache, lru_cache

from mcmulti.domain.mcmulti.commands import BuyBarrels, SellBarrels
from mcmulti.domain.mcmulti.components import FIELDS, NEWS, STEP
from mcmulti.domain.mcmulti.events import BarrelsBought, BarrelsSold
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.offers import Choice, Offer, Range, barrels, plain
from mcmulti.domain.oilfield import market as track
from mcmulti.domain.oilfield.names import GOODS, MARKETS, Good, MarketName

ROLL_DICE = plain("RollDice", "dice/production-roll", "Close the market phase and roll the dice.")


def offers(state: State, seat: int) -> tuple[Offer, ...]:
    """Barrels of both goods on either market, or the dice."""
    player = state.players[seat]
    offers = []
    for name in MARKETS:
        market = state.market(name)
        closed = _closed(state, name)
        for good in GOODS:
            stock = player.crude if good == "crude" else player.gasoline
            offers.append(_buying(name, good, market.free(good), player.cash, closed))
            offers.append(_selling(name, good, market.free(good), stock, closed))
    return (*offers, ROLL_DICE)


def _closed(state: State, name: MarketName) -> str | None:
    """What closes a market: news, or dealing on the other one (`market/one-per-turn`)."""
    if any(NEWS[card].closes == name for card in state.news.active):
        return f"{name}_closed"
    return None if state.now.market in (None, name) else "other_market"


@cache
def prices_to_buy(good: Good, free: int) -> tuple[int, ...]:
    """The price of each barrel on a market, cheapest first (`market/buy`)."""
    return track.prices_to_buy(STEP[good], FIELDS, free)


@cache
def prices_to_sell(good: Good, free: int) -> tuple[int, ...]:
    """The price of each free field of a market, dearest first (`market/sell`)."""
    return track.prices_to_sell(STEP[good], free)


def _buying(name: MarketName, good: Good, free: int, cash: int, closed: str | None) -> Offer:
    affordable = bisect_right(track.sums_to_buy(STEP[good], FIELDS, free), cash)
    limit = "cash" if affordable < FIELDS - free else "market_empty"
    prices = prices_to_buy(good, free)[:affordable]
    return _dealing("BuyBarrels", "market/buy", name, good, prices, limit, closed)


def _selling(name: MarketName, good: Good, free: int, stock: int, closed: str | None) -> Offer:
    limit = "barrels" if stock < free else "market_full"
    prices = prices_to_sell(good, free)[:stock]
    return _dealing("SellBarrels", "market/sell", name, good, prices, limit, closed)


@lru_cache(maxsize=16384)
def _dealing(
    command: str,
    rule: str,
    name: MarketName,
    good: Good,
    prices: tuple[int, ...],
    limit: str,
    closed: str | None,
) -> Offer:
    most = len(prices)
    verb = "Buy" if command == "BuyBarrels" else "Sell"
    sentence = f"{verb} up to {barrels(most)} of {good} on the {name} market"
    if prices:
        sentence += f", the first at {prices[0]}" if most == 1 else f", at {prices[0]} to {prices[-1]}"
    return Offer(
        command,
        rule,
        f"{sentence}.",
        {
            "market": Choice((name,)),
            "good": Choice((good,)),
            "quantity": Range(1, most, limit, prices=prices),
        },
        blocked_by=closed or (None if prices else limit),
    )


def buy_barrels(play: Play, seat: int, command: BuyBarrels) -> None:
    prices = prices_to_buy(command.good, play.state.market(command.market).free(command.good))
    prices = prices[: command.quantity]
    play.record(BarrelsBought(seat, command.market, command.good, prices), "market/buy")


def sell_barrels(play: Play, seat: int, command: SellBarrels) -> None:
    prices = prices_to_sell(command.good, play.state.market(command.market).free(command.good))
    prices = prices[: command.quantity]
    play.record(BarrelsSold(seat, command.market, command.good, prices), "market/sell")
