"""Whether a server can play: whether the database accepts the kind of write that every command needs.

All requests share one check, which is reused for a moment: the database is asked at most once a second, however many
requests there are.
"""

import asyncio

from mcmulti.events.ports.errors import LogError, LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.metrics import WRITES_FAIL
from mcmulti.supervision import repeated

AGE = 1.0
"""Seconds for which a result is reused."""
PERIOD = 5.0
"""Seconds between two checks without requests."""


class ReadinessProbe:
    """Checks whether a log is writable."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._looking: asyncio.Task[None] | None = None
        self._looked = -AGE
        self._fault: str | None = None

    async def check(self) -> None:
        """Return if the log is writable. Raises `LogUnavailable` if not."""
        if self._looking is None and asyncio.get_running_loop().time() - self._looked >= AGE:
            self._looking = asyncio.create_task(self._look())
        if self._looking is not None:
            await asyncio.shield(self._looking)
        if self._fault is not None:
            raise LogUnavailable(self._fault)

    async def run(self) -> None:
        """Check periodically, for the metrics."""
        await repeated(self.check, PERIOD, LogUnavailable, at_once=True)

    async def _look(self) -> None:
        try:
            await self._log.writable()
            self._fault = None
        except Exception as error:
            self._fault = str(error)
            if not isinstance(error, LogError):
                raise
        finally:
            self._looked, self._looking = asyncio.get_running_loop().time(), None
            WRITES_FAIL.set(self._fault is not None)
