"""The smallest servers that do a part of the work: append a row, or respond with bytes. A process of its own.

None of them knows a rule or checks the sender. Bodies are decoded as ours are. All but one append a single row. That
one appends what a command leads to.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from typing import Any, Union
from uuid import UUID, uuid4

import click
import msgspec
import uvicorn
from litestar import Litestar, Request, Response, asgi, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.types import Receive, Scope, Send
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from benchmarks.sample import answer, appends
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.envelope import START, Draft, Head, seal
from mcmulti.events.ports.event_store import Receipt
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog

CONNECTIONS = 16
GAMES = 300
"""More than the number of clients."""
ANSWER = b'{"appended":1}'
JSON = "application/json"
GAME = UUID(int=1)

_APPEND = "INSERT INTO bench.line (game_id, data) VALUES (%s, %s)"
_APPEND_MANY = """
    INSERT INTO bench.line (game_id, data)
    SELECT game_id, data::json FROM unnest(%s::uuid[], %s::text[]) AS line (game_id, data)
"""


class _Body(msgspec.Struct):
    commands: list[Union[tuple(RULESET.commands.moves)]]  # type: ignore[valid-type]  # noqa: UP007


_decode = msgspec.json.Decoder(_Body).decode
_encode = msgspec.json.Encoder().encode


class Database:
    """What the handlers share: a queue of connections, a pool, and one connection that writes in batches."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._connections: asyncio.Queue[AsyncConnection[Any]] = asyncio.Queue()
        self._pool = AsyncConnectionPool(
            conninfo, min_size=CONNECTIONS, max_size=CONNECTIONS, open=False, kwargs={"autocommit": True}
        )
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._news = asyncio.Event()

    @asynccontextmanager
    async def opened(self, _: Litestar) -> AsyncIterator[None]:
        """Connect, and write batches during the block."""
        await self._pool.open(wait=True)
        for _number in range(CONNECTIONS):
            self._connections.put_nowait(await AsyncConnection.connect(self._conninfo, autocommit=True))
        writing = asyncio.create_task(self._write(await AsyncConnection.connect(self._conninfo, autocommit=True)))
        yield
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
        await self._pool.close()
        while not self._connections.empty():
            await self._connections.get_nowait().close()

    async def queued(self, data: str) -> None:
        """Append a row in a transaction of its own, over the next free connection."""
        connection = await self._connections.get()
        try:
            await connection.execute(_APPEND, (GAME, data))
        finally:
            self._connections.put_nowait(connection)

    async def pooled(self, data: str) -> None:
        """The same with psycopg's pool."""
        async with self._pool.connection() as connection:
            await connection.execute(_APPEND, (GAME, data))

    async def batched(self, data: str) -> None:
        """Append a row together with all others that are waiting."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((data, done))
        self._news.set()
        await done

    async def _write(self, connection: AsyncConnection[Any]) -> None:
        async with connection:
            while True:
                await self._news.wait()
                self._news.clear()
                batch, self._waiting = self._waiting, []
                await connection.execute(_APPEND_MANY, ([GAME] * len(batch), [data for data, _ in batch]), prepare=True)
                for _, done in batch:
                    done.set_result(None)


class Appends:
    """What commands of random games lead to, with hash chain and receipt, appended without any rules."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._games: asyncio.Queue[tuple[UUID, Head]] = asyncio.Queue()
        self._drafts = cycle([[Draft(*event[2:8]) for event in events] for events in appends()])
        self._log: Log

    @asynccontextmanager
    async def opened(self, _: Litestar) -> AsyncIterator[None]:
        """Connect, and create the games."""
        async with PostgresLog.open(self._conninfo) as self._log:
            for _number in range(GAMES):
                game_id = uuid4()
                first = seal(game_id, START, next(self._drafts), datetime.now(UTC))
                await self._log.create(game_id, RULESET.name, RULESET.version, TableRow("running"), bytes(32), first)
                self._games.put_nowait((game_id, Head(first[-1].seq, first[-1].hash)))
            yield

    async def append(self) -> bytes:
        """Append to the next idle game. Return the response."""
        game_id, head = await self._games.get()
        events = seal(game_id, head, next(self._drafts), datetime.now(UTC))
        told = answer(events)
        receipt = Receipt(game_id, str(head.seq), head.hash, head.seq, events[-1].seq, bytes(16))
        await self._log.append(game_id, head, events, TableRow("running"), receipt)
        self._games.put_nowait((game_id, Head(events[-1].seq, events[-1].hash)))
        return told


def handlers(database: Database, appending: Appends) -> list[Any]:
    """The requests that the server accepts."""

    @post("/queue", status_code=200)
    async def queue(request: Request[Any, Any, Any]) -> Response[bytes]:
        body = _decode(await request.body())
        await database.queued(_encode(body.commands[0]).decode())
        return Response(ANSWER, media_type=JSON)

    @post("/pool", status_code=200)
    async def pool(request: Request[Any, Any, Any]) -> Response[bytes]:
        body = _decode(await request.body())
        await database.pooled(_encode(body.commands[0]).decode())
        return Response(ANSWER, media_type=JSON)

    @post("/nothing", status_code=200)
    async def nothing(request: Request[Any, Any, Any]) -> Response[bytes]:
        _decode(await request.body())
        return Response(ANSWER, media_type=JSON)

    @asgi("/batch", copy_scope=False)
    async def batch(scope: Scope, receive: Receive, send: Send) -> None:
        await database.batched(_encode((await _received(receive)).commands[0]).decode())
        await _say(send, ANSWER)

    @asgi("/append", copy_scope=False)
    async def append(scope: Scope, receive: Receive, send: Send) -> None:
        await _received(receive)
        await _say(send, await appending.append())

    @get("/up")
    async def up() -> Response[bytes]:
        return Response(ANSWER, media_type=JSON)

    return [queue, pool, nothing, batch, append, up]


async def _received(receive: Receive) -> _Body:
    received = b""
    while True:
        message = await receive()
        received += message["body"]  # type: ignore[typeddict-item]
        if not message["more_body"]:  # type: ignore[typeddict-item]
            return _decode(received)


async def _say(send: Send, content: bytes) -> None:
    headers = [(b"content-type", JSON.encode()), (b"content-length", b"%d" % len(content))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content, "more_body": False})


def same(file: Path) -> HTTPRouteHandler:
    """Responds at ``/<name of the file>`` with its contents."""
    content = file.read_bytes()

    @get(f"/{file.name}")
    async def stored() -> Response[bytes]:
        return Response(content, media_type=JSON)

    return stored


@click.command()
@click.option("--port", type=int, required=True)
@click.option("--conninfo", required=True)
@click.option("--answers", type=click.Path(path_type=Path), help="Folder of files to answer with.")
def main(port: int, conninfo: str, answers: Path | None) -> None:
    """Serve until stopped."""
    database, appending = Database(conninfo), Appends(conninfo)
    stored = [same(file) for file in answers.iterdir()] if answers else []
    app = Litestar(
        [*handlers(database, appending), *stored],
        lifespan=[database.opened, appending.opened],
        openapi_config=None,
        logging_config=None,
    )
    uvicorn.run(
        app, port=port, loop="uvloop", http="httptools", access_log=False, log_level="warning", server_header=False
    )


if __name__ == "__main__":
    main()
