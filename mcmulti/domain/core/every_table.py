"""What is the same at the tables of all games, and what besides at those that ask one seat at a time."""

from collections.abc import Callable, Mapping
from typing import Any

from mcmulti.domain.core import clocks, instructions, leaving, starting, table, takeback, unasked
from mcmulti.domain.core.clocks import GrantTime, UseBank
from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course import Course
from mcmulti.domain.core.leaving import AnswerEnd, ProposeEnd
from mcmulti.domain.core.offers import Offer

EVENTS = (table, starting, unasked, leaving)
"""The modules that define the events of every table."""

EVENTS_IN_TURN = (*EVENTS, clocks, takeback)
"""Those of tables that ask one seat at a time."""

LIMITS = (*table.LIMITS, *starting.LIMITS, *leaving.LIMITS, *instructions.LIMITS)
"""What keeps people from something at every table."""

LIMITS_IN_TURN = (*LIMITS, *clocks.LIMITS, *takeback.LIMITS)
"""What does at tables that ask one seat at a time."""

ASIDE: tuple[type[Command], ...] = (
    UseBank,
    GrantTime,
    ProposeEnd,
    AnswerEnd,
    *takeback.COMMANDS,
    instructions.Instructs,
)
"""Commands that are no moves: the game does not go on by them."""

_ABOUT_THE_TABLE: tuple[type[Command], ...] = (TakeSeat, LeaveSeat, StartGame, starting.AgreeToStart, leaving.Resign)
UNDECIDED = (*ASIDE, *_ABOUT_THE_TABLE)
"""Commands that decide nothing in a game that is played, in every rule set."""


def _sit_down(course: Course[Any], seat: int | None, command: TakeSeat, offer: Offer) -> None:
    """Before the start on a free seat, later on one that was left."""
    carrier = table.take_seat if course.state.phase == "seating" else leaving.sit_down
    carrier(course, seat, command, offer)


CARRIERS: Mapping[type[Command], Callable[[Any, Any, Any, Offer], None]] = {
    TakeSeat: _sit_down,
    LeaveSeat: table.leave_seat,
}
"""What carries out commands that are the same everywhere."""
