"""The pool of connections for all queries to a database."""

import asyncio
import os
import select
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from itertools import starmap
from socket import SHUT_RDWR, socket
from typing import Any, NoReturn, Self, TypeVar
from uuid import UUID

from msgspec import Struct
from psycopg import AsyncConnection, Error, IsolationLevel, OperationalError, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.string import ByteaBinaryLoader
from psycopg_pool import AsyncConnectionPool

from mcmulti.events.cluster.citus import is_distributed
from mcmulti.events.ports.errors import Conflict, LogError, LogUnavailable
from mcmulti.events.ports.log import Pool
from mcmulti.events.postgres.rights import SERVER_ROLE
from mcmulti.events.postgres.tables import composed
from mcmulti.metrics import DATABASE_FAILURES

RowT = TypeVar("RowT", bound=Struct)

_KEEPALIVES = {"keepalives_idle": 10, "keepalives_interval": 3, "keepalives_count": 3}
"""Seconds, and how often, after which TCP checks whether the peer of an idle connection still exists."""

PULSE = 1.0
"""Seconds between two checks of a connection that only listens; it has as long to answer."""


# Beyond 64 kB of memory, intermediate results go to a temporary file on the disk that holds the tables.
_LITTLE_MEMORY = "SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)"
# A committed row: this needs a writable database and a commit that completes. The row has its place already, so a
# temporary file of about 280 kB shows whether there is room for others.
_PROBE = """
    UPDATE probe SET at = clock_timestamp()
    RETURNING has_table_privilege('event', 'INSERT') AND has_table_privilege('receipt', 'INSERT')
        AND has_table_privilege('game', 'INSERT') AND has_column_privilege('game', 'head_seq', 'UPDATE')
        AND (SELECT count(*) FROM generate_series(1, 20000)) > 0
"""


