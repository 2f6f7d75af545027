"""How a game by post flows: the table, rounds that wait for sheets, the end."""

from collections.abc import Sequence

from mcmulti.domain.core.capabilities.leaving import Leaving
from mcmulti.domain.core.capabilities.length import Length
from mcmulti.domain.core.capabilities.votes import Votes
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Offer, Rejection
from mcmulti.domain.core.rounds import Pace
from mcmulti.domain.postal import commands, refereeing
from mcmulti.domain.postal.commands import Command
from mcmulti.domain.postal.ending import finish
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.refereeing import SEALED, OrdersSubmitted
from mcmulti.domain.postal.refusals import too_large
from mcmulti.domain.postal.sheet import OrderSheet
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.table import start_game

HOUR = 3600
"""Seconds."""


def _offers(state: State, seat: int | None, complete: bool) -> tuple[Offer, ...]:
    return refereeing.offers_closing(state) if seat is None else refereeing.offers(state, seat)


def _line(command: Command, rejection: Rejection) -> Rejection:
    """Says besides which line of a sheet is the first beyond its limits."""
    if rejection.field == "sheet" and isinstance(command, commands.SubmitOrders | commands.SetStanding):
        return too_large(command.sheet) or rejection
    return rejection


FLOW: GameFlow[State] = GameFlow(
    capabilities=(Leaving(), Votes(), Length(longest=20_000)),
    limits=LIMITS,
    carriers={
        commands.StartGame: start_game,
        commands.SubmitOrders: refereeing.submit_orders,
        commands.WithdrawOrders: refereeing.withdraw_orders,
        commands.SetStanding: refereeing.set_standing,
        commands.EndStanding: refereeing.end_standing,
        commands.HoldRound: refereeing.hold_round,
    },
    automatic={commands.CloseRound: refereeing.close_round},
    offers={"orders": _offers},
    steps={"orders": refereeing.referee_if_complete},
    round=lambda state: state.round,
    finish=finish,
    anybody=True,
    precise=_line,
)


def pace(state: State) -> Pace | None:
    """How long the game waits for the sheets of this round (`postal/deadline`)."""
    if state.phase != "orders":
        return None
    hours = state.setup.round_hours
    return Pace((state.round,), hours * HOUR, (hours + state.setup.grace_hours) * HOUR)


def timeout(state: State) -> Command:
    """The command that closes the round."""
    return commands.CloseRound(state.round)


def sealed(state: State, event: OrdersSubmitted, seat: int | None) -> bool:
    """A sheet, whatever became of it, is its owner's alone until the game is over (`postal/orders`)."""
    return state.phase != "over" and event.seat != seat


def stand_in(types: Sequence[str], seat: int | None) -> OrdersSubmitted | None:
    """What to fold for a sealed event: a sheet is in, and says nothing. None if it is nobody's."""
    return None if seat is None else OrdersSubmitted(seat, SEALED, OrderSheet(), "0" * 32)
