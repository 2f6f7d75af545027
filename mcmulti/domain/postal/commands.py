"""Commands that seats send, and those that the server sends when time is up."""

from typing import ClassVar, Literal

from mcmulti.domain.core.capabilities.rounds import Round
from mcmulti.domain.core.commands import Command, Place
from mcmulti.domain.core.offers import Offer, Range
from mcmulti.domain.postal.sheets.sheet import OrderSheet


class SubmitOrders(Command, frozen=True):
    """Send an order sheet for a round, replacing one sent for it before (`postal/orders`).

    `round`: the one it is for: this one, or a later one once the sheet for this one is in (`postal/later`). `sheet`:
    the orders.
    """

    round: Round
    sheet: OrderSheet

    @staticmethod
    def form(offer: Offer) -> Literal["this", "later"]:
        return _when(offer)


class SetStanding(Command, frozen=True):
    """Send a sheet that applies to a round and all after it, until another standing sheet is sent (`postal/standing`).

    `round`: the first it is for: this one, or a later one once the sheet for this one is in (`postal/later`). `sheet`:
    the orders.
    """

    round: Round
    sheet: OrderSheet

    @staticmethod
    def form(offer: Offer) -> Literal["this", "later"]:
        return _when(offer)


def _when(offer: Offer) -> Literal["this", "later"]:
    return "later" if isinstance(offer.fields["round"], Range) else "this"


class HoldRound(Command, frozen=True):
    """Hold or release the round. While anybody holds it, it is refereed only at the deadline (`postal/orders`).

    `round`: which one; any other is refused. `hold`: whether to hold it.
    """

    place: ClassVar[Place | None] = "aside"

    round: Round
    hold: bool

    @staticmethod
    def form(offer: Offer) -> Literal["on", "off"]:
        return "on" if offer.fields["hold"].admits(True) else "off"


class WithdrawOrders(Command, frozen=True):
    """Take back the sheet sent for a round, as if none had been sent for it (`postal/orders`).

    `round`: this one, or a later one. For a later one, a standing sheet then applies again, if there is one; for this
    one no sheet applies.
    """

    round: Round

    @staticmethod
    def form(offer: Offer) -> Literal["this", "several"]:
        return "this" if offer.fields["round"].forced else "several"


class EndStanding(Command, frozen=True):
    """End the standing orders; the sheet for this round stays as it is (`postal/standing`).

    `round`: the one that waits for orders; any other is refused.
    """

    round: Round


class CloseRound(Command, frozen=True):
    """Referee the round: its deadline has passed (`postal/orders`)."""

    round: Round


WEIGHTS = {"HoldRound": 5, "WithdrawOrders": 5, "SetStanding": 5, "EndStanding": 5}
"""Players who hold rounds or withdraw sheets at random keep everybody waiting."""
