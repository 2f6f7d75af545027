"""News: the effects of doubles and of each card, and when the next card is turned over."""

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti.components import FIELDS, NEWS, NewsCard, NewsName
from mcmulti.domain.mcmulti.news import taxes
from mcmulti.domain.mcmulti.news.cards import NewsDiscarded, NewsMovedUp, NewsTriggered, turn_over
from mcmulti.domain.mcmulti.news.consumer import ConsumerPriceMoved
from mcmulti.domain.mcmulti.news.track import by_red_fields
from mcmulti.domain.mcmulti.news.warming import (
    END_CLEAN_UP,
    WARMING,
    clean_up_offer,
    lift_warming,
    order_clean_up,
    pass_over,
)
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import Play, State
from mcmulti.domain.oil.names import BarrelCount, Good, MarketName
from mcmulti.domain.oil.phrases import one_or_several


class BarrelsUsedUp(Event, frozen=True):
    """The cheapest barrels of a market went to the supply."""

    market: MarketName
    good: Good
    quantity: BarrelCount

    def evolve(self, state: State) -> State:
        market = state.market(self.market).freed(self.good, self.quantity)
        return replace(state, domestic=market) if self.market == "domestic" else replace(state, foreign=market)

    def transfers(self) -> tuple[Transfer, ...]:
        return transfer(f"market:{self.market}:{self.good}", "supply", self.good, self.quantity, "used_up")

    def form(self, say: Phrases) -> Literal["one", "several"]:
        return one_or_several(self.quantity)


class BarrelsShifted(Event, frozen=True):
    """The cheapest barrels of one market moved to the most expensive free fields of the other."""

    source: MarketName
    target: MarketName
    good: Good
    quantity: BarrelCount

    def evolve(self, state: State) -> State:
        quantity = self.quantity if self.source == "domestic" else -self.quantity
        return replace(
            state,
            domestic=state.domestic.freed(self.good, quantity),
            foreign=state.foreign.freed(self.good, -quantity),
        )

    def transfers(self) -> tuple[Transfer, ...]:
        source, target = f"market:{self.source}:{self.good}", f"market:{self.target}:{self.good}"
        return transfer(source, target, self.good, self.quantity, "shifted")

    def form(self, say: Phrases) -> Literal["one", "several"]:
        return one_or_several(self.quantity)


def use_up_gasoline(play: Play, card: NewsCard) -> None:
    """The winter removes gasoline from the domestic market (`news/long-cold-winter`)."""
    barrels = min(card.barrels, FIELDS - play.state.domestic.gasoline)
    if barrels:
        play.record(BarrelsUsedUp("domestic", "gasoline", barrels), card.rule)


def shift_crude(play: Play, card: NewsCard) -> None:
    """Crude moves to the domestic market, and the consumer price falls (`news/world-market-uncertainty`)."""
    barrels = min(card.barrels, FIELDS - play.state.foreign.crude, play.state.domestic.crude)
    if barrels:
        play.record(BarrelsShifted("foreign", "domestic", "crude", barrels), card.rule)
    price = play.state.consumer_price
    fallen = by_red_fields(play.state.setup.consumer_track, price, -card.red_fields)
    if fallen != price:
        play.record(ConsumerPriceMoved(price, fallen, 0), card.rule)


_EFFECTS: dict[NewsName, Callable[[Play, NewsCard], None]] = {
    WARMING: order_clean_up,
    "long_cold_winter": use_up_gasoline,
    "world_market_uncertainty": shift_crude,
}


def double(play: Play, value: int) -> None:
    """The effect of a double (`news/double`)."""
    if value in (1, 3):
        _happen(play, play.state.news.likelier)
    elif value == 6:
        _happen(play, play.state.news.less_likely)
    else:
        for card in play.state.news.active:
            if NEWS[card].closes:
                play.record(NewsDiscarded(card), NEWS[card].rule)


def _happen(play: Play, name: NewsName | None) -> None:
    if name is None:
        raise LookupError("two news cards lie open from the set-up to the end")
    card = NEWS[name]
    play.record(NewsTriggered(name), "news/double")
    if card.tax:
        taxes.levy(play, card)
    elif name in _EFFECTS:
        _EFFECTS[name](play, card)


def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Sell assets to raise what is due, or pay for clean-ups."""
    if state.now.card == WARMING:
        return (clean_up_offer(state, seat), END_CLEAN_UP)
    return taxes.offers(state, seat)


def proceed(play: Play) -> None:
    """Settle what needs no decision. When all is settled, turn over the next card."""
    settle = pass_over if play.state.now.card == WARMING else taxes.pay_due
    while play.state.now.dues:
        if not settle(play, play.state.now.dues[0]):
            return
    _turn_over_next(play)


def _turn_over_next(play: Play) -> None:
    """`news/next-card`."""
    card = play.state.now.card
    if card is not None and not NEWS[card].lasting:
        play.record(NewsDiscarded(card), "news/next-card")
    lift_warming(play)
    news = play.state.news
    if news.likelier is None and news.less_likely is not None:
        play.record(NewsMovedUp(news.less_likely), "news/next-card")
    turn_over(play, "less_likely", "news/next-card")
