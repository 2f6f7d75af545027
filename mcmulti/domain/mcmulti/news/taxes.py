"""News that costs money: taxes, and the forced sales that raise them."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, open_offers
from mcmulti.domain.mcmulti.components import NEWS, NewsCard, NewsName
from mcmulti.domain.mcmulti.phases.purchase import selling
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import Due, Play, State
from mcmulti.domain.oil.names import KINDS, Kind, Millions, Seat
from mcmulti.domain.oil.rules.transfers import pay


class TaxLevied(Event, frozen=True):
    """What each player must pay for the news, in the order of payment."""

    card: NewsName
    dues: Annotated[tuple[Due, ...], Meta(max_length=4)]

    def evolve(self, state: State) -> State:
        return replace(state, turn=replace(state.now, dues=self.dues))


class TaxPaid(Event, frozen=True):
    """A player paid what was due, or all it had."""

    seat: Seat
    due: Millions
    paid: Millions

    def evolve(self, state: State) -> State:
        """A player who has nothing left to pay with pays nothing, which is not a change (`table/standstill`)."""
        still = 0 if self.paid else state.still
        return replace(state, players=state.stored(self.seat, -self.paid), turn=state.now.settled, still=still)

    def transfers(self) -> tuple[Transfer, ...]:
        return pay(self.seat, self.paid, "taxes")

    def form(self, say: Phrases) -> Literal["full", "part", "nothing"]:
        if self.paid >= self.due:
            return "full"
        return "part" if self.paid else "nothing"


def levy(play: Play, card: NewsCard) -> None:
    """Everybody with the assets that the card taxes owes for them."""
    dues = tuple(Due(seat, _tax(play.state, seat, card)) for seat in play.state.in_turn_order)
    dues = tuple(due for due in dues if due.amount)
    if dues:
        play.record(TaxLevied(card.name, dues), card.rule)


def _tax(state: State, seat: int, card: NewsCard) -> int:
    """What a player owes by a card: an amount for each piece it has (`news/debt-reduction-tax` and others)."""
    player = state.players[seat]
    assets = sum(number * card.tax.get(kind, 0) for kind, number in state.pieces(seat).items())
    return assets + player.crude * card.tax.get("crude", 0) + player.gasoline * card.tax.get("gasoline", 0)


def offers(state: State, seat: int) -> tuple[Offer, ...]:
    """Sell assets to raise what is due (`forced/sale`)."""
    offers: list[Offer] = []
    sell = state.card.sell
    for kind in KINDS:
        for index in state.quadrants_of(seat):
            standing = state.quadrants[index].standing(kind) if _forced(state.now.card, kind) else 0
            offers.append(selling(sell[kind], kind, index, standing, "forced/sale", "not_forced"))
    return tuple(offers)


def _forced(card: NewsName | None, kind: Kind) -> bool:
    """Whether a kind can be sold: only stations for the sales tax, otherwise anything (`news/state-sales-tax`)."""
    return kind == "station" or card != "state_sales_tax"


def pay_due(play: Play, due: Due) -> bool:
    """Pay what is due, or all there is if it is less. Returns False if assets must be sold for it first."""
    cash, card = play.state.players[due.seat].cash, play.state.now.card
    if cash < due.amount and open_offers(offers(play.state, due.seat)):
        return False
    rule = NEWS[card].rule if card and cash >= due.amount else "forced/sale"
    play.record(TaxPaid(due.seat, due.amount, min(cash, due.amount)), rule)
    return True
