"""Trading barrels on the two markets."""

from typing import Literal, TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.oil.names import Good, MarketName, Prices, Seat
from mcmulti.domain.oil.phrases import one_or_several
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.transfers import pay
from mcmulti.domain.oil.state import Oilfield

F = TypeVar("F", bound=Oilfield)


class _Deal(Event, frozen=True):
    """Barrels changed hands on a market, each at its price."""

    seat: Seat
    market: MarketName
    good: Good
    prices: Prices

    def form(self, say: object) -> Literal["one", "several"]:
        return one_or_several(len(self.prices))


class BarrelsBought(_Deal, frozen=True):
    """Barrels were bought on a market at these prices."""

    def evolve(self, state: F) -> F:
        return _dealt(state, self, len(self.prices), -sum(self.prices))

    def transfers(self) -> tuple[Transfer, ...]:
        return _moved(self, len(self.prices), sum(self.prices), f"{self.good}_bought")


class BarrelsSold(_Deal, frozen=True):
    """Barrels were sold on a market at these prices."""

    def evolve(self, state: F) -> F:
        return _dealt(state, self, -len(self.prices), sum(self.prices))

    def transfers(self) -> tuple[Transfer, ...]:
        return _moved(self, -len(self.prices), -sum(self.prices), f"{self.good}_sold")


def _dealt(state: F, event: _Deal, barrels: int, cash: int) -> F:
    """The state after a player got barrels and cash (may be negative) on the market of this turn."""
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


def _moved(event: _Deal, barrels: int, price: int, reason: str) -> tuple[Transfer, ...]:
    """Barrels from the market to the player, and the price to the bank; reversed if negative."""
    market, stock = f"market:{event.market}:{event.good}", f"seat:{event.seat}:{event.good}"
    return pay(event.seat, price, reason) + transfer(market, stock, event.good, barrels, reason)