class PostgresConnections:
    """A pool of connections, each of which acts as `SERVER_ROLE`. A pooler in between must use session pooling."""

    _several = False
    """Whether the database has several nodes."""

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        self._patience = patience
        self._answer = 2 * patience
        self._listening: set[AsyncConnection] = set()
        self._cutting: set[asyncio.Task[None]] = set()
        self._parameters: dict[str, Any] = {
            "autocommit": True,
            "client_encoding": "UTF8",
            "connect_timeout": 5,
            **_KEEPALIVES,
            "tcp_user_timeout": round(1000 * self._answer),
            **conninfo_to_dict(conninfo),
        }
        self._pool = AsyncConnectionPool(
            kwargs=self._parameters,
            min_size=pool_size,
            max_size=pool_size,
            open=False,
            configure=self._configure,
            check=self._check,
            timeout=patience,
            reconnect_timeout=2.0,  # then the next call tries again, and no long backoff outlives an outage
        )

    @classmethod
    @asynccontextmanager
    async def open(cls, conninfo: str, *, pool_size: int = 10, patience: float = 3.0) -> AsyncIterator[Self]:
        """Open the database `conninfo`, over `pool_size` connections.

        A call waits up to `patience` seconds for a connection and twice that for its answer, and then raises
        `LogUnavailable`. Opening does so after ten times that.
        """
        log = cls(conninfo, pool_size=pool_size, patience=patience)
        try:
            try:
                await log._pool.open(wait=True, timeout=10 * patience)
            except OperationalError as error:
                raise LogUnavailable(f"the database is not responding: {error}") from error
            await log._begin()
            yield log
        finally:
            try:
                await log._end()
            finally:
                for listener in list(log._listening):
                    await listener.close()
                await log._pool.close()

    async def _begin(self) -> None:
        """Load what must be known before the first call."""

    async def _end(self) -> None:
        """Finish the work in progress."""

    def pool(self) -> Pool:
        told = self._pool.get_stats()
        idle = told.get("pool_available", 0)
        return Pool(idle, told.get("pool_size", 0) - idle, told.get("requests_waiting", 0))

    async def ready(self) -> None:
        await self._one_row(None, "SELECT 1")

    async def writable(self) -> None:
        async with self._transaction(None) as connection:
            await connection.execute(_LITTLE_MEMORY)
            row = await (await connection.execute(_PROBE)).fetchone()
        if row is None or not row[0]:
            raise LogError("the server's role may not write what every command writes: run mcmulti migrate")

    async def is_distributed(self) -> bool:
        """Whether games are distributed over the nodes of a cluster, which requires `spread.SpreadLog`."""
        async with self._connection() as connection:
            return await is_distributed(connection)

    async def _one_row(self, about: UUID | None, query: str, *values: object) -> tuple[Any, ...] | None:
        async with self._connection(about) as connection:
            cursor = await connection.execute(query, values, binary=True)
            return await cursor.fetchone()

    async def _all_rows(self, about: UUID | None, query: str, *values: object) -> list[tuple[Any, ...]]:
        async with self._connection(about) as connection:
            cursor = await connection.execute(query, values, binary=True)
            return await cursor.fetchall()

    async def _rows_about(self, game_ids: Sequence[UUID], query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query about these games, its first value. Those on nodes that are down are missing."""
        return await self._all_rows(next(iter(game_ids), None), query, list(game_ids), *values)

    async def _rows_of_all(
        self,
        row: type[RowT],
        query: str,
        asked: Mapping[str, Any] | Sequence[Any],
        order: tuple[str, ...],
        limit: int | None,
        away: set[str] | None = None,
        *,
        latest: bool = False,
        moment: datetime | None = None,
    ) -> list[RowT]:
        """The rows of a query about all games, as `composed` takes it: at most `limit`, in the order of these columns,
        `latest` first.

        `away`: see `GameIndex`. `moment`: the first value, with which the query is asked again and again.
        """
        values = asked if moment is None else (moment, *asked)
        async with self._connection() as connection:
            cursor = await connection.execute(composed(query, row=row), values, binary=True)
            return list(starmap(row, await cursor.fetchall()))

    async def _changed(self, about: UUID | None, statement: str, *values: object) -> int:
        """Change rows about a game. Returns how many."""
        async with self._connection(about) as connection:
            return (await connection.execute(statement, values)).rowcount

    async def _changed_everywhere(self, statement: str, *values: object) -> int:
        """Change rows about no game. Returns how many."""
        async with self._everywhere() as connection:
            return (await connection.execute(statement, values)).rowcount

    @asynccontextmanager
    async def _transaction(self, about: UUID | None, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        async with self._connection(about, patient=patient) as connection, connection.transaction():
            if patient:
                await connection.execute("SET LOCAL statement_timeout = 0")
            yield connection

    @asynccontextmanager
    async def _everywhere(self) -> AsyncIterator[AsyncConnection]:
        """A transaction about data that belongs to no game, which a cluster keeps on every node."""
        async with self._transaction(None) as connection:
            yield connection

    @asynccontextmanager
    async def _connection(self, about: UUID | None = None, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection of the pool that raises the log's own errors. A `patient` one may take long.

        `about`: the game that it is for, if any.

        A connection that does not answer in time is cut, and all idle ones are replaced, since they may be dead too.
        """
        loop = asyncio.get_running_loop()
        try:
            async with self._pool.connection() as connection:
                late = None if patient else loop.call_later(self._answer, self._cut, connection)
                try:
                    yield connection
                finally:
                    if late is not None:
                        late.cancel()
        except Error as error:
            raise_in_our_words(error, several=self._several)

    async def _beside(self, **otherwise: Any) -> AsyncConnection:
        """A connection outside the pool, which the caller must close; some parameters can be changed."""
        if self._pool.closed:
            raise LogUnavailable("the log is closed")
        connection = await AsyncConnection.connect(**{**self._parameters, **otherwise})
        try:
            await self._configure(connection)
        except BaseException:
            connection.pgconn.finish()
            raise
        return connection

    async def _configure(self, connection: AsyncConnection) -> None:
        connection.adapters.register_loader("json", ByteaBinaryLoader)  # the stored bytes, not the parsed value
        await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
        milliseconds = round(750 * self._answer)  # so that the database gives up first, and its error arrives
        await connection.execute(
            f"SET ROLE {SERVER_ROLE}; SET TIME ZONE 'UTC'; SET statement_timeout = {milliseconds}; "
            f"SET idle_in_transaction_session_timeout = {2 * milliseconds}"
        )

    def _cut(self, connection: AsyncConnection) -> None:
        """Cut a connection whose peer is silent, and replace the others, which may be dead too."""
        shut(connection)
        draining = asyncio.create_task(self._pool.drain())
        self._cutting.add(draining)
        draining.add_done_callback(self._cutting.discard)

    async def _check(self, connection: AsyncConnection) -> None:
        """Refuse a connection that the server has closed, and replace the others, which will be closed too.

        An idle connection has nothing to read unless it was closed, so this needs no round trip.
        """
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        if poll.poll(0):
            await self._pool.drain()
            raise OperationalError("the server closed the connection")


def raise_in_our_words(error: Error, *, several: bool = False) -> NoReturn:
    """Raise the log's own error for a refusal or timeout of the database.

    `several`: it has several nodes, which report many lost connections between them as internal errors.
    """
    said = error.diag.message_primary
    match error:
        case errors.UniqueViolation():
            raise Conflict(f"somebody else was first: {said}") from error
        case OperationalError() | errors.ReadOnlySqlTransaction():
            DATABASE_FAILURES.inc()
            raise LogUnavailable(f"the database is not responding: {error}") from error
        case errors.InternalError_() if several:
            DATABASE_FAILURES.inc()
            raise LogUnavailable(f"a node of the database does not answer: {said}") from error
        case errors.InternalError_():
            raise LogError(f"the database failed: {said}") from None
    # Without its details, which would reveal the values: the dice of events that were not recorded.
    raise LogError(f"{type(error).__name__} {error.sqlstate}: {said or 'refused by the driver'}") from None


def shut(connection: AsyncConnection) -> None:
    """Close a connection below the driver, since canceling a query would wait for an answer again."""
    if not connection.closed:
        with socket(fileno=os.dup(connection.fileno())) as deaf, suppress(OSError):
            deaf.shutdown(SHUT_RDWR)
