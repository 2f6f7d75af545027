"""What time it is to the referee: the machine's clock, which may be slewed, but not put forward or back.

A clock that jumps would close every round at once, and set the next deadlines years away. So what counts is the time
that passes; where the clock of the machine says otherwise, it is not followed until it comes back.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog

SLEWED = timedelta(seconds=10)
"""How far the machine's clock may have gone from the time that passed since it was last looked at."""

_log = structlog.get_logger(__name__)


def _wall() -> datetime:
    return datetime.now(UTC)


def passed() -> float:
    """Seconds since the machine started, those among them in which it slept, where the system counts them."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class SteadyClock:
    """Shows what the machine's clock shows, unless that jumps."""

    def __init__(self, wall: Callable[[], datetime] = _wall, passed: Callable[[], float] = passed) -> None:
        self._wall = wall
        self._passed = passed
        self._ahead = timedelta()
        self._then, self._since = wall(), passed()
        self._jumped = False

    def __call__(self) -> datetime:
        """The moment that it is."""
        passed, shown = self._passed(), self._wall() + self._ahead
        now = self._then + timedelta(seconds=passed - self._since)
        if abs(shown - now) <= SLEWED:
            now = self._then = shown
            self._since = passed
            if self._jumped:
                self._jumped = False
                _log.info("the machine's clock shows the time again")
        elif not self._jumped:
            self._jumped = True
            _log.error("the machine's clock jumped; deadlines go on by the time that passes", now=now, shown=shown)
        return now

    def set(self, moment: datetime) -> None:
        """It is this moment now, as the database says, whatever the machine's clock shows, if they are far apart."""
        shown = self._wall()
        far = abs(moment - shown) > SLEWED
        if far:
            _log.warning("the machine's clock differs from the database's, which counts", database=moment, shown=shown)
        self._ahead = moment - shown if far else timedelta()
        self._then, self._since = shown + self._ahead, self._passed()
        self._jumped = False
