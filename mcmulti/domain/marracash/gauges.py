"""What can be read off a game: its figures, who plays and who won."""

from mcmulti.domain.core.gauges import Gauges, Holding
from mcmulti.domain.core.outcome import Outcome
from mcmulti.domain.marracash.components import income
from mcmulti.domain.marracash.names import SHOPS
from mcmulti.domain.marracash.state import Bazaar


def gauges(state: Bazaar) -> Gauges:
    """What everybody has, and what the next customer of each sold shop pays. Nothing but cash counts (`end/winner`)."""
    holdings = tuple(
        Holding(seat, {"dirham": cash, "shops": state.owned(seat), "visitors": state.customers(seat)}, None)
        for seat, cash in enumerate(state.cash)
    )
    prices = {
        name.lower(): income(shop.customers, 1) if shop.owner is not None else None
        for name, shop in zip(SHOPS, state.shops, strict=True)
    }
    return Gauges(None, holdings, prices if state.cash else {})


def outcome(state: Bazaar) -> Outcome:
    """Who plays and who won. Nobody declares the end."""
    return Outcome(state.names, state.winners, None)
