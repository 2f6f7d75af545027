"""The feed of a game: where it stands, what happened last, and waiting for it to move."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from mcmulti.events.envelope import Recorded
from mcmulti.events.log import Log
from mcmulti.events.positions import Position

TAIL = 64
"""How many events of a game are kept at hand while somebody waits: all who wait get the next ones from there."""


class Feed:
    """A game that somebody follows. All who do share it, and with it each look into the log."""

    def __init__(self, position: Position, log: Log) -> None:
        self.position = position
        self.readers = 0
        self._log = log
        self._tail: deque[Recorded] = deque(maxlen=TAIL)
        self._bell = asyncio.Event()

    @property
    def finished(self) -> bool:
        """Whether the game is over: nothing will follow on its head."""
        return self.position.ruleset.status(self.position.state) == "finished"

    async def moved(self, after: int, wait: float) -> bool:
        """Whether the game is past event `after`; waits up to `wait` seconds for that, unless the game is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                while self.position.head.seq <= after and not self.finished:
                    await self._bell.wait()
        return self.position.head.seq > after

    async def page(self, after: int, limit: int | None = None) -> list[Recorded]:
        """The events behind `after`, at most `limit`: from memory if they are young, otherwise from the log."""
        if self._tail and self._tail[0].seq <= after + 1:
            start = after + 1 - self._tail[0].seq
            return list(islice(self._tail, start, None if limit is None else start + limit))
        return await self._log.read(self.position.game_id, after, limit)

    def publish(self, position: Position, events: Sequence[Recorded]) -> None:
        """The game has moved: `events`, or the last of them, lead from where it stood to `position`."""
        seq = self.position.head.seq
        if position.head.seq <= seq:
            return
        if events[0].seq > seq + 1:
            self._tail.clear()
        self._tail.extend(event for event in events if event.seq > seq)
        self.position = position
        self._bell.set()
        self._bell = asyncio.Event()
