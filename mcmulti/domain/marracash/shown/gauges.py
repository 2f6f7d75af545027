"""The gauges of a game: its numbers, who plays, and who won."""

from mcmulti.domain.core.shown.gauges import Gauges, Holding
from mcmulti.domain.marracash.components import income
from mcmulti.domain.marracash.names import COLOURS, SHOPS
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
