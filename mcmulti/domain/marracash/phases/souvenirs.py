"""The souvenir cards: two are open, and customers of their color buy them in the shops that they enter."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.marracash.components import OPEN_SOUVENIRS, Colour, ShopName
from mcmulti.domain.marracash.state import Bazaar, Dirham, Play, Souvenir, paid

Cards = Annotated[tuple[Souvenir, ...], Meta(max_length=OPEN_SOUVENIRS)]


class SouvenirsTurnedOver(Event, frozen=True):
    """Cards of the pile were turned over and are open.

    `souvenirs`: which. `draws`: how they were chosen. Each was drawn from those that had never been open, in the order
    of their colors and of what they bring.
    """

    souvenirs: Cards
    draws: Annotated[tuple[Draw, ...], Meta(max_length=OPEN_SOUVENIRS)]

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(
            state,
            souvenirs=(*state.souvenirs, *self.souvenirs),
            unseen=tuple(card for card in state.unseen if card not in self.souvenirs),
            draws=self.draws[-1].number,
        )


class SouvenirSold(Event, frozen=True):
    """A customer who entered the shop of `owner` bought a souvenir there."""

    shop: ShopName
    owner: Seat
    dirham: Dirham
    colour: Colour

    def evolve(self, state: Bazaar) -> Bazaar:
        sold = Souvenir(self.colour, self.dirham)
        left = tuple(card for card in state.souvenirs if card != sold)
        return replace(state, cash=paid(state.cash, self.owner, self.dirham), souvenirs=left)

    def transfers(self) -> tuple[Transfer, ...]:
        return transfer(f"shop:{self.shop.lower()}", f"seat:{self.owner}:cash", "dirham", self.dirham, "souvenirs")


def bought(state: Bazaar, colour: Colour, customers: int) -> tuple[Souvenir, ...]:
    """What N customers of a color buy of the open cards, one card each, the most expensive first (`souvenirs/sale`)."""
    fitting = [card for card in state.souvenirs if card.colour == colour]
    return tuple(sorted(fitting, key=lambda card: -card.dirham)[:customers])


def sell(play: Play, owner: int, shop: ShopName, cards: tuple[Souvenir, ...]) -> None:
    """The owner of a shop sells these cards to visitors who entered it."""
    for card in cards:
        play.record(SouvenirSold(shop, owner, card.dirham, card.colour), "souvenirs/sale")


def turn_over(play: Play) -> None:
    """Fill up the open cards, as long as there are any (`souvenirs/open`)."""
    state = play.state
    if state.setup.souvenirs == "none":
        return
    left = list(state.unseen)
    cards: list[Souvenir] = []
    draws: list[Draw] = []
    while left and len(state.souvenirs) + len(cards) < OPEN_SOUVENIRS:
        draws.append(play.draw(len(left)))
        cards.append(left.pop(draws[-1].value - 1))
    if cards:
        play.record(SouvenirsTurnedOver(tuple(cards), tuple(draws)), "souvenirs/open")
