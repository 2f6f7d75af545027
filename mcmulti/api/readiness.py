"""Whether a server can play: whether the database takes what every command writes.

Whoever asks shares one look with all others who ask, and with those who asked a moment ago: however many requests there
are, the database is asked once a second at most.
"""

import asyncio
from contextlib import suppress

from mcmulti.events.ports.errors import LogError, LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.metrics import WRITES_FAIL

AGE = 1.0
"""Seconds for which what was found holds."""
PERIOD = 5.0
"""Seconds between two looks where nobody asks."""


class ReadinessProbe:
    """Looks whether a log can be written to."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._looking: asyncio.Task[None] | None = None
        self._looked = -AGE
        self._fault: str | None = None

    async def check(self) -> None:
        """Return if the log can be written to; raises `LogUnavailable` if not."""
        if self._looking is None and asyncio.get_running_loop().time() - self._looked >= AGE:
            self._looking = asyncio.create_task(self._look())
        if self._looking is not None:
            await asyncio.shield(self._looking)
        if self._fault is not None:
            raise LogUnavailable(self._fault)

    async def run(self) -> None:
        """Look again and again, for those who only read metrics."""
        while True:
            with suppress(LogUnavailable):
                await self.check()
            await asyncio.sleep(PERIOD)

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
