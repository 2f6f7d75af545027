"""Which strategy ended a process: each process notes whom it asks in memory that its parent can read."""

import signal
from multiprocessing.sharedctypes import RawArray
from typing import NamedTuple

from mcmulti.bots.strategies.program import ProgramFailed


class Crash(NamedTuple):
    """A strategy that ended its process: its seat, the number of the question, and how.

    `asked`: 0 if it ended while it was made, and if it ended more than one process.
    """

    seat: int
    asked: int
    how: str


class Asking:
    """Which seat a process is asking, and for which time, in memory shared with its parent."""

    def __init__(self) -> None:
        self._written = RawArray("q", [-1, 0])

    def note(self, seat: int, asked: int) -> None:
        self._written[1] = asked
        self._written[0] = seat

    def clear(self) -> None:
        self._written[0] = -1

    def crashed(self, exit_code: int, before: tuple[Crash, ...]) -> Crash | None:
        """The strategy that ended the process, given its exit code; None if none was asked. `before`: crashes in the
        same game.
        """
        seat, asked = self._written
        if seat < 0:
            return None
        again = any(crash.seat == seat for crash in before)
        return Crash(seat, 0 if again else asked, f"It ended the process that it played in, {ending(exit_code)}.")


class Notes:
    """Notes about a strategy on a seat. After it has ended a process in this game, it is not asked there again."""

    def __init__(self, asking: Asking, seat: int, crashes: tuple[Crash, ...]) -> None:
        self._asking, self._seat, self._times = asking, seat, -1
        self._crash = next((crash for crash in reversed(crashes) if crash.seat == seat), None)

    def begin(self) -> None:
        """Before each question, and before it is made. Raises `ProgramFailed` if it ended a process before."""
        self._times += 1
        if self._crash is not None and self._times >= self._crash.asked:
            raise ProgramFailed(self._crash.how)
        self._asking.note(self._seat, self._times)

    def end(self) -> None:
        """It has answered, well or not."""
        self._asking.clear()


def ending(exit_code: int) -> str:
    """How a process ended, in words that follow a comma."""
    if exit_code >= 0:
        return f"with exit code {exit_code}"
    try:
        return f"killed by {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"killed by signal {-exit_code}"
