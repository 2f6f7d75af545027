"""Open the database of a server: its own PostgreSQL in a folder, or another.

This module imports nothing of the API, so commands that only need the database start fast.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar

import psycopg
import structlog

from mcmulti.events.cluster.citus import distribute
from mcmulti.events.cluster.spread import open_log
from mcmulti.events.embedded.server import EmbeddedError, EmbeddedPostgres
from mcmulti.events.ports.errors import LogError
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.addresses import NoAddress, patient
from mcmulti.events.postgres.migrate import migrate
from mcmulti.server.running import ServerError

POOL = 10
"""The default number of a process's connections to the database."""
LEAST_POOL = 2
"""With fewer, readers would wait for writers."""
SPARE = 10
"""Connections left for others: backups, an owner's session, the server that takes over."""

LOOK = 0.5
"""Seconds between two checks of our own PostgreSQL."""
LONGEST_PAUSE = 8.0
"""The most seconds between two attempts to restart it."""
GIVE_UP = 60.0
"""Seconds after which attempts end."""

_log = structlog.get_logger(__name__)

T = TypeVar("T")


@asynccontextmanager
async def embedded(folder: Path) -> AsyncIterator[str]:
    """The address of our own Postgres, which runs in the folder while the block does. Raises `ServerError`."""
    postgres = EmbeddedPostgres(folder)
    try:
        try:
            await _to_the_end(postgres.start)
            async with asyncio.TaskGroup() as group:
                keeping = group.create_task(_kept_alive(postgres))
                yield postgres.url()
                keeping.cancel()
        finally:
            await _to_the_end(postgres.stop)
    except EmbeddedError as error:
        raise ServerError(_sentence(error)) from error
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None


async def _kept_alive(postgres: EmbeddedPostgres) -> None:
    """Restart our own Postgres if it is gone for good: its watchdog was killed, or unable to start it.

    Raises `ServerError` if that has failed for `GIVE_UP` seconds, so that our supervisor can act.
    """
    since: float | None = None
    pause = LOOK
    while True:
        await asyncio.sleep(pause)
        try:
            revived = await _to_the_end(postgres.revive)
        except EmbeddedError as error:
            now = time.monotonic()
            since = now if since is None else since
            if now - since >= GIVE_UP:
                raise ServerError(
                    f"PostgreSQL stopped and could not be restarted for {GIVE_UP:.0f} s: {_sentence(error)}"
                ) from error
            pause = min(2 * pause, LONGEST_PAUSE)
            _log.error("PostgreSQL stopped and does not start", reason=_sentence(error), next_in_seconds=pause)
        else:
            if revived:
                _log.warning("PostgreSQL stopped and was restarted")
            since, pause = None, LOOK


async def _to_the_end(work: Callable[[], T]) -> T:
    """Run blocking work in a thread, and wait for its end even if canceled: half a start cannot be stopped."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    return task.result()


@asynccontextmanager
async def opened_log(database_url: str) -> AsyncIterator[Log]:
    """The log in a database, which is migrated first. Raises `ServerError`."""
    await migrated(database_url)
    async with connected(database_url) as log:
        yield log


@asynccontextmanager
async def connected(database_url: str, pool_size: int = POOL) -> AsyncIterator[Log]:
    """The log in a database with the schema of this version. Raises `ServerError`."""
    async with AsyncExitStack() as stack:
        try:
            log = await stack.enter_async_context(open_log(database_url, pool_size=pool_size))
        except (LogError, psycopg.Error) as error:
            raise ServerError(_sentence(error)) from error
        yield log


async def migrated(database_url: str) -> list[str]:
    """Migrate the database to the schema of this version. Returns the names of the migrations. Raises `ServerError`."""
    try:
        return await migrate(patient_address(database_url))
    except (LogError, psycopg.Error) as error:
        raise ServerError(_sentence(error)) from error


async def distributed(database_url: str) -> str:
    """Distribute games over the nodes of a database. Returns the result of `distribute`. Raises `ServerError`."""
    try:
        return await distribute(patient_address(database_url))
    except (LogError, psycopg.Error) as error:
        raise ServerError(_sentence(error)) from error


async def pool_share(database_url: str, workers: int, wanted: int | None) -> int:
    """How many connections each of the workers may keep so that the database has `SPARE` left for others.

    That is what is `wanted`, or else `POOL` or as many as there are. Raises `ServerError` if there are too few.
    """
    try:
        async with await psycopg.AsyncConnection.connect(patient_address(database_url)) as connection:
            cursor = await connection.execute("SELECT current_setting('max_connections')::integer")
            ((most,),) = await cursor.fetchall()
    except psycopg.Error as error:
        raise ServerError(_sentence(error)) from error
    share = (most - SPARE) // workers - 2  # one more for revocations, and one for heads
    if share < (wanted or LEAST_POOL):
        raise ServerError(
            f"{wanted or LEAST_POOL} connections for each worker, of {workers}, are more than the database takes: "
            f"{most}, of which {SPARE} are left for others. Take fewer, or raise its max_connections."
        )
    return wanted or min(POOL, share)


def patient_address(database_url: str) -> str:
    """The address, with a timeout unless it sets one. Raises `ServerError`."""
    try:
        return patient(database_url)
    except NoAddress as error:
        raise ServerError(f"This is not a database address: {error}") from None


def _sentence(error: Exception) -> str:
    """The text of an error, as one line."""
    text = " ".join(str(error).split())
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
