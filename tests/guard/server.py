"""A server whose requests cost the same each time: fixed games, a clock that stands still, one connection."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from functools import partial
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from math import inf
from typing import Any, NamedTuple
from unittest.mock import patch
from uuid import UUID

import msgspec
from litestar import Litestar
from psycopg import AsyncConnection

from mcmulti.api.app import application
from mcmulti.api.logging import configure
from mcmulti.api.service import Service
from mcmulti.events.log.codec import opened_with
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.standing import retraced
from mcmulti.library.steps import Step
from mcmulti.referee.clock import SteadyClock
from tests.conftest import logging_restored
from tests.games import CALLED, OPENED, record
from tests.guard.counting import counted_request, counting

NOW = OPENED + timedelta(hours=1, microseconds=123456)
"""The constant time: after the games, before their deadlines, and with a fraction, which is omitted if it is zero."""
PLAYERS = tuple(Player(UUID(player), name) for player, name in list(CALLED.items())[:6])


class Request(NamedTuple):
    """A request of the player with this number. `headers` are sent in addition to those of every client."""

    method: str
    path: str
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    player: int = 0


class Response(NamedTuple):
    """A response."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header. Give its name in lowercase."""
        return dict(self.headers)[name.encode()].decode()


class CountedLog(PostgresLog):
    """Counts the statements of counted requests."""

    @asynccontextmanager
    async def _connection(self, about: UUID | None = None, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        async with super()._connection(about, patient=patient) as connection:
            tally = counted_request()
            if tally is None:
                yield connection
                return
            with tally.sending(connection.pgconn):
                yield connection

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        tally, line = counted_request(), self._heads._connection
        if tally is None:
            return await super().heads(game_ids)
        assert line is not None
        with tally.sending(line.pgconn):
            return await super().heads(game_ids)


class Server:
    """The application, with players who hold tokens."""

    def __init__(self, log: PostgresLog) -> None:
        self.log = log
        self.app: Litestar = application(log)
        self.service: Service = self.app.state.service
        self._kept: dict[str, str] = {}
        self._idle = asyncio.all_tasks()

    async def admit_players(self) -> None:
        """Register the players."""
        for number, player in enumerate(PLAYERS):
            await self.log.add_player(player, first_token(NOW), sha256(_token(number).encode()).digest())

    async def keep(self, steps: Sequence[Step], secret: bytes) -> str:
        """Write a simulated game to the log. It continues with the dice of this secret. Return its id."""
        events = record(UUID(steps[0].state.game_id), steps)
        ruleset, last = opened_with(events[0]), events[-1]
        stands = retraced(ruleset, events)
        game = last.game_id
        await self.log.create(game, ruleset.name, ruleset.version, stands, secret, events, PLAYERS[0].player_id)
        assert (await self.log.game(game)).head == Head(last.seq, last.hash)
        return str(game)

    async def once(self, name: str, keep: Callable[[], Awaitable[str]]) -> str:
        """The first return value of `keep` under this name."""
        if name not in self._kept:
            self._kept[name] = await keep()
        return self._kept[name]

    def forget(self) -> None:
        """Clear cached responses: the first reader after a move pays for them."""
        self.service.responses.clear()
        self.service.seatings.clear()

    async def send(self, request: Request) -> Response:
        """The response to a request that goes directly to the application, once all tasks it started have ended."""
        path, _, query = request.path.partition("?")
        body = b"" if request.body is None else msgspec.json.encode(request.body)
        headers = {"host": "mcmulti", "authorization": f"Bearer {_token(request.player)}", "accept": "*/*"}
        headers |= {"content-type": "application/json", "content-length": str(len(body))} if body else {}
        headers |= dict(request.headers)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "method": request.method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 80),
        }
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)  # type: ignore[arg-type]
        while left := asyncio.all_tasks() - self._idle - {asyncio.current_task()}:
            await asyncio.wait(left)
        start, *pieces = sent
        return Response(start["status"], start["headers"], b"".join(piece["body"] for piece in pieces))


def _token(number: int) -> str:
    return f"mcm_{number:043}"


@contextmanager
def _logging_to_nowhere() -> Iterator[None]:
    """Requests are logged with the usual settings, so that this counts, but the output is discarded."""
    with logging_restored(), patch.object(sys, "stderr", TextIOWrapper(BytesIO())):
        configure(json=True)
        yield


@asynccontextmanager
async def server(database_url: str) -> AsyncIterator[Server]:
    """A server on a migrated database without games. Nothing happens there by time."""
    with (
        counting(),
        _logging_to_nowhere(),
        patch("mcmulti.api.service.SteadyClock", partial(SteadyClock, wall=lambda: NOW, passed=lambda: 0.0)),
        patch("mcmulti.api.service.KEY_SECONDS", inf),
        patch("mcmulti.api.telling.ladder.AGE", inf),
    ):
        # Each connection prepares a statement after five uses. A pool of one connection warms up fastest.
        async with CountedLog.open(database_url, pool_size=1) as log:
            await log.heads([])  # opens the connection for these queries
            ours = Server(log)
            await ours.admit_players()
            ours.service.callers.told = True  # tokens are cached, as on a server that is notified of revocations
            yield ours
