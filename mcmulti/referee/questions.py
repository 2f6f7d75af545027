"""Questions to seats in others' turns, at tables with standing instructions: when they are answered.

The time of an answer must not reveal whether an instruction or a person gave it. So both are given at the same moment,
which is recorded before the question is asked, instructed or not; and both take the same path into the log. If an
answer has several commands, each has its own moment, and a person sends them one by one.
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
from mcmulti.referee.attendant import Attendant, Decided, GameAtHand
from mcmulti.referee.ruling import Refused, Request, Stale, judge

BLUR = 500_000
"""The most microseconds of random delay of an answer: longer than any path into the log takes, and as fine as the log's
timestamps, so that none of their digits shows which path an answer took.
"""


class AnswerKeeper(Attendant):
    """Delays answers until their moment, and records when that is."""

    def __init__(
        self, log: Log, clock: Callable[[], datetime], position: Callable[[UUID], Awaitable[Position]]
    ) -> None:
        self._log = log
        self._clock = clock
        self._position = position

    def attends(self, terms: Terms) -> bool:
        return terms.questions is not None

    async def hold(self, game: GameAtHand, game_id: UUID, request: Request) -> None:
        """Wait until an answer may be given; refused commands do not wait.

        No instruction answers what a person answers. If the request is canceled meanwhile, the person has not
        answered.
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

    async def admit(
        self, game: GameAtHand, position: Position, before: Standing, request: Request, now: datetime
    ) -> None:
        """Refuse an answer of several commands, which no instruction gives at once."""
        _answers(game, position, before, request)

    async def note(self, game: GameAtHand, decided: Decided, stands: TableRow) -> TableRow:
        """Record what is asked now: a new question, or the rest of the last one after a part of the answer.

        Each command of an answer has its own moment. If a person has begun to answer, no instruction continues.
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


def _answers(game: GameAtHand, position: Position, before: Standing, request: Request) -> bool:
    """Whether one of the commands answers the game's question. What a seat may do at any time does not.

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
