"""Checks of clocks in a proof: the server did not state too early that time was up."""

from collections.abc import Callable
from typing import Any, NamedTuple

from mcmulti.domain.core.capabilities.clock.commands import TimeOut, UseBank
from mcmulti.domain.core.course.standing import Pace

SECOND = 1_000_000
"""Microseconds."""


class ClockWatch(NamedTuple):
    """The start of the stretch, and how many seconds had been granted then.

    The server may act later than it could: time lost to an outage is given back, which the log does not record.
    """

    pace: Callable[[Any], Pace | None]
    stretch: tuple[int, ...] | None = None
    since: int = 0
    granted: int = 0

    def wrong(self, seq: int, at: int, state: Any, command: Any) -> str | None:
        pace = None if self.stretch is None else self.pace(state)
        if pace is None:
            return None
        took = at - self.since - (pace.granted - self.granted) * SECOND
        if isinstance(command, TimeOut) and took < pace.closes_after * SECOND:
            return f"ends a move after {took / SECOND:g} of {pace.closes_after} seconds"
        if isinstance(command, UseBank) and command.seconds * SECOND > took - pace.late_after * SECOND:
            taken, time = command.seconds, f"{took / SECOND:g}, of {pace.late_after}"
            return f"takes {taken} seconds from a bank for a move that took {time}"
        return None

    def passed(self, at: int, state: Any) -> "ClockWatch":
        pace = self.pace(state)
        if pace is None:
            return self if self.stretch is None else self._replace(stretch=None)
        return (
            self
            if self.stretch == pace.stretch
            else self._replace(stretch=pace.stretch, since=at, granted=pace.granted)
        )
