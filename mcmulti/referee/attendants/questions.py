"""Questions to seats in others' turns, at tables with standing instructions: when they are answered, whoever does.

Nobody shall tell from the time an answer takes whether an instruction gave it or a person. So both are given at the
same moment, which is noted before anybody is asked, instructed or not; and both go the same way into the log. An answer
of several commands has a moment for each of them, and a person who answers sends them one by one.
"""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from secrets import randbelow
from uuid import UUID

from mcmulti.domain.core.course.standing import Standing
from mcmulti.domain.core.course.terms import Terms
from mcmulti.events.log.positions import Position, seat_among
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.timekeeping import Question
from mcmulti.referee.attendants.attendant import AtTable, Attendant, Decided
from mcmulti.referee.ruling import Refused, Request, Stale, judge

BLUR = 500_000
"""Microseconds by which an answer comes later at most, at random: more than how long any way into the log takes, and as
fine as what the log records, so that no digit of that shows which way an answer took."""


class AnswerKeeper(Attendant):
    """Lets answers wait for their moment, and notes when that is."""

    def __init__(
        self, log: Log, clock: Callable[[], datetime], position: Callable[[UUID], Awaitable[Position]]
    ) -> None:
        self._log = log
        self._clock = clock
        self._position = position

    def attends(self, terms: Terms) -> bool:
        return terms.questions is not None

    async def hold(self, game: AtTable, game_id: UUID, request: Request) -> None:
        """Wait until an answer may be given; what would be refused does not wait.

        No instruction answers what a person answers. Whoever is held and goes away has answered nothing.
        """
        position = await self._position(game_id)
        before = game.terms.standing(position.state, position.head.seq)
        if not _answers(game, position, before, request):
            return
        question = await self._log.question(game_id)
        if question is None or question.answer_at <= self._clock():
            return
        try:
            judge(position, before, request, None, self._clock())
        except (Refused, Stale):
            return
        await self._log.close_question(game_id, question)
        await asyncio.sleep((question.answer_at - self._clock()).total_seconds())

    async def admit(self, game: AtTable, position: Position, before: Standing, request: Request, now: datetime) -> None:
        """Refuse an answer of several commands, which no instruction gives at once."""
        _answers(game, position, before, request)

    async def note(self, game: AtTable, decided: Decided, stands: TableRow) -> TableRow:
        """Note what is asked now: a new question, or what is left of the last one after a part of the answer.

        Each command of an answer has a moment of its own. What a person has begun to answer no instruction goes on
        with.
        """
        position, before, ruling, after, request, *_ = decided
        questions = game.terms.questions
        seconds = None if questions is None else questions.after(before.state)
        anew = after.question != before.question
        if after.question is None or seconds is None:
            return stands
        if anew or request.instructed or _answers(game, position, before, request):
            at = ruling.events[-1].recorded_at + timedelta(seconds=seconds, microseconds=randbelow(BLUR))
            await self._log.ask(position.game_id, Question(at, anew or request.instructed))
        return stands


def _answers(game: AtTable, position: Position, before: Standing, request: Request) -> bool:
    """Whether one of the commands answers the question that the game asks: what a seat may do at any time does not.

    Raises `Refused` for several, which no instruction gives at once.
    """
    questions, question, player = game.terms.questions, before.question, request.player
    if questions is None or question is None or player is None:
        return False
    if question[1] != seat_among(before.players, player.player_id):
        return False
    given = [index for index, command in enumerate(request.commands) if questions.given(command)]
    if len(given) > 1:
        raise Refused(questions.one_by_one.rejection(), given[1], position)
    return bool(given)
