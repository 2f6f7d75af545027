"""Background tasks that go on whatever happens: an unexpected error is logged and counted, and work begins again.

A task that only ever waits for the database says so by `LogUnavailable` and looks after that itself; what comes here is
what nobody expected. `failing` names the tasks that wait to begin again, for who watches over a server.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import structlog

from mcmulti.metrics import TASK_RESTARTS, TASKS_FAILING

FIRST_PAUSE = 1.0
"""Seconds until a task that failed begins again."""
LONGEST_PAUSE = 5.0
"""The same where it fails again and again."""
SOUND = 60.0
"""Seconds after which a task that went on so long is not taken for failing again."""

_log = structlog.get_logger(__name__)
_failing: dict[asyncio.Task[object], str] = {}


def failing() -> tuple[str, ...]:
    """The background tasks of this process that failed and wait to begin again, by name."""
    return tuple(sorted({*_failing.values()}))


async def set_back(name: str, error: Exception, pause: float = FIRST_PAUSE) -> None:
    """Log and count that the background task which calls this failed, and wait until it can begin again."""
    task = asyncio.current_task()
    assert task is not None
    _log.error("a background task failed", task=name, again_in_seconds=pause, exc_info=error)
    TASK_RESTARTS.labels(name).inc()
    _failing[task] = name
    TASKS_FAILING.set(len(_failing))
    try:
        await asyncio.sleep(pause)
    finally:
        del _failing[task]
        TASKS_FAILING.set(len(_failing))


async def supervised(name: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work until it returns or is cancelled, and anew when it fails."""
    loop, pause = asyncio.get_running_loop(), FIRST_PAUSE
    TASK_RESTARTS.labels(name)
    while True:
        began = loop.time()
        try:
            await work()
            return
        except Exception as error:
            pause = FIRST_PAUSE if loop.time() - began >= SOUND else pause
            await set_back(name, error, pause)
            pause = min(2 * pause, LONGEST_PAUSE)


@asynccontextmanager
async def running(name: str, work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Do the work as `supervised` does, beside the block."""
    task = asyncio.create_task(supervised(name, work))
    try:
        yield
    finally:
        task.cancel()  # and not waited for: that may take as long as a database that is silent
