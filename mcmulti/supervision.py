"""Background tasks that survive unexpected errors: the error is logged and counted, and the task is restarted.

Tasks handle an unavailable database (`LogUnavailable`) themselves; only unexpected errors arrive here. `failing` names
the tasks that wait for their restart, for health checks.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial

import structlog

from mcmulti.metrics import TASK_RESTARTS, TASKS_FAILING

FIRST_PAUSE = 1.0
"""Seconds until a failed task is restarted."""
LONGEST_PAUSE = 5.0
"""Seconds until a task that keeps failing is restarted."""
SOUND = 60.0
"""After running for this many seconds, a task that fails does not count as one that keeps failing."""

_log = structlog.get_logger(__name__)
_failing: dict[asyncio.Task[object], str] = {}


def failing() -> tuple[str, ...]:
    """Names of the background tasks of this process that failed and wait for their restart."""
    return tuple(sorted({*_failing.values()}))


async def set_back(name: str, error: Exception, pause: float = FIRST_PAUSE) -> None:
    """Log and count the failure of the calling background task, and wait until it can restart."""
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
    """Run the work until it returns or is canceled. Restart it if it fails."""
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


async def repeated(
    step: Callable[[], Awaitable[object]], pause: float, expected: type[Exception], *, at_once: bool = False
) -> None:
    """Take a step every `pause` seconds, `at_once` or after a first pause. An `expected` error only ends its step."""
    if not at_once:
        await asyncio.sleep(pause)
    while True:
        with suppress(expected):
            await step()
        await asyncio.sleep(pause)


@asynccontextmanager
async def running(name: str, work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Run the work in the background, as `supervised` does, while the block runs."""
    task = asyncio.create_task(supervised(name, work))
    try:
        yield
    finally:
        task.cancel()  # do not wait for it: that can take as long as a database does not answer


def repeating(
    name: str, step: Callable[[], Awaitable[object]], pause: float, expected: type[Exception], *, at_once: bool = False
) -> AbstractAsyncContextManager[None]:
    """Take steps in the background, as `repeated` does, while the block runs."""
    return running(name, partial(repeated, step, pause, expected, at_once=at_once))
