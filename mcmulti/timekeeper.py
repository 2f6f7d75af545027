"""The timekeeper: games that wait for players go on when their deadline has come."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import structlog

from mcmulti.events.log import Log, LogError
from mcmulti.referee import Referee, Refused

PERIOD = 1.0
"""Seconds between two looks at the clock."""
AT_ONCE = 100
"""Games that are looked after at a time."""

_log = structlog.get_logger(__name__)


class Timekeeper:
    """Looks after the deadlines of a log's games. Several servers may have one each: the log decides who was first."""

    def __init__(self, referee: Referee, log: Log, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._referee = referee
        self._log = log
        self._clock = clock

    async def look(self) -> int:
        """Let every game go on whose deadline has come; how many did. Raises `LogError` if the log does not answer."""
        went_on = 0
        for game_id in await self._log.due(self._clock(), AT_ONCE):
            try:
                went_on += await self._referee.time_out(game_id) is not None
            except Refused as refused:
                _log.error("a deadline is refused", game_id=str(game_id), detail=refused.rejection.detail)
        return went_on

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Look at the clock once a second, as long as the block."""
        task = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            while not task.done():  # the database driver may lose a cancellation
                task.cancel()
                await asyncio.wait((task,), timeout=PERIOD)

    async def _watch(self) -> None:
        while True:
            try:
                await self.look()
            except LogError as error:
                _log.warning("deadlines have to wait", reason=str(error))
            await asyncio.sleep(PERIOD)
