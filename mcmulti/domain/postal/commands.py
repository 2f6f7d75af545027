"""Commands: what a seat may ask for, and what the server sends when time is up."""

from mcmulti.domain.oilfield.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.postal.sheet import OrderSheet
from mcmulti.domain.rounds import Round

__all__ = [
    "AUTOMATIC",
    "LEANINGS",
    "MOVES",
    "CloseRound",
    "Command",
    "HoldRound",
    "LeaveSeat",
    "StartGame",
    "SubmitOrders",
    "TakeSeat",
]


class SubmitOrders(Command, frozen=True):
    """Send the order sheet for the round; it takes the place of one sent before (`postal/orders`).

    `sheet`: the orders.
    """

    sheet: OrderSheet


class HoldRound(Command, frozen=True):
    """Hold the round, or no more: while anybody holds it, it is refereed at the deadline only (`postal/orders`).

    `hold`: whether to.
    """

    hold: bool


class CloseRound(Command, frozen=True):
    """Referee the round: its deadline has passed (`postal/orders`)."""

    round: Round


MOVES: tuple[type[Command], ...] = (LeaveSeat, StartGame, SubmitOrders, HoldRound)
"""What seats send."""

AUTOMATIC: tuple[type[Command], ...] = (CloseRound,)
"""What the server sends."""

LEANINGS = {"HoldRound": 5}
"""Who holds a round at a whim keeps everybody waiting."""
