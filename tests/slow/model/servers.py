"""The servers that are compared with the model: two on one PostgreSQL, in this process or as processes."""

import asyncio
import signal
import tempfile
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any, Protocol
from unittest.mock import patch
from uuid import UUID

import httpx
import psycopg
from httpx import ASGITransport, AsyncClient
from litestar.types import ASGIApp

from mcmulti.api.app import application
from mcmulti.api.service import Service
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.referee.scheduler import DeadlineScheduler
from tests.cli.command import Command, running
from tests.scripted_clock import NOON, Clock
from tests.slow.model.asked import Answer, Caller, Request, seen
from tests.slow.model.model import Drawn

NUMBER = 2
TABLES = (
    "event",
    "question",
    "snapshot",
    "receipt",
    "seat",
    "tenure",
    "secret",
    "game",
    "token",
    "player",
    "visitor",
    "signing_key",
)
PATIENCE = 60.0
"""Seconds that a server may take to come back."""
HEARING = 5.0
"""Seconds that servers may take to learn that a token was revoked."""


class Owned:
    """What the owner of the database reads there, and no client can."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._connection = psycopg.connect(database, autocommit=True)

    def carry_out(self, work: Callable[[Log], Coroutine[Any, Any, None]]) -> None:
        """Change the log without any server."""

        async def done() -> None:
            async with PostgresLog.open(self._database, pool_size=1) as log:
                await work(log)

        asyncio.run(done())

    def secret(self, game: UUID) -> bytes:
        """The secret that a game's dice come from. Zeros if there is no such game."""
        row = self._connection.execute("SELECT seed FROM secret WHERE game_id = %s", (game,)).fetchone()
        return bytes(32) if row is None else bytes(row[0])

    def drawn(self, game: UUID, after: int) -> list[Drawn]:
        """What was drawn for the events of a game after this one."""
        query = "SELECT recorded_at, command_id FROM event WHERE game_id = %s AND seq > %s ORDER BY seq"
        return [Drawn(*row) for row in self._connection.execute(query, (game, after)).fetchall()]

    def close(self) -> None:
        """Disconnect from the database."""
        self._connection.close()


class Servers(Protocol):
    """Some servers on one database. `clock` is theirs, where a test can set it."""

    database: str
    clock: Clock | None

    def ask(self, request: Request, server: int) -> Answer:
        """Send a request to one of them."""

    def ask_at_once(self, requests: Sequence[tuple[Request, int]]) -> list[Answer]:
        """Send requests to some of them at the same time."""

    def restart(self, server: int, *, killed: bool) -> None:
        """End one of them, properly or not, and restart it."""

    def keep_deadlines(self, server: int) -> None:
        """Let one of them check the clock."""

    def hear_that_nobody_holds(self, caller: Caller) -> None:
        """Give each of them time to learn that a token is invalid."""


Changed = Callable[[ASGIApp], ASGIApp]
Spoiled = Callable[[Service], None]


class _Here:
    """What a server of this process has: its connections to the log, its routes, and its caches."""

    def __init__(self, log: PostgresLog, clock: Clock, changed: Changed, spoiled: Spoiled) -> None:
        self._clock = clock
        self._spoiled = spoiled
        self._app = application(log)
        transport = ASGITransport(changed(self._app))  # type: ignore[arg-type]
        self.client = AsyncClient(transport=transport, base_url="http://mcmulti")
        self.begin(log)

    def begin(self, log: PostgresLog) -> None:
        """Know nothing but the log. The routes stay: they hold no data, and take long to build."""
        self.log = log
        self.service = self._app.state["service"] = Service(log)
        self.service.referee.clock = self._clock
        self._spoiled(self.service)
        self.scheduler = DeadlineScheduler(self.service.referee, log)


