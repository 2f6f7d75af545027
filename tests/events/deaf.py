"""A way to a database that goes deaf, as behind a firewall that forgot its connections: nothing comes, nothing ends."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from psycopg.conninfo import conninfo_to_dict, make_conninfo


class Way:
    """A TCP port that leads to a database, unless it is `closed`: then who connects hears nothing."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[StreamWriter] = []
        self.closed = False

    def forget(self) -> None:
        """All connections that there are go deaf."""
        for task in self._tasks:
            task.cancel()

    async def lead(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Pass on what comes on a connection, both ways."""
        self._writers.append(writer)
        if self.closed:
            return
        try:
            there, back = await asyncio.open_unix_connection(self._socket)
        except OSError:  # the database is away
            writer.transport.abort()
            return
        self._writers.append(back)
        for source, sink in ((reader, back), (there, writer)):
            task = asyncio.create_task(_pass_on(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        """Close all connections, the deaf ones as well."""
        self.forget()
        for writer in self._writers:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def _pass_on(source: StreamReader, sink: StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await source.read(65536):
            sink.write(piece)
            await sink.drain()
        sink.close()


@asynccontextmanager
async def way_to(database: str) -> AsyncIterator[tuple[Way, str]]:
    """A way to a database on a local socket, and where to connect to for it."""
    known = conninfo_to_dict(database)
    way = Way(f"{known['host']}/.s.PGSQL.{known['port']}")
    server = await asyncio.start_server(way.lead, "127.0.0.1")
    try:
        port = server.sockets[0].getsockname()[1]
        yield way, make_conninfo(database, host="127.0.0.1", port=port)
    finally:
        server.close()
        await way.end()
