"""Visitors become customers: who enters which shop, what they pay, and who gets a share."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.marracash.components import ShopName, commission_by_customer, customer_commission, income
from mcmulti.domain.marracash.phases import souvenirs
from mcmulti.domain.marracash.phases.souvenirs import Cards
from mcmulti.domain.marracash.state import Bazaar, Crowd, Dirham, Fountain, Play, Shop, Visitors, paid
from mcmulti.domain.marracash.town import BESIDE, Street, colour_of


class Entering(Struct, frozen=True, gc=False):
    """Customers who enter a shop of `owner`: what they pay, and the commission of the player who brings them.

    `souvenirs`: the cards they also buy there.
    """

    shop: ShopName
    owner: Seat
    customers: Visitors
    income: Dirham
    commission: Dirham
    souvenirs: Cards = ()


class CustomersEntered(Event, frozen=True):
    """Visitors from a fountain entered the shop of `owner` and paid `income`.

    `brought_by`: the seat that led them there, and gets the `commission` of the owner if that is another player; null
    for those who waited next to the shop when it was sold.
    """

    shop: ShopName
    owner: Seat
    fountain: Fountain
    customers: Visitors
    income: Dirham
    brought_by: Seat | None
    commission: Dirham

    def evolve(self, state: Bazaar) -> Bazaar:
        cash = paid(state.cash, self.owner, self.income - self.commission)
        if self.brought_by is not None:
            cash = paid(cash, self.brought_by, self.commission)
        staying = state.group(self.fountain).without(colour_of(self.shop), self.customers)
        return replace(
            state,
            cash=cash,
            groups=state.with_group(self.fountain, staying),
            shops=state.with_shop(self.shop, Shop(self.owner, state.shop(self.shop).customers + self.customers)),
            stirred=True,
        )

    def transfers(self) -> tuple[Transfer, ...]:
        seat = f"seat:{self.owner}"
        return (
            *transfer(f"fountain:{self.fountain}", f"{seat}:customers", "visitors", self.customers, "entering"),
            *transfer(f"shop:{self.shop.lower()}", f"{seat}:cash", "dirham", self.income, "income"),
            *transfer(f"{seat}:cash", f"seat:{self.brought_by}:cash", "dirham", self.commission, "customer_commission"),
        )

    def form(self, say: Phrases) -> Literal["own", "brought", "waiting"]:
        if self.brought_by is None:
            return "waiting"
        return "own" if self.brought_by == self.owner else "brought"


def entering(state: Bazaar, seat: int, street: Street, group: Crowd) -> tuple[Entering, ...]:
    """Which visitors of a group led along a street enter which shops (`customer/enter`), in the order of the shops.

    All of a color enter the first sold shop of that color on the way. Only the income of this shop in this move decides
    the commission, including souvenirs.
    """
    found, busy, shops = [], set(), state.shops
    for name, colour, place in street.passed:
        shop = shops[place]
        if shop.owner is None:
            continue
        number = group.visitors(colour)
        if not number or colour in busy:
            continue
        busy.add(colour)
        taken = income(shop.customers, number)
        cards = souvenirs.bought(state, colour, number) if state.souvenirs else ()
        commission = 0
        if shop.owner != seat:
            spent = [card.dirham for card in cards]
            by_customer = state.setup.commission == "customer"
            commission = (
                commission_by_customer(shop.customers, number, spent)
                if by_customer
                else customer_commission(number, taken + sum(spent))
            )
        found.append(Entering(name, shop.owner, number, taken, commission, cards))
    return tuple(found)


def enter(play: Play, seat: int, fountain: int, customers: tuple[Entering, ...]) -> None:
    """Visitors led to a fountain enter the shops on their way."""
    for each in customers:
        rule = "customer/income" if each.owner == seat else "customer/commission"
        play.record(
            CustomersEntered(each.shop, each.owner, fountain, each.customers, each.income, seat, each.commission), rule
        )
        souvenirs.sell(play, each.owner, each.shop, each.souvenirs)
    souvenirs.turn_over(play)


def take_in_waiting(play: Play, owner: int, name: ShopName) -> None:
    """All visitors of the shop's color who stand next to a newly sold shop enter it (`auction/waiting`)."""
    fountain = BESIDE.get(name)
    number = play.state.group(fountain).visitors(colour_of(name)) if fountain else 0
    if fountain and number:
        taken = income(play.state.shop(name).customers, number)
        play.record(CustomersEntered(name, owner, fountain, number, taken, None, 0), "auction/waiting")
        souvenirs.sell(play, owner, name, souvenirs.bought(play.state, colour_of(name), number))
        souvenirs.turn_over(play)
