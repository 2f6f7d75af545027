"""The scheduler of deadlines and of answers by standing instructions: what the server sends of itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from secrets import randbelow
from uuid import UUID

import structlog

from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict, LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.timekeeping import Question
from mcmulti.metrics import (
    CONFLICTS,
    DATABASE_AWAY,
    DEADLINE_OVERDUE,
    DEADLINES_KEPT,
    DEADLINES_OVERDUE,
)
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Refused, Request, Ruling
from mcmulti.supervision import supervised
from mcmulti.tracing import span

PERIOD = 1.0
"""Seconds between two searches."""
AT_ONCE = 100
"""The most games handled at a time."""
AHEAD = timedelta(seconds=1.5)
"""How long in advance questions and deadlines are searched for: longer than the time between two searches."""
APART = 400
"""Milliseconds after a deadline within which servers act on it, each at a random moment, so that one is first."""
QUESTIONS = 1000
"""The most questions handled at a time."""
EARLY = timedelta(milliseconds=50)
"""How much too early a timer may fire."""

_log = structlog.get_logger(__name__)


class DeadlineScheduler:
    """Handles the deadlines of a log's games. Several servers may each have one: the log decides who was first."""

    def __init__(self, referee: Referee, log: Log) -> None:
        self._referee = referee
        self._log = log
        self._stuck: set[UUID] = set()
        self._waiting = False
        self._answering: dict[UUID, asyncio.Task[None]] = {}
        self._coming: dict[UUID, asyncio.Task[None]] = {}

    async def watch_questions(self) -> None:
        """Let instructions answer questions in others' turns, each at its moment. Raises `LogUnavailable`.

        Nodes that are down do not delay the questions of others; `run_due` reports them.
        """
        for at, game_id in await self._log.unanswered(self._referee.clock() + AHEAD, QUESTIONS, away=set()):
            if game_id not in self._answering:
                self._answering[game_id] = asyncio.create_task(self._answer(game_id, at))

    async def _answer(self, game_id: UUID, at: datetime) -> None:
        try:
            await asyncio.sleep(max(0.0, (at - self._referee.clock()).total_seconds()))
            await answer(self._referee, game_id)
        except LogUnavailable:
            pass  # the next search finds it again
        except Exception as error:  # a fault in one game must not affect others
            _log.error("a game has no default answer", game_id=str(game_id), exc_info=error)
            with suppress(LogUnavailable):
                await self._log.close_question(game_id, Question(at, True))
        finally:
            del self._answering[game_id]

    async def run_due(self) -> int:
        """Let games go on whose deadline has passed, at most `AT_ONCE`. Returns how many did. Prepares those that come
        next.

        A game that cannot go on is logged once, and does not hold up others. Raises `LogUnavailable`, after games on
        nodes that answer went on.
        """
        went_on = 0
        await self._referee.time.keep_time()
        now = self._referee.clock()
        away: set[str] = set()
        silent: dict[int, LogUnavailable] = {}
        found = await self._log.due(now + AHEAD, AT_ONCE + len(self._stuck), away)
        due = [one for one in found if one.at <= now]
        DEADLINES_OVERDUE.set(len(due))
        DEADLINE_OVERDUE.set((now - due[0].at).total_seconds() if due else 0)
        for at, game_id in found[len(due) :]:
            if game_id not in self._coming:
                self._coming[game_id] = asyncio.create_task(self._come(game_id, at))
        for _, game_id in due:
            node = self._log.node_of(game_id)
            if node in silent:
                continue
            try:
                went_on += await self._go_on(game_id)
            except LogUnavailable as error:
                silent[node] = error
        for unanswered in silent.values():
            raise unanswered
        if away:
            raise LogUnavailable(f"of the database {', '.join(sorted(away))} is away")
        return went_on

    async def _go_on(self, game_id: UUID) -> bool:
        """Let a game go on whose deadline has passed. Returns whether it did. Raises `LogUnavailable`."""
        try:
            with span("deadline", game_id=str(game_id)):
                ruling = await time_out(self._referee, game_id)
        except LogUnavailable:
            raise
        except Exception as error:  # a fault in one game must not affect others
            if game_id not in self._stuck:
                _log.error("a game cannot go on at its deadline", game_id=str(game_id), exc_info=error)
            self._stuck.add(game_id)
            return False
        self._stuck.discard(game_id)
        if ruling is None:
            return False
        DEADLINES_KEPT.inc()
        _log.info("a deadline is reached", game_id=str(game_id), **ruling.line())
        return True

    async def _come(self, game_id: UUID, at: datetime) -> None:
        """Wait for a game's next deadline, and let the game go on."""
        try:
            left = (at - self._referee.clock()).total_seconds()
            await asyncio.sleep(max(0.0, left) + randbelow(APART) / 1000)
            await self._referee.time.keep_time(game_id)  # this process may have slept for longer
            await self._go_on(game_id)
        except LogUnavailable:
            pass  # the next search finds it
        finally:
            del self._coming[game_id]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Search once a second while the block runs."""
        task = asyncio.create_task(supervised("deadlines", self._run))
        try:
            yield
        finally:
            while tasks := [each for each in self._tasks(task) if not each.done()]:
                for each in tasks:  # repeatedly, since the database driver can lose a cancellation
                    each.cancel()
                await asyncio.wait(tasks, timeout=PERIOD)

    def _tasks(self, task: asyncio.Task[None]) -> list[asyncio.Task[None]]:
        return [task, *self._answering.values(), *self._coming.values()]

    async def _run(self) -> None:
        while True:
            behind = False
            try:
                await self.watch_questions()
                behind = await self.run_due() >= AT_ONCE
                if self._waiting:
                    _log.info("deadlines are kept again")
                self._waiting = False
                DATABASE_AWAY.set(0)
            except Exception as error:  # whatever it is, the next search may succeed
                if not self._waiting:
                    unexpected = None if isinstance(error, LogUnavailable) else error
                    _log.warning("deadlines are delayed", reason=str(error), exc_info=unexpected)
                self._waiting = True
                DATABASE_AWAY.set(isinstance(error, LogUnavailable))
            if not behind:
                await asyncio.sleep(PERIOD)


async def time_out(referee: Referee, game_id: UUID) -> Ruling | None:
    """Let a game whose deadline has passed go on without those it waits for.

    Returns None if there is no need: another server may have been faster. Raises `UnknownGame`, and `Refused` if the
    rules do not allow it.
    """
    game = await referee.hand(game_id)
    async with game.turn:
        await referee.settle(game)
        position = await referee.position(game_id)
        logged = await referee.log.game(game_id)
        deadlines = game.terms.deadlines
        over = logged.deadline is not None and logged.deadline <= referee.clock()
        if deadlines is None or not over or logged.head != position.head:
            return None
        request = Request(None, [deadlines.timeout(position.state)])
        try:
            return await referee.append(game, await referee.decide(game, position, request))
        except Conflict:
            CONFLICTS.inc()
            return None


async def answer(referee: Referee, game_id: UUID) -> Ruling | None:
    """Let an instruction answer the game's question, if one is on; None if none does.

    Raises `UnknownGame`, `DamagedGame`, and `LogUnavailable`.
    """
    game = await referee.hand(game_id)
    async with game.turn:
        await referee.settle(game)
        position = await referee.position(game_id)
        questions, state = game.terms.questions, position.state
        question = await referee.log.question(game_id)
        if question is None or not question.open or question.answer_at > referee.clock() + EARLY:
            return None
        asked = None if questions is None else questions.asked(state)
        ruling, command = None, None if questions is None else questions.answer(state)
        if command is not None and asked is not None:
            player = Player(UUID(state.player_ids[asked[1]]), "")
            request = Request(player, [command], (position.head,), instructed=True)
            try:
                ruling = await referee.append(game, await referee.decide(game, position, request))
            except Refused:  # its time is up
                ruling = None
            except Conflict:
                CONFLICTS.inc()
                return None
        if ruling is None or questions is None or questions.asked(ruling.position.state) is None:
            await referee.log.close_question(game_id, question)
        return ruling
