"""A server on its own database, measured from the database up to whole commands over HTTP."""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from math import ceil

import psycopg
from msgspec import Struct
from psycopg import AsyncConnection

from mcmulti.cli.bench import processors
from mcmulti.cli.bench.database import Probe, probe, warnings
from mcmulti.cli.bench.games import prepared
from mcmulti.cli.bench.limit import Bottleneck, limit
from mcmulti.cli.bench.load import LoadError, commanding, load, reading
from mcmulti.cli.bench.measured import Latency, Load, Usage
from mcmulti.cli.bench.scratch import scratch_database
from mcmulti.cli.bench.server import Served, served
from mcmulti.events.ports.errors import LogError
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.running import ServerError

POOL = 4
"""Connections used to prepare games; the server needs most of those available."""
WARM_UP = 40
"""Commands that each client sends before the clock starts."""
RESERVE = 1.5
"""How many times as many commands are prepared as the warm-up suggests."""


class LoadResult(Struct, frozen=True):
    """A load: number of clients, answers in how many seconds and per second, latencies, and processor use."""

    clients: int
    answers: int
    seconds: float
    per_second: int
    latency: Latency
    usage: Usage


class Report(Struct, frozen=True):
    """The whole measurement. `commands` has one entry for each number of clients; `reads` used the last of them.

    `limit`: the bottleneck in the last of `commands`.
    """

    processors: int
    workers: int
    database: Probe
    commands: Sequence[LoadResult]
    reads: LoadResult
    limit: Bottleneck
    warnings: Sequence[str]


async def bench(
    conninfo: str, clients: Sequence[int], seconds: float, workers: int, tell: Callable[[str], None]
) -> Report:
    """Measure a server with N workers, in a new database next to that of `conninfo`, which is dropped at the end.

    `tell` receives progress messages. Raises `ServerError`.
    """
    async with scratch_database(conninfo) as database:
        try:
            tell("Measuring the database")
            probed = await probe(database)
            tell("Starting a server")
            options = () if workers == 1 else ("--workers", str(workers))
            async with served(database, *options) as server, PostgresLog.open(database, pool_size=POOL) as log:
                bench = _Bench(server, log, database, seconds, tell)
                commands = [await bench.commands(number) for number in clients]
                reads = await bench.reads(clients[-1])
        except (LoadError, LogError, psycopg.Error) as error:
            raise ServerError(f"The measurement failed: {' '.join(str(error).split())}.") from error
    machine = os.cpu_count() or 1
    limited = limit(commands[-1].usage, workers, machine, probed)
    return Report(machine, workers, probed, commands, reads, limited, warnings(probed.settings))


class _Bench:
    """A server under a sequence of loads."""

    def __init__(self, server: Served, log: Log, database: str, seconds: float, tell: Callable[[str], None]) -> None:
        self._server = server
        self._log = log
        self._database = database
        self._seconds = seconds
        self._tell = tell
        self._seed = 0

    async def commands(self, clients: int) -> LoadResult:
        """Whole commands, a game a client."""
        warm_up = await self._load(await self._games(clients, WARM_UP), self._seconds)
        commands = ceil(RESERVE * warm_up.rate * self._seconds / clients) + WARM_UP
        players = await self._games(clients, commands)
        self._tell(f"Commands of {clients} clients, for {self._seconds:g} seconds")
        return await self._measured(players)

    async def reads(self, clients: int) -> LoadResult:
        """Reads of the game state, one game per client."""
        self._seed += 1
        games = await prepared(self._log, clients, commands=0, seed=self._seed)
        self._tell(f"Reads of {clients} clients, for {self._seconds:g} seconds")
        return await self._measured([repeat(reading(f"/v1/games/{g.game_id}", g.tokens[0])) for g in games])

    async def _games(self, clients: int, commands: int) -> list[Iterator[bytes]]:
        self._tell(f"Preparing {clients} games")
        self._seed += 1
        games = await prepared(self._log, clients, commands=commands, seed=self._seed)
        return [iter(list(commanding(game))) for game in games]

    async def _measured(self, clients: Sequence[Iterator[bytes]]) -> LoadResult:
        servers, postgres = processors.tree(self._server.pid), await self._postgres()
        before = processors.seconds(servers | postgres)
        busy = processors.busy_seconds()
        done = await self._load(clients, self._seconds)
        busy = processors.busy_seconds() - busy
        after = processors.seconds(servers | postgres)
        took = {pid: (total - before.get(pid, 0)) / done.seconds for pid, total in after.items()}
        database = [took.get(pid, 0) for pid in postgres]
        usage = Usage(
            round(sum(took.get(pid, 0) for pid in servers), 2),
            round(done.cpu_seconds / done.seconds, 2),
            round(sum(database), 2) if database else None,
            round(max(database), 2) if database else None,
            round(busy / done.seconds, 2),
        )
        return LoadResult(done.clients, done.answers, round(done.seconds, 2), round(done.rate), done.latency, usage)

    async def _load(self, clients: Sequence[Iterator[bytes]], seconds: float) -> Load:
        return await load(self._server.host, self._server.port, clients, seconds)

    async def _postgres(self) -> set[int]:
        """Processes of PostgreSQL that work for the measurement. Empty if it runs on another machine."""
        async with await AsyncConnection.connect(self._database, autocommit=True) as connection:
            cursor = await connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() OR datname IS NULL"
            )
            listed = [pid for (pid,) in await cursor.fetchall()]
            here = processors.seconds(listed, "postgres")
            return set(here) if connection.info.backend_pid in here else set()
