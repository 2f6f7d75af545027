"""A log in memory with a clock that the test sets."""

from datetime import datetime

from mcmulti.events.memory.log import MemoryLog
from tests.scripted_clock import Clock


class ClockedLog(MemoryLog):
    """A log whose clock the test sets."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock

    async def now(self) -> datetime:
        return self.clock()
