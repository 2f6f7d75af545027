"""Processes that a server has beside it, and that never outlive it.

A child is in a session of its own, so the signals of a terminal reach the parent alone. Its first line of standard
input says what to do. It works until standard input ends: by the parent's will, or the kernel's, however the parent
ends.
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
    environment: Mapping[str, str],
    descriptors: Sequence[int] = (),
    niceness: int | None = None,
) -> AsyncIterator[Process]:
    """A process that runs a module, for the job, as long as the block; it then has `patience` seconds to end.

    `niceness`: how far its threads stand back for other processes, up to 19; as far as this one unless told.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),
        stdin=PIPE,
        stdout=PIPE,
        pass_fds=descriptors,
        start_new_session=True,
        env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},  # it finds what we found
    )
    assert process.stdin is not None
    try:
        if niceness is not None:
            with suppress(ProcessLookupError):  # it ended already
                os.setpriority(os.PRIO_PROCESS, process.pid, niceness)
        with suppress(ConnectionError):  # it ended already
            process.stdin.write(msgspec.json.encode(job) + b"\n")
            await process.stdin.drain()
        yield process
    finally:
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), patience)
        except TimeoutError:
            _log.error("a process does not end in order", module=module, pid=process.pid)
            process.kill()
            await process.wait()
