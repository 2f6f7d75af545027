"""A connection for one statement that is sent all the time.

libpq alone needs 10 microseconds of processor time per statement; with a pool, a cursor, and adapters it is over 100.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from psycopg import AsyncConnection, OperationalError
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGconn, PGresult


class QuickLine:
    """Sends one statement repeatedly, over its own connection, which is made on demand.

    The statement is what follows the name in `PREPARE`: its types and the query. Callers wait for their turn while it
    is in progress. `connect` makes a connection. One that takes longer than `patience` seconds to connect, or to
    answer, is abandoned, and the next call tries another.
    """

    def __init__(self, statement: str, connect: Callable[[], Awaitable[AsyncConnection]], patience: float) -> None:
        self._statement = statement
        self._connect = connect
        self._patience = patience
        self._turn = asyncio.Lock()
        self._connection: AsyncConnection | None = None
        self._watched: int | None = None
        """The socket of the connection. Once the peer is gone, libpq has closed it and no longer returns it."""
        self._waiting: asyncio.Future[PGresult] | None = None
        self._taken: PGresult | None = None
        """The answer, not yet complete."""

    async def ask(self, *values: bytes) -> list[tuple[Any, ...]]:
        """The rows of the statement for these values, which are text. Rows are bytes, as PostgreSQL sends them.

        Raises psycopg errors if the database refuses it or does not answer in time.
        """
        async with self._turn:
            try:
                async with asyncio.timeout(self._patience):
                    connection = self._connection or await self._connected()
                    return _rows(await self._answer(connection.pgconn, values))
            except TimeoutError:
                self.close()
                raise OperationalError("it took too long") from None
            except BaseException:  # nobody waits for the end of the statement in progress
                self.close()
                raise

    def close(self) -> None:
        """Close the connection. Callers that wait for an answer get an error."""
        watched, self._watched = self._watched, None
        if watched is not None:
            loop = asyncio.get_running_loop()
            loop.remove_reader(watched)
            loop.remove_writer(watched)
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.pgconn.finish()
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(OperationalError("the connection is lost"))

    async def _connected(self) -> AsyncConnection:
        connection = await self._connect()
        self._connection = connection
        pgconn = connection.pgconn
        await connection.execute(f"PREPARE line {self._statement}".encode())
        pgconn.nonblocking = 1
        self._watched = pgconn.socket
        asyncio.get_running_loop().add_reader(self._watched, self._readable, pgconn)
        return connection

    async def _answer(self, pgconn: PGconn, values: tuple[bytes, ...]) -> PGresult:
        loop = asyncio.get_running_loop()
        pgconn.send_query_prepared(b"line", values, result_format=Format.BINARY)
        if pgconn.flush():
            loop.add_writer(pgconn.socket, self._writable, pgconn)
        self._waiting, self._taken = loop.create_future(), None
        result = await self._waiting
        if result.status != ExecStatus.TUPLES_OK:
            raise error_from_result(result)
        return result

    def _writable(self, pgconn: PGconn) -> None:
        try:
            if not pgconn.flush():
                asyncio.get_running_loop().remove_writer(pgconn.socket)
        except OperationalError:
            self.close()

    def _readable(self, pgconn: PGconn) -> None:
        """Read the available part of an answer, or notice that the peer is gone, whether anybody waits or not.

        If libpq is busy, the rest has not arrived yet, and asking it for a result would block the event loop.
        """
        waiting = self._waiting
        try:
            pgconn.consume_input()
            while waiting is not None and not waiting.done() and not pgconn.is_busy():
                result = pgconn.get_result()
                if result is None:
                    if self._taken is None:
                        return
                    waiting.set_result(self._taken)
                elif self._taken is None:
                    self._taken = result
        except OperationalError:
            self.close()


def _rows(result: PGresult) -> list[tuple[Any, ...]]:
    """Rows of bytes, with None for null values."""
    value, columns = result.get_value, range(result.nfields)
    return [tuple([value(row, column) for column in columns]) for row in range(result.ntuples)]
