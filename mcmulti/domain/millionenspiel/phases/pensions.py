"""Pension cards: bought before a stake, paid whenever the pawn reaches or passes the arrow."""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import astuple, replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import MOST, Count, Seat
from mcmulti.domain.core.offers import NumberChoice, Offer
from mcmulti.domain.millionenspiel.components import CARDS, PRICES, Card
from mcmulti.domain.millionenspiel.pieces import BANK, KINDS, NOTHING, VALUES, Pieces, fewest, moved, purse
from mcmulti.domain.millionenspiel.state import Amount, Millionenspiel, Play, given, with_player

Paid = Annotated[int, Meta(ge=0, le=MOST, description="Pieces of a kind that are paid.")]


class BuyPension(Command, frozen=True):
    """Buy the next pension card, for exactly these pieces (`pension/buy`)."""

    ones: Paid = 0
    tens: Paid = 0
    hundreds: Paid = 0
    thousands: Paid = 0
    ten_thousands: Paid = 0


class PensionBought(Event, frozen=True):
    """A player bought a pension card, and paid these pieces; the old one went back."""

    seat: Seat
    pension: Card
    price: Amount
    pieces: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        player = state.players[self.seat]
        bought = replace(player, purse=player.purse - self.pieces, pension=self.pension)
        return replace(with_player(state, self.seat, bought), bought=True)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(purse(self.seat), BANK, self.pieces, "pension_card")


class PensionPaid(Event, frozen=True):
    """A player was paid a pension, `times` in one move; `pieces` are all of them together (`pension/pay`)."""

    seat: Seat
    pension: Card
    times: Count
    pieces: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return given(state, self.seat, self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(BANK, purse(self.seat), self.pieces, "pension")

    def form(self, say: object) -> Literal["once", "often"]:
        return "once" if self.times == 1 else "often"


def offers(state: Millionenspiel) -> tuple[Offer, ...]:
    """The next card: one offer for each way to pay exactly with the player's own pieces (`pension/buy`)."""
    player = state.players[state.waiting[0]]
    if player.pension == CARDS[-1]:
        return _none(CARDS[-1], "best_pension")
    card = next_card(player.pension)
    if state.bought:
        return _none(card, "one_card")
    return tuple([_offer(card, pieces) for pieces in payments(player.purse, PRICES[card])]) or _none(
        card, "exact_price"
    )


def payments(purse: Pieces, price: int) -> tuple[Pieces, ...]:
    """Every choice of pieces from a purse that equals the price, those with the highest pieces first."""
    return tuple([Pieces(*counts) for counts in _ways(purse.counts, price)]) if purse.worth >= price else ()


def _ways(counts: tuple[int, ...], price: int) -> Iterator[tuple[int, ...]]:
    """Like `payments`, with these counts of the lowest kinds."""
    if not counts:
        if not price:
            yield ()
        return
    *lower, number = counts
    value = VALUES[len(lower)]
    reached = sum(count * each for count, each in zip(lower, VALUES, strict=False))
    least = max(0, -((reached - price) // value))
    for paid in range(min(number, price // value), least - 1, -1):
        for rest in _ways(tuple(lower), price - paid * value):
            yield *rest, paid


def next_card(card: Card) -> Card:
    """The card after this one. Raises IndexError for the last."""
    return CARDS[CARDS.index(card) + 1]


def _offer(card: Card, pieces: Pieces, blocked_by: str | None = None) -> Offer:
    kinds = [kind for kind, value in KINDS.items() if value <= max(PRICES.values())]
    fields = {kind: NumberChoice((number,), "exact_price") for kind, number in zip(kinds, pieces.counts, strict=False)}
    return Offer("BuyPension", "pension/buy", {**fields}, PRICES[card], blocked_by)


@cache
def _none(card: Card, blocked_by: str) -> tuple[Offer, ...]:
    """The offer of a card that cannot be bought."""
    return (_offer(card, NOTHING, blocked_by),)


def buy_pension(play: Play, seat: int, command: BuyPension, offer: Offer) -> None:
    card = next_card(play.state.players[seat].pension)
    play.record(PensionBought(seat, card, offer.cost, Pieces(*astuple(command))), offer.rule)


def pay(play: Play, times: int, rule: str = "pension/pay") -> None:
    """Pay everybody's pension, in hand; each pension in the fewest pieces."""
    if times:
        for seat, player in enumerate(play.state.players):
            play.record(PensionPaid(seat, player.pension, times, fewest(player.pension) * times), rule)
