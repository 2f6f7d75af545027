"""Everything about the server, side by side on one PostgreSQL: limits, a peer, commands, reads, streams, growth.

PostgreSQL has fsync and synchronous_commit on, as it always has here. Servers are processes of their own that log as in
production.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg

from benchmarks import commands, footprint, growth, limits, reads, streams
from benchmarks.commands import Games
from benchmarks.comparisons import AGGREGATES, AIMS, FUNCTIONS, REBUILT, SAVES
from benchmarks.figures import Item, Measure, Taken
from benchmarks.processes import bare_server, our_server
from benchmarks.scale import Scale
from mcmulti.cli.bench.games import PreparedGame
from mcmulti.events.ports.log import Log
from mcmulti.server.database import embedded, opened_log

__all__ = ["AIMS", "ITEMS"]

ROUNDS = 5
"""As in `benchmarks.suite`."""
CONNECTIONS = 300
"""Connections of PostgreSQL, enough for all measurements: several servers, and the clients of pgbench."""


class Bench(NamedTuple):
    """What all items of a run share."""

    conninfo: str
    folder: Path
    log: Log
    games: Games


_shared: dict[int, Bench] = {}
_long_games: dict[int, PreparedGame] = {}


async def shared(exits: AsyncExitStack) -> Bench:
    """The PostgreSQL of this run, with the log in it. The first item that needs it starts it."""
    if (bench := _shared.get(id(exits))) is not None:
        return bench
    folder = Path(exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
    async with embedded(folder) as conninfo:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET max_connections = {CONNECTIONS}".encode())
    conninfo = await exits.enter_async_context(embedded(folder))
    log = await exits.enter_async_context(opened_log(conninfo))
    limits.prepare(conninfo)
    _shared[id(exits)] = Bench(conninfo, folder, log, Games(log))
    exits.callback(_shared.pop, id(exits))
    return _shared[id(exits)]


async def _long_game(scale: Scale, exits: AsyncExitStack) -> PreparedGame:
    """The game that is read and loaded. The first item that needs it plays it."""
    if id(exits) not in _long_games:
        bench = await shared(exits)
        _long_games[id(exits)] = await reads.long_game(bench.log, bench.games, scale.read)
        exits.callback(_long_games.pop, id(exits))
    return _long_games[id(exits)]


async def _limits(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    conninfo = (await shared(exits)).conninfo
    return [
        *(limits.pgbench(conninfo, clients, scale.seconds) for clients in limits.CLIENTS),
        limits.pgbench(conninfo, 64, scale.seconds, pipelined=True),
        limits.psycopg_alone(conninfo, scale.seconds),
    ]


async def _bare_handlers(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    port, seconds = exits.enter_context(bare_server((await shared(exits)).conninfo)), scale.seconds
    return [commands.bare(port, path, figure, clients, seconds) for path, figure, clients in commands.BARE]


async def _saves(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    from benchmarks import peer

    conninfo = (await shared(exits)).conninfo
    candidates = [*((figure, threads) for threads, figure in SAVES.items()), (FUNCTIONS, 16), (AGGREGATES, 16)]
    return [peer.saving(conninfo, figure, threads, scale.seconds) for figure, threads in candidates]


async def _commands(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    bench = await shared(exits)
    server = exits.enter_context(our_server(bench.folder))
    over_http = [
        commands.commands(bench.games, server.port, clients, scale, commands.HTTP) for clients in commands.CLIENTS
    ]
    return [*over_http, commands.in_process(bench.log, bench.games, scale.seconds)]


async def _workers(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    bench = await shared(exits)
    server = exits.enter_context(our_server(bench.folder, "--workers", "2"))
    return [
        commands.commands(bench.games, server.port, clients, scale, commands.WORKERS) for clients in commands.WORKERS
    ]


async def _reads(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    bench = await shared(exits)
    game = await _long_game(scale, exits)
    server = exits.enter_context(our_server(bench.folder))
    answers = Path(exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-")))
    over_http = reads.over_http(bench.conninfo, server.port, game, scale.read, answers, scale.seconds / 2, exits)
    return [*over_http, partial(reads.loading, bench.log, game.game_id, scale.read, scale.seconds / 2)]


async def _rebuilding(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    from benchmarks import peer

    bench = await shared(exits)
    game = await _long_game(scale, exits)
    data = [event.data for event in await bench.log.read(game.game_id, 0, scale.read)]
    rebuilding = await asyncio.to_thread(peer.Rebuilding, bench.conninfo, data, exits)
    return [partial(rebuilding.measure, scale.read, scale.seconds / 2)]


async def _streams(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    bench = await shared(exits)
    server, seconds = exits.enter_context(our_server(bench.folder)), scale.stream_seconds
    return [
        streams.delays(bench.games, server.port, streams.MANY, scale.readers, scale.followed, 100, seconds),
        streams.delays(bench.games, server.port, streams.CROWD, scale.crowd, 1, 20, seconds),
    ]


async def _sizes(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    bench = await shared(exits)

    async def measure() -> Taken:
        with our_server(bench.folder) as server:
            return await footprint.cached(bench.games, server, scale.cached)()

    return [measure, partial(footprint.on_disk, bench.conninfo)]


async def _start_ups(_: Scale, __: AsyncExitStack) -> list[Measure]:
    return [footprint.start_up]


async def _growth(scale: Scale, exits: AsyncExitStack) -> Sequence[Measure]:
    bench = await shared(exits)
    steps = max(growth.BLOCK, round(200 * scale.seconds))
    lengths = growth.Lengths(bench.log, bench.games, scale.long)
    await lengths.grow(scale.rounds or ROUNDS, steps)
    few = await exits.enter_async_context(growth.filled(bench.conninfo, "few", 0))
    many = await exits.enter_async_context(growth.filled(bench.conninfo, "many", scale.many))
    return [lengths.alternating(steps), growth.fullness(few, many, scale.seconds)]


ITEMS = (
    Item("limits", _limits, limits.FIGURES),
    Item("bare", _bare_handlers, tuple(figure for _, figure, _ in commands.BARE)),
    Item("saves", _saves, (*SAVES.values(), FUNCTIONS, AGGREGATES), ("eventsourcing",)),
    Item("commands", _commands, commands.FIGURES),
    Item("workers", _workers, commands.WORKER_FIGURES),
    Item("reads", _reads, reads.FIGURES),
    Item("rebuilding", _rebuilding, tuple(REBUILT.values()), ("eventsourcing",)),
    Item("streams", _streams, streams.FIGURES),
    Item("sizes", _sizes, footprint.SIZES),
    Item("start-up", _start_ups, footprint.STARTS),
    Item("growth", _growth, growth.FIGURES),
)
