"""A trader's turn: buy wool, sell wool, or wait."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import Offer, Range, plain
from mcmulti.domain.core.tuples import put
from tests.toy.fair.state import CART, Fair, Florins, Play, Sacks, Trader

Load = Annotated[int, Meta(ge=1, le=CART, description="Sacks of wool, as many as a cart takes.")]


class BuyWool(Command, frozen=True):
    """Buy sacks at the price of the day (`fair/buy`)."""

    sacks: Load


class SellWool(Command, frozen=True):
    """Sell sacks at the price of the day (`fair/sell`)."""

    sacks: Load


class Wait(Command, frozen=True):
    """Do nothing in this go (`fair/go`)."""


class WoolBought(Event, frozen=True):
    """Somebody bought wool, and `paid` this much in total."""

    seat: Seat
    sacks: Sacks
    paid: Florins

    def evolve(self, state: Fair) -> Fair:
        return gone(state, self.seat, -self.paid, self.sacks)

    def transfers(self) -> tuple[Transfer, ...]:
        return trade(self.seat, self.paid, self.sacks, "pens", "purchase")


class WoolSold(Event, frozen=True):
    """Somebody sold wool, and `got` this much in total."""

    seat: Seat
    sacks: Sacks
    got: Florins

    def evolve(self, state: Fair) -> Fair:
        return gone(state, self.seat, self.got, -self.sacks)

    def transfers(self) -> tuple[Transfer, ...]:
        return trade(self.seat, -self.got, -self.sacks, "pens", "sale")


class GoPassed(Event, frozen=True):
    """Somebody did nothing."""

    seat: Seat

    def evolve(self, state: Fair) -> Fair:
        return gone(state, self.seat, 0, 0)


def gone(state: Fair, seat: int, florins: int, wool: int) -> Fair:
    """The state after a seat's turn, in which its purse and its store grew by these amounts."""
    had = state.traders[seat]
    traders = put(state.traders, seat, Trader(had.florins + florins, had.wool + wool))
    return replace(state, traders=traders, at=state.at + 1)


def trade(seat: int, paid: int, sacks: int, pens: str, reason: str) -> tuple[Transfer, ...]:
    """This many florins for this many sacks from the pens. Negative amounts go the other way round."""
    wool = transfer(pens, f"seat:{seat}:store", "wool", sacks, reason)
    return transfer(f"seat:{seat}:purse", "mint", "florins", paid, reason) + wool


def offers(state: Fair, seat: int, complete: bool) -> tuple[Offer, ...]:
    """What the trader to move may do, and what it may not."""
    trader = state.traders[state.at]
    buying = load(trader.florins // state.price, "purse")
    return (
        Offer(
            "BuyWool",
            "fair/buy",
            {"sacks": buying},
            state.price,
            blocked_by=None if buying.max else "purse",
        ),
        *offers_selling(state),
    )


def offers_selling(state: Fair) -> tuple[Offer, ...]:
    """Sell, or wait."""
    selling = load(state.traders[state.at].wool, "store")
    return (
        Offer(
            "SellWool",
            "fair/sell",
            {"sacks": selling},
            state.price,
            blocked_by=None if selling.max else "store",
        ),
        plain("Wait", "fair/go"),
    )


def load(most: int, limit: str) -> Range:
    """From one sack to this many, but not more than a cart can carry."""
    return Range(1, most, limit) if most < CART else Range(1, CART, "cart")


def buy_wool(play: Play, seat: int, command: BuyWool, offer: Offer) -> None:
    play.record(WoolBought(seat, command.sacks, command.sacks * offer.cost), offer.rule)


def sell_wool(play: Play, seat: int, command: SellWool, offer: Offer) -> None:
    play.record(WoolSold(seat, command.sacks, command.sacks * offer.cost), offer.rule)


def wait(play: Play, seat: int, command: Wait, offer: Offer) -> None:
    play.record(GoPassed(seat), offer.rule)
