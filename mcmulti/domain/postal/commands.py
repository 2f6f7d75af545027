"""Commands: what a seat may ask for, and what the server sends when time is up."""

from typing import Literal

from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.rounds import Round
from mcmulti.domain.postal.sheet import OrderSheet

__all__ = [
    "WEIGHTS",
    "CloseRound",
    "Command",
    "HoldRound",
    "LeaveSeat",
    "StartGame",
    "SubmitOrders",
    "TakeSeat",
    "WithdrawOrders",
]


class SubmitOrders(Command, frozen=True):
    """Send the order sheet for the round; it takes the place of one sent before (`postal/orders`).

    `round`: the one it is for; another one is refused. `sheet`: the orders.
    """

    round: Round
    sheet: OrderSheet


class HoldRound(Command, frozen=True):
    """Hold the round, or no more: while anybody holds it, it is refereed at the deadline only (`postal/orders`).

    `round`: which one; another one is refused. `hold`: whether to.
    """

    round: Round
    hold: bool

    @staticmethod
    def form(offer: Offer) -> Literal["on", "off"]:
        return "on" if offer.fields["hold"].admits(True) else "off"


class WithdrawOrders(Command, frozen=True):
    """Take back the sheet sent for the round, as if none had been sent (`postal/orders`).

    `round`: which one; another one is refused.
    """

    round: Round


class CloseRound(Command, frozen=True):
    """Referee the round: its deadline has passed (`postal/orders`)."""

    round: Round


WEIGHTS = {"HoldRound": 5, "WithdrawOrders": 5}
"""Who holds a round, or takes a sheet back, at a whim keeps everybody waiting."""
