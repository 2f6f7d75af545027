"""What sentences of MarraCash are put together from."""

from collections.abc import Sequence
from itertools import groupby
from typing import cast

from mcmulti.domain.core.offers import Offer, Range
from mcmulti.domain.core.wording import phrases as common
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.marracash.names import Colour, ShopName
from mcmulti.domain.marracash.phases.customers import Entering
from mcmulti.domain.marracash.phases.moves import Prospect
from mcmulti.domain.marracash.phases.souvenirs import Cards
from mcmulti.domain.marracash.state import Bazaar, Crowd, Dirham, Fountain, Souvenir, Visitors


class Phrases(common.Phrases, room=__package__):
    """Phrases in one language, said at a moment of the game."""

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
        """The shop that is put up for auction. Raises `LookupError` where none is."""
        return self._table.now.shop

    def unable_to_raise(self, bidder: int, bid: int) -> str:
        """Who is out because of this bid, and why, but for who passed or left; empty if nobody is."""
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
        """What everybody has, the most first, and last who left."""
        cash = self._table.cash
        seats = sorted(range(len(cash)), key=lambda seat: (not self.plays(seat), -cash[seat]))
        return ", ".join([self.told(seat, self.dirham(cash[seat])) for seat in seats])

    @property
    def _table(self) -> Bazaar:
        if self._state is None:
            raise LookupError("there is no table yet")
        return self._state

    def prospects(self, prospects: Sequence[Prospect]) -> str:
        """Where a group may be led, and what that would bring."""
        parts = [self.prospect(prospect) for prospect in prospects]
        begun, last = parts[:-1], parts[-1]
        return self.phrase("or", begun=", ".join(begun), last=last) if begun else last

    def prospect(self, prospect: Prospect) -> str:
        """A fountain to which a group may be led, and who would enter which shop."""
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
        """What may be bid."""
        bid = cast(Range, offer.fields["bid"])
        if bid.forced:
            return self.dirham(bid.min)
        return self.phrase("bids", least=self.number(bid.min), most=self.dirham(bid.max), step=bid.step)

    def up_to(self, offer: Offer) -> str:
        """Up to how much may be bid."""
        return self.dirham(cast(Range, offer.fields["most"]).max)

    def visitors(self, offer: Offer) -> str:
        """How many visitors may come in."""
        number = cast(Range, offer.fields["visitors"])
        if number.forced:
            return self.phrase("visitor" if number.max == 1 else "visitors", number=self.number(number.max))
        return self.phrase("visitors", number=self.phrase("span", least=number.min, most=number.max))

    def dirham(self, amount: int) -> str:
        """A sum of money."""
        return self.phrase("dirham", amount=self.number(amount))

    def fountain(self, number: int) -> str:
        """A fountain."""
        return self.phrase("fountain", number=number)

    def customers(self, number: int) -> str:
        """So many customers."""
        return self.phrase("customer" if number == 1 else "customers", number=number)

    def crowd(self, crowd: Crowd) -> str:
        """Who stands together, by colour."""
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
        """Visitors in their order; neighbours of one colour together."""
        return ", ".join([self.coloured(colour, len(list(run))) for colour, run in groupby(colours)])

    def coloured(self, colour: Colour, number: int) -> str:
        """So many visitors of a colour."""
        return self.phrase("coloured", number=number, colour=self.word(colour))