class HereServers:
    """Servers in this process, with a scripted clock. Killing one means to drop it without warning.

    Their ids, tokens, and dice come from a fixed seed. `changed` and `spoiled` make broken servers.
    """

    def __init__(
        self, database: str, changed: Changed = lambda app: app, spoiled: Spoiled = lambda service: None
    ) -> None:
        self.database = database
        self.clock: Clock | None = Clock()
        self._random = Random(0)
        self._patches = ExitStack()
        for source in ("os.urandom", "secrets.token_bytes"):  # uuid4 draws from the first
            self._patches.enter_context(patch(source, self._random.randbytes))
        self._runner = asyncio.Runner()
        self._stacks = [AsyncExitStack() for _ in range(NUMBER)]
        self._servers = [_Here(self._log(server), self.clock, changed, spoiled) for server in range(NUMBER)]

    def _log(self, server: int) -> PostgresLog:
        opening = PostgresLog.open(self.database, pool_size=2)
        return self._runner.run(self._stacks[server].enter_async_context(opening))

    def begin(self) -> None:
        """Start over, without any requests so far, and with an empty database."""
        assert self.clock is not None
        self.clock.now = NOON
        self._random.seed(0)
        self._runner.run(self._empty())
        for server in self._servers:
            server.begin(server.log)

    async def _empty(self) -> None:
        """On the event loop of the servers, where one of them may be in a transaction that it has to end first."""
        async with await psycopg.AsyncConnection.connect(self.database) as owner:
            for table in TABLES:
                await owner.execute(f"DELETE FROM {table}".encode())

    def ask(self, request: Request, server: int) -> Answer:
        """Send a request to one of them."""
        return self._runner.run(self._ask(request, server))

    def ask_at_once(self, requests: Sequence[tuple[Request, int]]) -> list[Answer]:
        """Send requests to some of them at the same time."""

        async def asked() -> list[Answer]:
            return await asyncio.gather(*(self._ask(request, server) for request, server in requests))

        return self._runner.run(asked())

    async def _ask(self, request: Request, server: int) -> Answer:
        return seen(
            await self._servers[server].client.request(
                request.method, request.path, params=dict(request.query), content=request.body, headers=request.sent
            )
        )

    def restart(self, server: int, *, killed: bool) -> None:
        """End one of them, properly or not, and restart it."""
        if not killed:
            self._servers[server].service.stop()
        self._runner.run(self._stacks[server].aclose())
        self._servers[server].begin(self._log(server))

    def keep_deadlines(self, server: int) -> None:
        """Let one of them check the clock."""
        self._runner.run(self._servers[server].scheduler.run_due())

    def hear_that_nobody_holds(self, caller: Caller) -> None:
        """They cache no tokens, so they need not learn it."""

    def close(self) -> None:
        """End them all."""
        for stack in self._stacks:
            self._runner.run(stack.aclose())
        self._runner.close()
        self._patches.close()


class Processes:
    """`mcmulti serve`, twice, by the machine's clock."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.clock: Clock | None = None
        self._all = ExitStack()
        self._folder = Path(self._all.enter_context(tempfile.TemporaryDirectory()))
        self._http = self._all.enter_context(httpx.Client(timeout=PATIENCE, trust_env=False))
        self._threads = self._all.enter_context(ThreadPoolExecutor(NUMBER))
        self._commands: list[Command] = []
        self._addresses: list[str] = []
        for server in range(NUMBER):
            self._begin(server)
        for server in range(NUMBER):
            self._await(server)

    def _begin(self, server: int) -> None:
        off = [f"--{limit}=off" for limit in ("rate-limit", "processor-time", "registrations", "new-games", "events")]
        arguments = ("serve", "--port=0", "--pool-size=2", *off, f"--database-url={self.database}")
        command = self._all.enter_context(running(*arguments, temporary=self._folder))
        self._commands[server:] = [command, *self._commands[server + 1 :]]

    def _await(self, server: int) -> None:
        address = self._commands[server].line("Serving at ")
        self._addresses[server:] = [address, *self._addresses[server + 1 :]]

    def ask(self, request: Request, server: int) -> Answer:
        """Send a request to one of them."""
        return seen(
            self._http.request(
                request.method,
                self._addresses[server] + request.path,
                params=dict(request.query),
                content=request.body,
                headers=request.sent,
            )
        )

    def ask_at_once(self, requests: Sequence[tuple[Request, int]]) -> list[Answer]:
        """Send requests to some of them at the same time."""
        return list(self._threads.map(lambda asked: self.ask(*asked), requests))

    def ask_and_kill(self, request: Request, server: int, after: float) -> None:
        """Send a request to one of them, and kill it after this many seconds, whether it has responded or not."""

        def asked() -> None:
            with suppress(httpx.TransportError):
                self.ask(request, server)

        asking = self._threads.submit(asked)
        time.sleep(after)
        self.restart(server, killed=True)
        asking.result()

    def restart(self, server: int, *, killed: bool) -> None:
        """End one of them with a signal, and restart it."""
        self._commands[server].interrupt(signal.SIGKILL if killed else signal.SIGTERM)
        self._begin(server)
        self._await(server)

    def keep_deadlines(self, server: int) -> None:
        """They do so themselves."""

    def hear_that_nobody_holds(self, caller: Caller) -> None:
        """The database notifies them."""
        until = time.monotonic() + HEARING
        for server in range(NUMBER):
            while self.ask(Request("GET", "/v1/players/me", caller), server).status != 401:
                assert time.monotonic() < until, "a server takes a token that is nobody's"
                time.sleep(0.01)

    def close(self) -> None:
        """End them all."""
        self._all.close()
