"""One of several processes that serve together: ``python -m mcmulti.server.worker``, started by `workers`.

Its first line of standard input is its job. It serves until standard input ends, which the kernel ensures however the
parent ends. It reports on standard output when it answers.
"""

import asyncio
import socket
import sys
from contextlib import AsyncExitStack, suppress
from typing import Any

import msgspec
import structlog

from mcmulti.api.logging import configure
from mcmulti.notify.running import notifying
from mcmulti.server.connections import room_for_many
from mcmulti.server.database import connected
from mcmulti.server.process import Serving, settle
from mcmulti.server.running import Interrupted, ServerError, run
from mcmulti.server.spans import sent

READY = b"ready\n"

_log = structlog.get_logger(__name__)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The job of a worker. `listener`: the inherited descriptor of its socket. The first worker sends messages."""

    number: int
    database_url: str
    listener: int
    pool_size: int
    how: Serving


def main() -> None:
    """Do the job. Exit code 1 if that is impossible; the log says why."""
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=Job)
    configure(json=job.how.json_lines, level=job.how.log_level, worker=job.number)
    try:
        with suppress(Interrupted, asyncio.CancelledError):
            run(_serve(job))
    except ServerError as error:
        _log.error("a worker cannot serve", reason=str(error))
        sys.exit(1)


async def _serve(job: Job) -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    task: asyncio.Task[Any] | None = asyncio.current_task()
    assert task is not None

    def end() -> None:
        loop.remove_reader(sys.stdin)
        task.cancel()

    loop.add_reader(sys.stdin, end)
    room_for_many()
    async with AsyncExitStack() as stack:
        stack.enter_context(sent(job.how.traces))
        listener = stack.enter_context(socket.socket(fileno=job.listener))
        log = await stack.enter_async_context(connected(job.database_url, job.pool_size))
        await stack.enter_async_context(job.how.answering(log, listener))
        await stack.enter_async_context(notifying(log, job.how.notify if job.number == 1 else None))
        settle()
        sys.stdout.buffer.write(READY)
        sys.stdout.buffer.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
