"""Questions to seats in others' turns, at tables with standing instructions: when they are answered, whoever does.

Nobody shall tell from the time an answer takes whether an instruction gave it or a person. So both are given at the
same moment, which is noted before anybody is asked, instructed or not; and both go the same way into the log.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from secrets import randbelow
from typing import Any

from mcmulti.domain.core.every_table import ASIDE
from mcmulti.domain.core.leaving import Resign
from mcmulti.events.positions import Position
from mcmulti.referee.ruling import Ruling

BLUR = 500
"""Milliseconds by which an answer comes later at most, at random: more than how long any way into the log takes."""
EARLY = timedelta(milliseconds=50)
"""How much sooner than at its moment a timer may wake who waits for it."""


def asks(before: Position, ruling: Ruling) -> bool:
    """Whether a ruling led to a question that was not asked before."""
    flow = before.ruleset.flow
    asked = flow.question(ruling.position.state)
    return asked is not None and asked != flow.question(before.state)


def answered_at(ruling: Ruling) -> datetime:
    """When the question is answered that a ruling led to."""
    seconds = ruling.position.state.setup.instructions
    return ruling.events[-1].recorded_at + timedelta(seconds=seconds, milliseconds=randbelow(BLUR))


def answers(position: Position, seat: int | None, commands: Sequence[Any]) -> bool:
    """Whether this is an answer to the question that the game asks: not only what a seat may do at any time."""
    asked = position.ruleset.flow.question(position.state)
    return (
        asked is not None
        and asked[1] == seat
        and not all(isinstance(command, (*ASIDE, Resign)) for command in commands)
    )
