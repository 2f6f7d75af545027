"""A connection for one statement that is sent all the time.

libpq alone takes 10 microseconds of the processor for a statement; a pool, a cursor, and adapters around it, over 100.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from psycopg import AsyncConnection, OperationalError
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGconn, PGresult


class QuickLine:
    """Sends one statement again and again, over a connection of its own, which is made when it is needed.

    The statement is what `PREPARE` takes behind a name: its types and itself. Whoever asks while it is under way waits
    for its turn. `connect` makes a connection. One that takes longer than `patience` seconds to be made, or to answer,
    is given up, and the next call tries another.
    """

    def __init__(self, statement: str, connect: Callable[[], Awaitable[AsyncConnection]], patience: float) -> None:
        self._statement = statement
        self._connect = connect
        self._patience = patience
        self._turn = asyncio.Lock()
        self._connection: AsyncConnection | None = None
        self._watched: int | None = None
        """The socket of the connection, which libpq tells no longer, and has closed, once the other end is gone."""
        self._waiting: asyncio.Future[PGresult] | None = None
        self._taken: PGresult | None = None
        """The answer, of which the end has not come yet."""

    async def ask(self, *values: bytes) -> list[tuple[Any, ...]]:
        """The rows, in bytes as PostgreSQL sends them, that the statement has with these values, which are text.

        Raises what psycopg raises where the database refuses it or does not answer in time.
        """
        async with self._turn:
            try:
                async with asyncio.timeout(self._patience):
                    connection = self._connection or await self._connected()
                    return _rows(await self._answer(connection.pgconn, values))
            except TimeoutError:
                self.close()
                raise OperationalError("it took too long") from None
            except BaseException:  # what is under way has no end that anybody waits for
                self.close()
                raise

    def close(self) -> None:
        """Hang up. Whoever waits for an answer is told so."""
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
        """Take what there is of an answer, or that the other end is gone, whether anybody waits or not.

        Where libpq is busy the rest has not come yet, and asking it for a result would hold up the loop until it has.
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
    """Of bytes, and of None where a value is null."""
    value, columns = result.get_value, range(result.nfields)
    return [tuple([value(row, column) for column in columns]) for row in range(result.ntuples)]
