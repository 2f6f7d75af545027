"""News that moves barrels: the long, cold winter and the uncertain world market."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.mcmulti.components import FIELDS, NewsCard
from mcmulti.domain.mcmulti.news.consumer import ConsumerPriceMoved
from mcmulti.domain.mcmulti.news.track import by_red_fields
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
