"""The flow of a game by post: the table, rounds that wait for sheets, the end."""

from mcmulti.domain.core.capabilities.house import HouseBots
from mcmulti.domain.core.capabilities.leaving import Leaving
from mcmulti.domain.core.capabilities.length import Length
from mcmulti.domain.core.capabilities.positions import Positions
from mcmulti.domain.core.capabilities.rating import Rating
from mcmulti.domain.core.capabilities.votes import Votes
from mcmulti.domain.core.commands import Command, StartGame
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Offer, Rejection
from mcmulti.domain.postal import commands
from mcmulti.domain.postal.limits import LIMITS, too_large
from mcmulti.domain.postal.refereeing import refereeing
from mcmulti.domain.postal.refereeing.ending import finish
from mcmulti.domain.postal.rounds import ROUNDS, unsealed
from mcmulti.domain.postal.state import State
from mcmulti.domain.postal.table import opening, start_game


def _offers(state: State, seat: int | None, complete: bool) -> tuple[Offer, ...]:
    return refereeing.offers_closing(state) if seat is None else refereeing.offers(state, seat)


def _line(command: Command, rejection: Rejection) -> Rejection:
    """Adds the first line of a sheet that exceeds its limits."""
    if rejection.field == "sheet" and isinstance(command, commands.SubmitOrders | commands.SetStanding):
        return too_large(command.sheet) or rejection
    return rejection


FLOW: GameFlow[State] = GameFlow(
    capabilities=(
        Leaving(),
        HouseBots(),
        Votes(rounds=3),
        ROUNDS,
        Length(longest=20_000),
        Rating(),
        Positions(opening=opening, unsealed=unsealed),
    ),
    limits=LIMITS,
    carriers={
        StartGame: start_game,
        commands.SubmitOrders: refereeing.submit_orders,
        commands.WithdrawOrders: refereeing.withdraw_orders,
        commands.SetStanding: refereeing.set_standing,
        commands.EndStanding: refereeing.end_standing,
        commands.HoldRound: refereeing.hold_round,
    },
    automatic={commands.CloseRound: refereeing.close_round},
    offers={"orders": _offers},
    steps={"orders": refereeing.referee_if_complete},
    finish=finish,
    anybody=True,
    precise=_line,
)
