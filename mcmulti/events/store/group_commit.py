"""Group commit, one a process: what is to be written while the last batch is under way goes into the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Container, Sequence
from typing import NamedTuple
from uuid import UUID

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.metrics import BATCH_SIZE, COMMITS

MOST = 256
"""Appends of a batch, at most."""


class QueuedWrite(NamedTuple):
    """What somebody wants to be written to a game, as `GroupCommit`'s function takes it, and who waits for it.

    The answer is whether it was written; if not, nothing was.
    """

    game_id: UUID
    what: str
    written: asyncio.Future[bool]


class GroupCommit:
    """Hands what is to be written on to `write`, in batches, one at a time, and at most once a game in each.

    `write` returns the games it has written to; what it raises reaches all who wait for that batch. There are no
    timers: an idle one writes at once, and a busy one takes all that has come meanwhile, `MOST` at most.
    """

    def __init__(self, write: Callable[[Sequence[QueuedWrite]], Awaitable[Container[UUID]]]) -> None:
        self._write = write
        self._queue: list[QueuedWrite] = []
        self._work: asyncio.Task[None] | None = None
        self._closed = False

    async def commit(self, game_id: UUID, what: str) -> bool:
        """Whether this was written; if not, nothing was.

        Cancelled, a write leaves the queue, and one that is under way is written or not like the others of its batch.
        """
        if self._closed:
            raise LogUnavailable("the log is closed")
        queued = QueuedWrite(game_id, what, asyncio.get_running_loop().create_future())
        self._queue.append(queued)
        if self._work is None:
            self._work = asyncio.create_task(self._run())
        return await queued.written

    async def close(self) -> None:
        """Take no more, and return when all that was taken has its answer."""
        self._closed = True
        if self._work is not None:
            await self._work

    async def _run(self) -> None:
        batch: list[QueuedWrite] = []
        try:
            while batch := self._next_batch():
                BATCH_SIZE.observe(len(batch))
                try:
                    with COMMITS.time():
                        games = await self._write(batch)
                except Exception as error:
                    for queued in batch:
                        _answer(queued, error)
                else:
                    for queued in batch:
                        _answer(queued, queued.game_id in games)
        finally:
            self._work = None
            for queued in [*batch, *self._queue]:  # some are left only when this task was cancelled
                _answer(queued, LogUnavailable("the commit was stopped; it may have been written"))
            self._queue = []

    def _next_batch(self) -> list[QueuedWrite]:
        batch: dict[UUID, QueuedWrite] = {}
        left = []
        for queued in self._queue:
            if queued.game_id in batch or len(batch) == MOST:
                left.append(queued)
            elif not queued.written.done():
                batch[queued.game_id] = queued
        self._queue = left
        return list(batch.values())


def _answer(queued: QueuedWrite, answer: bool | Exception) -> None:
    if queued.written.done():
        return
    if isinstance(answer, Exception):
        queued.written.set_exception(answer)
    else:
        queued.written.set_result(answer)
