"""The referee's clock: the database's, which all servers share, whatever the machine's clock shows.

Between two answers of the database, elapsed time is added. If the database's clock jumped, following it would close
every round at once, and set the next deadlines years away. So it is ignored until it comes back.
"""

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog

from mcmulti.events.ports.errors import LogError
from mcmulti.events.ports.timekeeping import Timekeeping
from mcmulti.metrics import CLOCK_SKEW
from mcmulti.supervision import repeating

SLEWED = timedelta(seconds=10)
"""How far the database's clock may deviate from the time that passed since the last query."""
SKEWED = timedelta(seconds=1)
"""From this difference between the clocks of machine and database on, log a warning."""
PERIOD = 5.0
"""Seconds between two queries of the database's clock."""

_log = structlog.get_logger(__name__)


def _wall() -> datetime:
    return datetime.now(UTC)


def passed() -> float:
    """Seconds since the machine started, including sleep where the system counts it."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class SteadyClock:
    """Shows the database's time once it is known, and before that the machine's time from the start."""

    def __init__(self, wall: Callable[[], datetime] = _wall, passed: Callable[[], float] = passed) -> None:
        self._wall = wall
        self._passed = passed
        self._then, self._since = wall(), passed()
        self._heard = self._jumped = self._skewed = False

    def __call__(self) -> datetime:
        """The current time."""
        return self._then + timedelta(seconds=self._passed() - self._since)

    async def ask(self, log: Timekeeping) -> None:
        """Query the log's time. Raises `LogUnavailable`."""
        since = self._passed()
        moment = await log.now()
        self.hear(moment, timedelta(seconds=self._passed() - since))

    def hear(self, said: datetime, took: timedelta = timedelta()) -> None:
        """Process the database's time, in an answer that took this long and just arrived.

        It is accurate to half of that, and smaller differences change nothing.
        """
        moment, doubt = said + took / 2, took / 2
        self._compare(moment, doubt)
        ahead = moment - self()
        if self._heard and abs(ahead) > SLEWED:
            if not self._jumped:
                self._jumped = True
                _log.error("the database's clock jumped; deadlines go on by the time that passes", ahead=str(ahead))
            return
        if self._jumped:
            self._jumped = False
            _log.info("the database's clock shows the time again")
        if self._heard:
            ahead = max(ahead - doubt, timedelta()) + min(ahead + doubt, timedelta())
        self._then += ahead
        self._heard = True

    def following(self, log: Timekeeping) -> AbstractAsyncContextManager[None]:
        """Query the log's time periodically while the block runs."""
        return repeating("clock", partial(self.ask, log), PERIOD, LogError)

    def _compare(self, moment: datetime, doubt: timedelta) -> None:
        """Log the difference between the clocks of machine and database."""
        shown = self._wall()
        apart = max(abs(shown - moment) - doubt, timedelta())
        CLOCK_SKEW.set(apart.total_seconds())
        if (apart > SKEWED) is not self._skewed:
            self._skewed = apart > SKEWED
            tell = _log.warning if self._skewed else _log.info
            tell("how the machine's clock differs from the database's, which counts", database=moment, machine=shown)
