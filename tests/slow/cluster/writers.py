"""Writers that append to games of their own through several servers, and record what was acknowledged."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import UUID

from mcmulti.events.cluster.spread import open_log
from mcmulti.events.log.envelope import broken_link, seal
from mcmulti.events.ports.errors import Conflict, LogUnavailable
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from tests.events.log_contract import NOON, draft, open_game
from tests.slow.cluster.nodes import PATIENCE

PAUSE = 0.02


class Writer:
    """Appends to one game, each time through another of the logs. Only 503 and 409 may result."""

    def __init__(self, game_id: UUID) -> None:
        self.game_id = game_id
        self.acknowledged: dict[int, bytes] = {1: b""}
        self.refusals: list[str] = []

    async def append(self, log: Log) -> None:
        """Append once."""
        try:
            head = (await log.game(self.game_id)).head
            events = seal(self.game_id, head, (draft(),), NOON)
            await log.append(self.game_id, head, events, TableRow("running"))
            self.acknowledged[events[-1].seq] = events[-1].hash
        except (LogUnavailable, Conflict) as error:
            self.refusals.append(str(error))

    async def check(self, log: Log) -> None:
        """Everything that was acknowledged is in the log, and the chain is intact."""
        events = await log.read(self.game_id)
        assert broken_link(events) is None
        del self.acknowledged[1]
        there = {event.seq: event.hash for event in events}
        assert self.acknowledged.items() <= there.items()


class Writers:
    """All of them, over the logs of several servers, which may change over time."""

    def __init__(self, logs: Sequence[Log], writers: Sequence[Writer]) -> None:
        self.logs = logs
        self.writers = writers
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def acknowledged(self) -> int:
        """The number of appends."""
        return sum(len(writer.acknowledged) - 1 for writer in self.writers)

    @property
    def refusals(self) -> list[str]:
        """Why appends were refused."""
        return [why for writer in self.writers for why in writer.refusals]

    async def all_write(self) -> None:
        """Wait until each of them has written twice more, through any of the logs."""
        wanted = [len(writer.acknowledged) + 2 for writer in self.writers]
        async with asyncio.timeout(PATIENCE):
            while any(len(writer.acknowledged) < least for writer, least in zip(self.writers, wanted, strict=True)):
                self._raise_what_failed()
                await asyncio.sleep(0.05)

    def _raise_what_failed(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()

    async def _write(self, writer: Writer, number: int) -> None:
        while True:
            number += 1
            await writer.append(self.logs[number % len(self.logs)])
            await asyncio.sleep(PAUSE)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """For the block."""
        self._tasks = [asyncio.create_task(self._write(one, number)) for number, one in enumerate(self.writers)]
        try:
            yield
            self._raise_what_failed()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def logs_at(*urls: str) -> AsyncIterator[list[Log]]:
    """The logs of servers that connect there."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(open_log(url, pool_size=8)) for url in urls]


async def writers_of(log: Log, count: int) -> list[Writer]:
    """Writers, with a game each."""
    return [Writer(await open_game(log)) for _ in range(count)]
