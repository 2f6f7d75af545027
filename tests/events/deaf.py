"""A connection to a database that goes silent, as behind a firewall that forgot it: nothing comes and nothing ends."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from psycopg.conninfo import conninfo_to_dict, make_conninfo


class Way:
    """A TCP port that leads to a database unless it is `closed`. Then clients that connect get no response."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[StreamWriter] = []
        self.closed = False
        self.cut = 0
        """The number of bytes to hold back at the end of each piece from the database, until `hand_on`."""
        self.kept = asyncio.Event()
        self._handed_on = asyncio.Event()

    def forget(self) -> None:
        """All current connections go silent."""
        for task in self._tasks:
            task.cancel()

    def hand_on(self) -> None:
        """Release what was held back."""
        self.cut = 0
        self._handed_on.set()

    async def lead(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Pass on what arrives on a connection, both ways."""
        self._writers.append(writer)
        if self.closed:
            return
        try:
            there, back = await asyncio.open_unix_connection(self._socket)
        except OSError:  # the database is away
            writer.transport.abort()
            return
        self._writers.append(back)
        for passing in (_pass_on(reader, back), _pass_on(there, writer, self._pieces)):
            task = asyncio.create_task(passing)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pieces(self, piece: bytes) -> AsyncIterator[bytes]:
        if not self.cut:
            yield piece
            return
        yield piece[: -self.cut]
        end = piece[-self.cut :]
        self.kept.set()
        await self._handed_on.wait()
        yield end

    async def end(self) -> None:
        """Close all connections, including the silent ones."""
        self.forget()
        for writer in self._writers:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def _whole(piece: bytes) -> AsyncIterator[bytes]:
    yield piece


async def _pass_on(
    source: StreamReader, sink: StreamWriter, pieces: Callable[[bytes], AsyncIterator[bytes]] = _whole
) -> None:
    with suppress(ConnectionError):
        while read := await source.read(65536):
            async for piece in pieces(read):
                sink.write(piece)
                await sink.drain()
        sink.close()


@asynccontextmanager
async def way_to(database: str) -> AsyncIterator[tuple[Way, str]]:
    """A relay to a database on a local socket, and the connection string for it."""
    known = conninfo_to_dict(database)
    way = Way(f"{known['host']}/.s.PGSQL.{known['port']}")
    server = await asyncio.start_server(way.lead, "127.0.0.1")
    try:
        port = server.sockets[0].getsockname()[1]
        yield way, make_conninfo(database, host="127.0.0.1", port=port)
    finally:
        server.close()
        await way.end()
