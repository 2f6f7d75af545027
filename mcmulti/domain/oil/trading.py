"""Dealing in barrels on the two markets."""

from typing import Literal, TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.posting import Transfer, transfer
from mcmulti.domain.oil.figures import Prices, Seat
from mcmulti.domain.oil.market import Market
from mcmulti.domain.oil.names import Good, MarketName
from mcmulti.domain.oil.phrases import one_or_several
from mcmulti.domain.oil.state import Oilfield
from mcmulti.domain.oil.transfers import pay

F = TypeVar("F", bound=Oilfield)


class BarrelsBought(Event, frozen=True):
    """Barrels were bought on a market at these prices."""

    seat: Seat
    market: MarketName
    good: Good
    prices: Prices

    def evolve(self, state: F) -> F:
        return _dealt(state, self, len(self.prices), -sum(self.prices))

    def transfers(self) -> tuple[Transfer, ...]:
        good, reason = self.good, f"{self.good}_bought"
        source, target = f"market:{self.market}:{good}", f"seat:{self.seat}:{good}"
        paid = pay(self.seat, sum(self.prices), reason)
        return paid + transfer(source, target, good, len(self.prices), reason)

    def form(self, say: object) -> Literal["one", "several"]:
        return one_or_several(len(self.prices))


class BarrelsSold(Event, frozen=True):
    """Barrels were sold on a market at these prices."""

    seat: Seat
    market: MarketName
    good: Good
    prices: Prices

    def evolve(self, state: F) -> F:
        return _dealt(state, self, -len(self.prices), sum(self.prices))

    def transfers(self) -> tuple[Transfer, ...]:
        good, reason = self.good, f"{self.good}_sold"
        source, target = f"seat:{self.seat}:{good}", f"market:{self.market}:{good}"
        paid = pay(self.seat, -sum(self.prices), reason)
        return paid + transfer(source, target, good, len(self.prices), reason)

    def form(self, say: object) -> Literal["one", "several"]:
        return one_or_several(len(self.prices))


def _dealt(state: F, event: BarrelsBought | BarrelsSold, barrels: int, cash: int) -> F:
    """After a player got so many barrels and so much cash on a market, the one of the turn."""
    crude, gasoline = (barrels, 0) if event.good == "crude" else (0, barrels)
    domestic, foreign = state.domestic, state.foreign
    if event.market == "domestic":
        domestic = Market(domestic.crude + crude, domestic.gasoline + gasoline)
    else:
        foreign = Market(foreign.crude + crude, foreign.gasoline + gasoline)
    turn = state.now
    if turn.market is None:
        turn = replace(turn, market=event.market)
    players = state.stored(event.seat, cash, crude, gasoline)
    return replace(state, domestic=domestic, foreign=foreign, players=players, turn=turn, still=0)
