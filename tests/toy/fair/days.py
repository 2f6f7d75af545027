"""The end of a day, and of the fair."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seats
from mcmulti.domain.core.shown.gauges import Die
from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.core.wording.phrases import Phrases
from tests.toy.fair.state import LOWEST_PRICE, Day, Fair, Florins, Play, Sacks, Trader
from tests.toy.fair.trading import trade


class PriceThrown(Event, frozen=True):
    """A day is over, and a die was thrown for the price of the next."""

    day: Day
    die: Draw
    price: Florins

    def evolve(self, state: Fair) -> Fair:
        return replace(state, day=self.day + 1, at=0, price=self.price, draws=self.die.number)


class FairClosed(Event, frozen=True):
    """All wool that is left, `sold` by seat, was sold for `price` a sack."""

    price: Florins
    sold: Annotated[tuple[Sacks, ...], Meta(max_length=5)]
    winners: Seats

    def evolve(self, state: Fair) -> Fair:
        return replace(state, traders=_settled(state.traders, self.price), winners=self.winners)

    def transfers(self) -> tuple[Transfer, ...]:
        trades = (trade(seat, -sacks * self.price, -sacks, "pens", "closing") for seat, sacks in enumerate(self.sold))
        return tuple(moved for transfers in trades for moved in transfers)

    def form(self, say: Phrases) -> Literal["one", "shared"]:
        return "one" if len(self.winners) == 1 else "shared"


def thrown(event: Event) -> tuple[Die, ...]:
    """The die of the day."""
    return (Die("price", event.die.value),) if isinstance(event, PriceThrown) else ()


def proceed(play: Play) -> None:
    """When all have had their turn, the day is over (`fair/price`), and after the last day, the fair (`fair/close`)."""
    state = play.state
    if state.at < len(state.traders):
        return
    if state.day < state.setup.days:
        die = play.draw()
        play.record(PriceThrown(state.day, die, LOWEST_PRICE + die.value), "fair/price")
        return
    close(play, "fair/close")


def close(play: Play, rule: str) -> None:
    """All wool is sold at the price of the day. The remaining trader who has most wins (`fair/close`)."""
    state = play.state
    florins = {seat: _settled(state.traders, state.price)[seat].florins for seat in state.taken}
    winners = tuple(seat for seat, has in florins.items() if has == max(florins.values()))
    play.record(FairClosed(state.price, tuple(trader.wool for trader in state.traders), winners), rule)
    reveal_seed(play)


def _settled(traders: tuple[Trader, ...], price: int) -> tuple[Trader, ...]:
    return tuple(Trader(trader.florins + trader.wool * price, 0) for trader in traders)
