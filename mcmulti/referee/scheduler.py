"""The scheduler of deadlines: games that wait for players go on when their deadline has come."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from secrets import randbelow
from uuid import UUID

import structlog

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.timekeeping import Question
from mcmulti.metrics import (
    DATABASE_AWAY,
    DEADLINE_OVERDUE,
    DEADLINES_KEPT,
    DEADLINES_OVERDUE,
)
from mcmulti.referee.automatic import answer, time_out
from mcmulti.referee.referee import Referee
from mcmulti.supervision import supervised
from mcmulti.tracing import span

PERIOD = 1.0
"""Seconds between two looks at the clock."""
AT_ONCE = 100
"""Games that are looked after at a time."""
AHEAD = timedelta(seconds=1.5)
"""How long before their moment questions and deadlines are looked for: longer than from one look to the next."""
APART = 400
"""Milliseconds after a deadline within which servers act on it, each at a moment of its own, so that one is first."""
QUESTIONS = 1000
"""Questions that are looked after at a time."""

_log = structlog.get_logger(__name__)


class DeadlineScheduler:
    """Looks after the deadlines of a log's games. Several servers may have one each: the log decides who was first."""

    def __init__(self, referee: Referee, log: Log) -> None:
        self._referee = referee
        self._log = log
        self._stuck: set[UUID] = set()
        self._waiting = False
        self._answering: dict[UUID, asyncio.Task[None]] = {}
        self._coming: dict[UUID, asyncio.Task[None]] = {}

    async def watch_questions(self) -> None:
        """Let instructions answer what is asked in others' turns, each at its moment. Raises `LogUnavailable`.

        Nodes that are away keep no question of others waiting; `run_due` tells of them.
        """
        for at, game_id in await self._log.unanswered(self._referee.clock() + AHEAD, QUESTIONS, away=set()):
            if game_id not in self._answering:
                self._answering[game_id] = asyncio.create_task(self._answer(game_id, at))

    async def _answer(self, game_id: UUID, at: datetime) -> None:
        try:
            await asyncio.sleep(max(0.0, (at - self._referee.clock()).total_seconds()))
            await answer(self._referee, game_id)
        except LogUnavailable:
            pass  # the next look finds it again
        except Exception as error:  # whatever is wrong with a game is wrong with that game only
            _log.error("nothing answers the question of a game", game_id=str(game_id), exc_info=error)
            with suppress(LogUnavailable):
                await self._log.close_question(game_id, Question(at, True))
        finally:
            del self._answering[game_id]

    async def run_due(self) -> int:
        """Let games go on whose deadline has come, `AT_ONCE` at most; how many did. Those of the next moment follow.

        A game that cannot go on is told to the operator once, and holds up no other. Raises `LogUnavailable`, after
        games on nodes that answer went on.
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
        """Let a game go on whose deadline has come; whether it did. Raises `LogUnavailable`."""
        try:
            with span("deadline", game_id=str(game_id)):
                ruling = await time_out(self._referee, game_id)
        except LogUnavailable:
            raise
        except Exception as error:  # whatever is wrong with a game is wrong with that game only
            if game_id not in self._stuck:
                _log.error("a game cannot go on at its deadline", game_id=str(game_id), exc_info=error)
            self._stuck.add(game_id)
            return False
        self._stuck.discard(game_id)
        if ruling is None:
            return False
        DEADLINES_KEPT.inc()
        _log.info("a deadline has come", game_id=str(game_id), **ruling.line())
        return True

    async def _come(self, game_id: UUID, at: datetime) -> None:
        """Let a game go on at its deadline, which is about to come."""
        try:
            left = (at - self._referee.clock()).total_seconds()
            await asyncio.sleep(max(0.0, left) + randbelow(APART) / 1000)
            await self._referee.time.keep_time(game_id)  # this process may have slept for longer
            await self._go_on(game_id)
        except LogUnavailable:
            pass  # the next look finds it
        finally:
            del self._coming[game_id]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look at the clock once a second, as long as the block."""
        task = asyncio.create_task(supervised("deadlines", self._run))
        try:
            yield
        finally:
            while tasks := [each for each in self._tasks(task) if not each.done()]:
                for each in tasks:  # again and again: the database driver may lose a cancellation
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
            except Exception as error:  # whatever it is, the next look may go through
                if not self._waiting:
                    unexpected = None if isinstance(error, LogUnavailable) else error
                    _log.warning("deadlines have to wait", reason=str(error), exc_info=unexpected)
                self._waiting = True
                DATABASE_AWAY.set(isinstance(error, LogUnavailable))
            if not behind:
                await asyncio.sleep(PERIOD)
