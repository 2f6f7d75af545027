"""Group commit, one per process: writes that arrive during a batch go into the next one."""

import asyncio
from collections.abc import Awaitable, Callable, Container, Sequence
from typing import NamedTuple
from uuid import UUID

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.metrics import BATCH_SIZE, COMMITS

MOST = 256
"""The most appends in a batch."""


class QueuedWrite(NamedTuple):
    """A queued write to a game, as `GroupCommit`'s function takes it, and the future of its caller.

    The result is whether it was written; if not, nothing was.
    """

    game_id: UUID
    what: str
    written: asyncio.Future[bool]


class GroupCommit:
    """Passes writes on to `write`, in batches, one at a time, with at most one write per game in each.

    `write` returns the games it has written to; its exceptions reach all callers that wait for the batch. There are no
    timers: when idle, it writes at once; when busy, the next batch takes everything that has arrived, at most `MOST`.
    """

    def __init__(self, write: Callable[[Sequence[QueuedWrite]], Awaitable[Container[UUID]]]) -> None:
        self._write = write
        self._queue: list[QueuedWrite] = []
        self._work: asyncio.Task[None] | None = None
        self._closed = False

    async def commit(self, game_id: UUID, what: str) -> bool:
        """Write this. Returns whether it was written; if not, nothing was.

        If canceled, a queued write is dropped; one in progress is written or not like the others of its batch.
        """
        if self._closed:
            raise LogUnavailable("the log is closed")
        queued = QueuedWrite(game_id, what, asyncio.get_running_loop().create_future())
        self._queue.append(queued)
        if self._work is None:
            self._work = asyncio.create_task(self._run())
        return await queued.written

    async def close(self) -> None:
        """Accept no more, and return when everything accepted is answered."""
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
                        _resolve(queued, error)
                else:
                    for queued in batch:
                        _resolve(queued, queued.game_id in games)
        finally:
            self._work = None
            for queued in [*batch, *self._queue]:  # some are left only if this task was canceled
                _resolve(queued, LogUnavailable("the commit was stopped; it may have been written"))
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


def _resolve(queued: QueuedWrite, answer: bool | Exception) -> None:
    if queued.written.done():
        return
    if isinstance(answer, Exception):
        queued.written.set_exception(answer)
    else:
        queued.written.set_result(answer)
