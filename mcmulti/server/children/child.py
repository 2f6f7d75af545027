"""Child processes of a server, which never outlive it.

A child has its own session, so the signals of a terminal reach only the parent. Its first line of standard input is its
job. It works until standard input ends: because the parent closes it, or, however the parent ends, the kernel does.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

import msgspec
import structlog

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def child(
    module: str,
    job: object,
    patience: float,
    environment: Mapping[str, str] | None = None,
    descriptors: Sequence[int] = (),
    niceness: int | None = None,
    longest_line: int = 64 * 2**10,
) -> AsyncIterator[Process]:
    """Run a module as a child process with a job, while the block runs; it then has `patience` seconds to end.

    `environment`: by default that of this process, without the address of a database. `niceness`: the nice value of its
    threads, up to 19; by default that of this process. `longest_line`: the most bytes of a line that it writes.
    """
    if environment is None:
        secret = [name for name in os.environ if name == "DATABASE_URL" or name.startswith("PG")]
        environment = {name: value for name, value in os.environ.items() if name not in secret}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),
        stdin=PIPE,
        stdout=PIPE,
        pass_fds=descriptors,
        start_new_session=True,
        limit=longest_line,
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},  # with the same import path
    )
    assert process.stdin is not None
    try:
        if niceness is not None:
            with suppress(ProcessLookupError):  # it has ended already
                os.setpriority(os.PRIO_PROCESS, process.pid, niceness)
        with suppress(ConnectionError):  # it has ended already
            process.stdin.write(msgspec.json.encode(job) + b"\n")
            await process.stdin.drain()
        yield process
    finally:
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), patience)
        except TimeoutError:
            _log.error("a process does not end in order", module=module, pid=process.pid)
            with suppress(ProcessLookupError):  # it ended at this moment
                process.kill()
            await process.wait()
