"""The items that are measured, each as the measurements of one round. They share a Postgres and a log.

a pgbench; b bare handlers; c the package eventsourcing; d commands; e two workers; f reads; g streams; h memory and
disk; i start-up; j growth.
"""

import asyncio
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks import commands, footprint, growth, limits, peer, reads, streams
from benchmarks.commands import Games
from benchmarks.figures import Measure, Taken
from benchmarks.processes import bare_server, our_server
from mcmulti.events.log import Log


class Scale(NamedTuple):
    """How much is measured: rounds, seconds of each measurement, games and readers."""

    rounds: int
    seconds: float
    cached: int = 150
    readers: int = 1000
    followed: int = 100
    crowd: int = 200
    stream_seconds: float = 5.0
    long: int = growth.LONG
    many: int = growth.MANY


QUICK = Scale(1, 0.3, cached=20, readers=100, followed=10, crowd=20, stream_seconds=1.0, long=500, many=1000)


class Bench(NamedTuple):
    """What all measurements share."""

    conninfo: str
    folder: Path
    log: Log
    games: Games
    scale: Scale
    exits: AsyncExitStack


async def limits_of(bench: Bench) -> list[Measure]:
    """a: pgbench, and psycopg alone."""
    conninfo, seconds = bench.conninfo, bench.scale.seconds
    return [
        *(limits.pgbench(conninfo, clients, seconds) for clients in limits.CLIENTS),
        limits.pgbench(conninfo, 64, seconds, pipelined=True),
        limits.psycopg_alone(conninfo, seconds),
    ]


async def bare_handlers(bench: Bench) -> list[Measure]:
    """b: the bare handlers."""
    port, seconds = bench.exits.enter_context(bare_server(bench.conninfo)), bench.scale.seconds
    return [
        commands.bare(port, "/queue", commands.ONE_ROW, 64, seconds),
        commands.bare(port, "/pool", commands.ONE_ROW_POOL, 64, seconds),
        commands.bare(port, "/batch", commands.BATCHED, 64, seconds),
        commands.bare(port, "/append", commands.WITHOUT_RULES, 64, seconds),
        commands.bare(port, "/nothing", commands.NOTHING, 64, seconds),
        commands.bare(port, "/nothing", commands.NOTHING_MEAN, 1, seconds),
    ]


async def saves(bench: Bench) -> list[Measure]:
    """c: the same events saved by eventsourcing."""
    candidates = [*((figure, threads) for threads, figure in peer.SAVES.items()), (peer.FUNCTIONS, 16)]
    return [
        peer.saving(bench.conninfo, figure, threads, bench.scale.seconds)
        for figure, threads in (*candidates, (peer.AGGREGATES, 16))
    ]


async def whole_commands(bench: Bench) -> list[Measure]:
    """d: ours, over HTTP and in process."""
    server = bench.exits.enter_context(our_server(bench.folder))
    over_http = [
        commands.commands(bench.games, server.port, clients, bench.scale.seconds, commands.HTTP)
        for clients in commands.CLIENTS
    ]
    return [*over_http, commands.in_process(bench.log, bench.games, bench.scale.seconds)]


async def two_workers(bench: Bench) -> list[Measure]:
    """e: the same with two workers."""
    server = bench.exits.enter_context(our_server(bench.folder, "--workers", "2"))
    return [
        commands.commands(bench.games, server.port, clients, bench.scale.seconds, commands.WORKERS)
        for clients in (64, 256)
    ]


async def all_reads(bench: Bench) -> list[Measure]:
    """f: reads over HTTP, and loading."""
    game = await reads.long_game(bench.log, bench.games)
    server = bench.exits.enter_context(our_server(bench.folder))
    answers = Path(bench.exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-")))
    seconds = bench.scale.seconds / 2
    over_http = reads.over_http(bench.conninfo, server.port, game, answers, seconds, bench.exits)
    data = [event.data for event in await bench.log.read(game.game_id, 0, reads.LENGTH)]
    rebuilding = await asyncio.to_thread(peer.Rebuilding, bench.conninfo, data, bench.exits)
    return [*over_http, partial(reads.loading, bench.log, game.game_id, rebuilding, seconds)]


async def all_streams(bench: Bench) -> list[Measure]:
    """g: readers of streams."""
    server, scale = bench.exits.enter_context(our_server(bench.folder)), bench.scale
    games, seconds = bench.games, scale.stream_seconds
    return [
        streams.delays(games, server.port, scale.readers, scale.followed, 100, seconds),
        streams.delays(games, server.port, scale.crowd, 1, 20, seconds),
    ]


async def sizes(bench: Bench) -> list[Measure]:
    """h: memory and disk."""

    async def measure() -> Taken:
        with our_server(bench.folder) as server:
            return await footprint.cached(bench.games, server, bench.scale.cached)()

    return [measure, partial(footprint.on_disk, bench.conninfo)]


async def start_ups(_: Bench) -> list[Measure]:
    """i: start-up."""
    return [footprint.start_up]


async def growing(bench: Bench) -> list[Measure]:
    """j: long games, full tables."""
    scale, steps = bench.scale, max(growth.BLOCK, round(200 * bench.scale.seconds))
    lengths = growth.Lengths(bench.log, bench.games, scale.long)
    await lengths.grow(scale.rounds, steps)
    few = await bench.exits.enter_async_context(growth.filled(bench.conninfo, "few", 0))
    many = await bench.exits.enter_async_context(growth.filled(bench.conninfo, "many", scale.many))
    return [lengths.alternating(steps), growth.fullness(few, many, scale.seconds)]


PARTS = {
    "a": limits_of,
    "b": bare_handlers,
    "c": saves,
    "d": whole_commands,
    "e": two_workers,
    "f": all_reads,
    "g": all_streams,
    "h": sizes,
    "i": start_ups,
    "j": growing,
}
"""What measures each item."""
