"""The numbers of a game: its gauges; and its tallies, of shops, of moves, and of auctions."""

from typing import Any

from mcmulti.domain.core.ruleset import Tallies
from mcmulti.domain.core.shown.gauges import Columns, Gauges, Holding, Tallied
from mcmulti.domain.marracash.components import COLOURS, SHOPS, income
from mcmulti.domain.marracash.phases.auction import ShopPutUp, ShopSold
from mcmulti.domain.marracash.phases.customers import CustomersEntered
from mcmulti.domain.marracash.phases.moves import GroupMoved
from mcmulti.domain.marracash.phases.souvenirs import SouvenirSold
from mcmulti.domain.marracash.state import Bazaar
from mcmulti.domain.marracash.town import colour_of


def gauges(state: Bazaar) -> Gauges:
    """Everybody's cash, and what the next customer pays in the most expensive shop of each color; None if none is sold.

    Only cash counts (`end/winner`).
    """
    holdings = tuple(
        Holding(seat, {"dirham": cash, "shops": state.owned(seat), "visitors": state.customers(seat)}, None)
        for seat, cash in enumerate(state.cash)
    )
    prices: dict[str, int | None] = dict.fromkeys(COLOURS)
    for name, shop in zip(SHOPS, state.shops, strict=True):
        if shop.owner is not None:
            colour = colour_of(name)
            prices[colour] = max(prices[colour] or 0, income(shop.customers, 1))
    return Gauges(None, holdings, prices if state.cash else {})


COLUMNS: Columns = {
    "shops": ("cost", "customers", "taken", "shared", "gain"),
    "movers": ("moves", "to_own", "to_others", "own_taken", "others_taken", "shared"),
    "auctioneers": ("put_up", "bought", "cost", "sold_to_others", "commission"),
}
"""Dirham, except numbers of customers, moves, and shops."""


def tallied(before: Bazaar, event: Any) -> tuple[Tallied, ...]:
    """What an event adds. The gain of a shop is what it took, without what it shared, minus its cost."""
    match event:
        case ShopPutUp():
            return (Tallied("auctioneers", event.seat, None, {"put_up": 1}),)
        case ShopSold():
            sold = int(event.auctioneer != event.seat)
            return (
                Tallied("shops", event.seat, event.shop.lower(), {"cost": event.price, "gain": -event.price}),
                Tallied("auctioneers", event.seat, None, {"bought": 1, "cost": event.price}),
                Tallied(
                    "auctioneers",
                    event.auctioneer,
                    None,
                    {"sold_to_others": sold, "commission": event.commission},
                ),
            )
        case GroupMoved():
            return (Tallied("movers", event.seat, None, {"moves": 1}),)
        case CustomersEntered():
            return tuple(_entered(event))
        case SouvenirSold():
            figures = {"taken": event.dirham, "gain": event.dirham}
            return (Tallied("shops", event.owner, event.shop.lower(), figures),)
    return ()


def _entered(event: CustomersEntered) -> list[Tallied]:
    """Entering a shop, by the seat that led the visitors; those who waited next to it were led by nobody."""
    customers, taken, shared = event.customers, event.income, event.commission
    figures = {"customers": customers, "taken": taken, "shared": shared, "gain": taken - shared}
    found = [Tallied("shops", event.owner, event.shop.lower(), figures)]
    if event.brought_by == event.owner:
        found.append(Tallied("movers", event.owner, None, {"to_own": customers, "own_taken": taken}))
    elif event.brought_by is not None:
        brought = {"to_others": customers, "others_taken": taken, "shared": shared}
        found.append(Tallied("movers", event.brought_by, None, brought))
    return found


TALLIES: Tallies[Bazaar] = Tallies(columns=COLUMNS, tallied=tallied)
