"""Questions to seats in others' turns, at tables with standing instructions: when they are answered, whoever does.

Nobody shall tell from the time an answer takes whether an instruction gave it or a person. So both are given at the
same moment, which is noted before anybody is asked, instructed or not; and both go the same way into the log. An answer
of several commands has a moment for each of them, and a person who answers sends them one by one.
"""

from collections.abc import Sequence
from datetime import timedelta
from secrets import randbelow
from typing import Any

from mcmulti.domain.core.capabilities.instructions import ONE_BY_ONE
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.timekeeping import Question
from mcmulti.referee.ruling import Decided, Refused

BLUR = 500_000
"""Microseconds by which an answer comes later at most, at random: more than how long any way into the log takes, and as
fine as what the log records, so that no digit of that shows which way an answer took."""
EARLY = timedelta(milliseconds=50)
"""How much sooner than at its moment a timer may wake who waits for it."""


def asked(decided: Decided) -> Question | None:
    """What a ruling asks: a new question, or what is left of the last one after a part of the answer.

    Each command of an answer has a moment of its own. What a person has begun to answer no instruction goes on with.
    """
    before, ruling, questions = decided.before, decided.ruling, decided.before.ruleset.questions
    seconds = None if questions is None else questions.after(before.state)
    if questions is None or seconds is None:
        return None
    question = questions.asked(ruling.position.state)
    anew = question != questions.asked(before.state)
    if question is None or not (anew or decided.answers):
        return None
    at = ruling.events[-1].recorded_at + timedelta(seconds=seconds, microseconds=randbelow(BLUR))
    return Question(at, anew or decided.player is None)


def answers(position: Position, player: Player, commands: Sequence[Any]) -> bool:
    """Whether one of the commands answers the question that the game asks: what a seat may do at any time does not.

    Raises `Refused` for several, which no instruction gives at once.
    """
    questions = position.ruleset.questions
    if questions is None or questions.after(position.state) is None:
        return False
    question = questions.asked(position.state)
    if question is None or question[1] != position.seat_of(player.player_id):
        return False
    given = [index for index, command in enumerate(commands) if questions.given(command)]
    if len(given) > 1:
        raise Refused(ONE_BY_ONE.rejection(), given[1], position)
    return bool(given)
