"""The programs of PostgreSQL that dump and restore, and connections for them."""

import os
import signal
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, create_subprocess_exec
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from psycopg import AsyncConnection, Error
from psycopg.conninfo import make_conninfo

from mcmulti.events.embedded.manifest import BackupError
from mcmulti.events.embedded.server import EmbeddedError, binaries
from mcmulti.events.embedded.watchdog import dying_with_us
from mcmulti.events.postgres.addresses import NoAddress, connecting, patient

CHUNK = 1 << 20
"""Bytes read at a time."""


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[AsyncConnection]:
    """A connection while the block runs. Raises `BackupError`, which never contains the address."""
    try:
        address = patient(url)
    except NoAddress as error:
        raise BackupError(f"This is not a database address: {error}") from None
    try:
        connection = await AsyncConnection.connect(address)
    except Error as error:
        raise BackupError(f"The database is not responding: {one_line(error)}") from error
    async with connection:
        yield connection


async def output(program: str, *arguments: str | Path, url: str | None = None) -> AsyncGenerator[bytes, None]:
    """The output of one of our PostgreSQL programs, in chunks. If it fails, raises `BackupError` with its error
    message.

    The program ends with this process. `url`: the database that it connects to; a password in it is not passed as an
    argument.
    """
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    if url is not None:
        parameters = connecting(url)
        if password := parameters.pop("password", None):
            environment["PGPASSWORD"] = str(password)
        arguments = (*arguments, f"--dbname={make_conninfo('', **parameters)}")
    try:
        path = binaries() / program
    except EmbeddedError as error:
        raise BackupError(f"{error}.") from error
    with tempfile.TemporaryFile() as said:
        process = await create_subprocess_exec(
            *map(str, (path, *arguments)),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=said,
            env=environment,
            preexec_fn=dying_with_us(signal.SIGKILL),
        )
        try:
            assert process.stdout is not None
            while piece := await process.stdout.read(CHUNK):
                yield piece
        finally:
            if not process.stdout or not process.stdout.at_eof():
                with suppress(ProcessLookupError):
                    process.kill()
            code = await process.wait()
        if code:
            said.seek(0)
            raise BackupError(f"{program} failed: {' '.join(said.read().decode(errors='replace').split())[-2000:]}")


def one_line(error: Exception) -> str:
    """The text of an error, as one line."""
    return f"{' '.join(str(error).split()).rstrip('.')}."
