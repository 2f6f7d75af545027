"""Several processes that serve together, on one port, from one database.

Each has its own socket, and the kernel distributes the connections over them. The sockets belong to the parent:
connections that arrive while a worker is being replaced wait for the next one.
"""

import asyncio
import os
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import structlog

from mcmulti.server.children.child import child
from mcmulti.server.children.house import HouseCounts, house_bots
from mcmulti.server.children.reviews import ReviewCounts, reviewing
from mcmulti.server.database import LEAST_POOL, connected, embedded, migrated, pool_share
from mcmulti.server.exposition import WATCHING, CountedTogether, registry_of
from mcmulti.server.process import GRACE, Serving, address_of, bound_alike, fitting, telling
from mcmulti.server.running import ServerError
from mcmulti.server.worker import READY, Job

STEADY = 10
"""A worker that ran for longer than this many seconds is able to work."""
TRIES = 5
"""How often in a row a worker may end before that."""
PAUSE = 0.2
"""Seconds before a worker is replaced the first time; doubled each time that it ends at once."""
PATIENCE = GRACE + 9
"""Seconds that a worker has to end by itself."""

_log = structlog.get_logger(__name__)


async def serve(database: Path | str, how: Serving, announce: Callable[[str], None]) -> None:
    """Serve with several workers until canceled; `announce` receives the server's address when all of them answer.

    `database` is as in `mcmulti.server.process.serve`. Raises `ServerError`, also if a worker ends repeatedly.
    """
    fitting()
    async with AsyncExitStack() as stack:
        listeners = stack.enter_context(bound_alike(how.host, how.port, how.workers))
        if isinstance(database, Path):
            database = await stack.enter_async_context(embedded(database))
        await migrated(database)
        size = await pool_share(database, how.workers, how.pool_size)
        together = stack.enter_context(CountedTogether.in_folder()) if how.metrics else None
        counts, reviewed = HouseCounts(how.house), ReviewCounts()
        if how.metrics and together:
            told = registry_of(
                together, lambda: {WATCHING: os.getpid(), **together.processes, **counts.process}, counts, reviewed
            )
            await stack.enter_async_context(telling(told, how.metrics))
        jobs = [
            Job(number=number, database_url=database, listener=listener.fileno(), pool_size=size, how=how)
            for number, listener in enumerate(listeners, 1)
        ]
        try:
            async with asyncio.TaskGroup() as group:
                answering = [asyncio.Event() for _ in jobs]
                for job, event in zip(jobs, answering, strict=True):
                    group.create_task(_keep_worker(job, event, together))
                for event in answering:
                    await event.wait()
                address = address_of(listeners[0])
                async with AsyncExitStack() as beside:
                    if how.house or how.reviews:
                        log = await beside.enter_async_context(connected(database, LEAST_POOL))
                        await beside.enter_async_context(house_bots(log, address, counts))
                        await beside.enter_async_context(reviewing(log, how.reviews, reviewed))
                    announce(address)
                    await asyncio.Event().wait()
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None


async def _keep_worker(job: Job, answering: asyncio.Event, together: CountedTogether | None) -> None:
    """Keep a worker for the job running until canceled."""
    failed = 0
    while True:
        served = 0.0
        async with _worker(job, together) as worker:
            assert worker.stdout is not None
            if await worker.stdout.readline() == READY:
                since = time.monotonic()
                answering.set()
                _log.info("a worker serves", worker=job.number, pid=worker.pid)
                await worker.wait()
                served = time.monotonic() - since
            code = await worker.wait()
        failed = 0 if served > STEADY else failed + 1
        if failed == TRIES:
            raise ServerError(
                f"Worker {job.number} ended {TRIES} times in a row, the last time with code {code}; see its log lines."
            )
        pause = PAUSE * 2 ** max(0, failed - 1)
        _log.error("a worker ended", worker=job.number, pid=worker.pid, code=code, next_in_seconds=pause)
        await asyncio.sleep(pause)


@asynccontextmanager
async def _worker(job: Job, together: CountedTogether | None) -> AsyncIterator[Process]:
    """A process that does the job while the block runs, and counts together with the others, if they do."""
    counts = together.environment if together else {}
    environment = {**os.environ, **counts}
    pid = None
    try:
        async with child("mcmulti.server.worker", job, PATIENCE, environment, [job.listener]) as worker:
            pid = worker.pid
            if together:
                together.processes[str(job.number)] = pid
            yield worker
    finally:
        if together and pid is not None:
            together.ended(pid)
