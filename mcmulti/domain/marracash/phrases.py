"""The phrases in sentences of MarraCash."""

from collections.abc import Sequence
from itertools import groupby
from typing import cast

from mcmulti.domain.core.offers import Offer, Range
from mcmulti.domain.core.wording import phrases as common
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.marracash.components import Colour, ShopName
from mcmulti.domain.marracash.phases.customers import Entering
from mcmulti.domain.marracash.phases.moves import Prospect
from mcmulti.domain.marracash.phases.souvenirs import Cards
from mcmulti.domain.marracash.state import Bazaar, Crowd, Dirham, Fountain, Souvenir, Visitors


class Phrases(common.Phrases, room=__package__):
    """Phrases in one language, at one moment of the game."""

    __slots__ = ("_state",)

    SAID = (
        *common.Phrases.SAID,
        (Dirham, "dirham"),
        (Visitors, "number"),
        (Fountain, "fountain"),
        (ShopName, "text"),
        (Crowd, "crowd"),
        (tuple[Crowd, ...], "crowds"),
        (tuple[Colour, ...], "row"),
        (Cards, "souvenirs"),
    )

    def __init__(self, state: Bazaar | None, language: Language) -> None:
        super().__init__(state, language)
        self._state = state

    def shop_put_up(self) -> str:
        """The shop that is up for auction. Raises `LookupError` if there is none."""
        return self._table.now.shop

    def unable_to_raise(self, bidder: int, bid: int) -> str:
        """The players who are out because of this bid, and why, without those who passed or left; empty if none."""
        state = self._table
        auction = state.auction
        passed = () if auction is None else auction.passed
        told = [
            self.phrase("unable", who=self.who(seat), why=self.phrase(f"no_{lacks}"))
            for seat in range(len(state.cash))
            if seat != bidder and seat not in passed and self.plays(seat)
            if (lacks := state.unable_to_raise(seat, bid))
            if auction is None or not state.unable_to_raise(seat, auction.bid)
        ]
        return self.phrase("out", seats=self.listing(told)) if told else ""

    def by_cash(self) -> str:
        """Everybody's cash, the most first, players who left last."""
        cash = self._table.cash
        seats = sorted(range(len(cash)), key=lambda seat: (not self.plays(seat), -cash[seat]))
        return ", ".join([self.told(seat, self.dirham(cash[seat])) for seat in seats])

    @property
    def _table(self) -> Bazaar:
        if self._state is None:
            raise LookupError("there is no table yet")
        return self._state

    def prospects(self, prospects: Sequence[Prospect]) -> str:
        """Where a group can be led, and what that would bring."""
        parts = [self.prospect(prospect) for prospect in prospects]
        begun, last = parts[:-1], parts[-1]
        return self.phrase("or", begun=", ".join(begun), last=last) if begun else last

    def prospect(self, prospect: Prospect) -> str:
        """A fountain to which a group can be led, and who would enter which shop."""
        entering = "; ".join([self.entering(each) for each in prospect.entering]) or self.phrase("nobody")
        return self.phrase("prospect", fountain=self.fountain(prospect.to), entering=entering)

    def entering(self, entering: Entering) -> str:
        """Customers for a shop, and what they bring."""
        customers, income = self.customers(entering.customers), self.dirham(entering.income)
        said = self.phrase("entering", customers=customers, shop=entering.shop, income=income)
        if entering.souvenirs:
            spent = sum(card.dirham for card in entering.souvenirs)
            said = self.phrase("souvenirs", entering=said, dirham=self.dirham(spent))
        if not entering.commission:
            return said
        return self.phrase("shared", entering=said, commission=self.dirham(entering.commission))

    def bids(self, offer: Offer) -> str:
        """The possible bids."""
        bid = cast(Range, offer.fields["bid"])
        if bid.forced:
            return self.dirham(bid.min)
        return self.phrase("bids", least=self.number(bid.min), most=self.dirham(bid.max), step=bid.step)

    def up_to(self, offer: Offer) -> str:
        """The most that can be bid."""
        return self.dirham(cast(Range, offer.fields["most"]).max)

    def visitors(self, offer: Offer) -> str:
        """How many visitors can come in."""
        number = cast(Range, offer.fields["visitors"])
        if number.forced:
            return self.phrase("visitor" if number.max == 1 else "visitors", number=self.number(number.max))
        return self.phrase("visitors", number=self.phrase("span", least=number.min, most=number.max))

    def dirham(self, amount: int) -> str:
        """An amount of money."""
        return self.phrase("dirham", amount=self.number(amount))

    def fountain(self, number: int) -> str:
        """A fountain."""
        return self.phrase("fountain", number=number)

    def customers(self, number: int) -> str:
        """A number of customers."""
        return self.phrase("customer" if number == 1 else "customers", number=number)

    def crowd(self, crowd: Crowd) -> str:
        """Visitors who stand together, by color."""
        return self.listing([self.coloured(colour, number) for colour, number in crowd])

    def souvenirs(self, cards: Sequence[Souvenir]) -> str:
        """Several cards."""
        return self.listing(
            [self.phrase("souvenir", colour=self.word(card.colour), dirham=self.dirham(card.dirham)) for card in cards]
        )

    def crowds(self, crowds: Sequence[Crowd]) -> str:
        """Several groups."""
        return "; ".join([self.crowd(crowd) for crowd in crowds])

    def row(self, colours: Sequence[Colour]) -> str:
        """Visitors in order; neighbors of one color are combined."""
        return ", ".join([self.coloured(colour, len(list(run))) for colour, run in groupby(colours)])

    def coloured(self, colour: Colour, number: int) -> str:
        """A number of visitors of a color."""
        return self.phrase("coloured", number=number, colour=self.word(colour))
