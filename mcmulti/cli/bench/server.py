"""A server as operators run it, in its own process."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import IO, NamedTuple
from urllib.parse import urlsplit

from mcmulti.cli.bench.load import UNLIMITED
from mcmulti.events.embedded.watchdog import dying_with_us
from mcmulti.server.running import ServerError

SECONDS = 60.0
"""Seconds that a server may take to answer, and to stop."""
CONNECTIONS = 10_000
"""More than all clients need, including those of the previous load, whose connections may still be closing."""
_ADDRESS = "Serving at "


class Served(NamedTuple):
    """The address of a server, and its process, which may have children."""

    host: str
    port: int
    pid: int


@asynccontextmanager
async def served(database_url: str, *options: str) -> AsyncIterator[Served]:
    """Run `mcmulti serve` on a database without rate limits, while the block runs. Raises `ServerError`.

    It has its own session, so that Ctrl-C does not end it in the middle of a measurement, but the kernel ends it when
    this process is killed. It writes its log as always, to a file that nobody reads. The database address, which may
    contain a password, is not passed as an argument.
    """
    arguments = (
        "serve",
        "--port",
        "0",
        "--log-format",
        "text",  # overrides the environment
        *UNLIMITED,
        "--connections",
        str(CONNECTIONS),
        *options,
    )
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "mcmulti",
            *arguments,
            env={**os.environ, "DATABASE_URL": database_url},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=dying_with_us(signal.SIGTERM),
        )
        try:
            address = urlsplit(await _address(process, log))
            assert address.hostname is not None
            assert address.port is not None
            yield Served(address.hostname, address.port, process.pid)
        finally:
            await _stop(process)


async def _address(process: asyncio.subprocess.Process, log: IO[bytes]) -> str:
    """The address that the server reports when it listens."""
    said = ""
    with suppress(TimeoutError):
        async with asyncio.timeout(SECONDS):
            while process.returncode is None:
                said = os.pread(log.fileno(), 1 << 16, 0).decode(errors="replace")
                for line in said.splitlines(keepends=True):
                    if line.startswith(_ADDRESS) and line.endswith("\n"):
                        return line.removeprefix(_ADDRESS).strip()
                await asyncio.sleep(0.02)
    said = os.pread(log.fileno(), 1 << 16, 0).decode(errors="replace")
    last = said.strip().rpartition("\n")[2]
    raise ServerError(f"The server for the measurement does not start: {last.removeprefix('Error: ')}")


async def _stop(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
