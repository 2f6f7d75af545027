"""A fault campaign on a real Citus cluster: nothing acknowledged is lost, and unaffected games continue."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest

from mcmulti.events.cluster.citus import distribute
from mcmulti.events.cluster.spread import SpreadLog
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.migrate import known_migrations, migrate
from mcmulti.referee.clock import SteadyClock
from tests.events.later import know, later
from tests.needs import found
from tests.scripted_clock import Server
from tests.slow.cluster.nodes import PATIENCE, Cluster, cluster_at
from tests.slow.cluster.writers import Writers, logs_at, writers_of

pytestmark = [pytest.mark.needs("CITUS_URL"), pytest.mark.timeout(900)]

GAMES = 12
_NODES_WITH_GAMES = """
    SELECT count(DISTINCT groupid) FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
    WHERE logicalrelid = 'game'::regclass
"""
OUTAGE = 8.0
"""Seconds: longer than servers wait for a node."""


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with cluster_at(found("CITUS_URL")) as cluster:
        yield cluster


async def test_nothing_acknowledged_is_lost(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a database is distributed, nodes join, shards move, nodes fail in three ways, and a migration runs."""
    await migrate(cluster.url(0))
    async with logs_at(cluster.url(0), cluster.url(0)) as plain:
        writers = Writers(plain, await writers_of(plain[0], GAMES))
        async with writers.writing():
            await writers.all_write()
            assert await distribute(cluster.url(0)) == "done"
            await writers.all_write()
            async with logs_at(cluster.url(0), cluster.url(1)) as spread, AsyncExitStack() as schedulers:
                writers.logs = spread
                for log in spread:
                    await schedulers.enter_async_context(Server(log, SteadyClock()).scheduler.running())
                await writers.all_write()

                before = len(writers.refusals)
                cluster.join(2)
                await asyncio.to_thread(cluster.rebalance)
                await writers.all_write()
                assert writers.refusals[before:] == [], "shards that move make nobody wait"
                assert cluster.sql(0, _NODES_WITH_GAMES) == [(2,)]

                for node in (1, 2, 0):
                    for fail in _faults(cluster):
                        await asyncio.to_thread(fail, node)
                        await writers.all_write()

                know(monkeypatch, *known_migrations(), later())
                assert await migrate(cluster.url(0)) == [later().name]
                await writers.all_write()
        print(f"{writers.acknowledged} appends were acknowledged, {len(writers.refusals)} refused")
        for writer in writers.writers:
            await writer.check(plain[0])


def _faults(cluster: Cluster) -> list[Callable[[int], None]]:
    return [cluster.crash, lambda node: cluster.stop(node, OUTAGE), lambda node: cluster.hang(node, OUTAGE)]


async def _spread(cluster: Cluster) -> None:
    await migrate(cluster.url(0))
    cluster.join(2)
    assert await distribute(cluster.url(0)) == "done"


async def _game_on(server: Server, log: Log, node: int, seconds: int) -> UUID:
    """A game with a clock that lives on a node."""
    while True:
        game_id = await server.begin(move_seconds=seconds)
        if log.node_of(game_id) == node:
            return game_id


async def test_deadlines_of_a_node_are_kept_whatever_else_is_down(cluster: Cluster) -> None:
    """The other worker and the coordinator stop. A clock of the remaining worker runs on, and nobody is late.

    Games of the other worker get its outage back. Those of this one only get the time that the machine stood still.
    """
    await _spread(cluster)
    async with logs_at(cluster.url(1)) as (log,):
        assert isinstance(log, SpreadLog)
        clock = SteadyClock()
        await clock.ask(log)
        server = Server(log, clock)
        here, other = sorted(log._nodes, key=lambda node: str(node.port) != cluster.nodes[1][1])
        await log.keep_time()  # nobody has since the database was created
        game_id = await _game_on(server, log, here.number, 5)
        patient = [await _game_on(server, log, node.number, 3600) for node in (here, other)]
        until = [await _deadline(log, each) for each in patient]
        async with server.scheduler.running():
            for node in (2, 0):
                stopped = asyncio.create_task(asyncio.to_thread(cluster.stop, node, 15.0))
                await _until(lambda: bool(log.nodes_away()))
                seq = (await log.game(game_id)).head.seq
                async with server.referee.feed(game_id) as feed:
                    assert await feed.moved(seq, PATIENCE)
                assert log.nodes_away(), "it went on while the node was away"
                await stopped
                await _until(lambda: not log.nodes_away())
        events = await log.read(game_id)
        given = [await _deadline(log, each) - at for each, at in zip(patient, until, strict=True)]
    assert given[1] - given[0] > timedelta(seconds=5), given
    waited = [
        (after.recorded_at - before.recorded_at).total_seconds()
        for before, after in pairwise(events)
        if after.type == "MovedUnasked" and after.recorded_at > before.recorded_at
    ]
    print(f"a clock of 5 s fired after {min(waited):.2f} to {max(waited):.2f} s")


async def _deadline(log: Log, game_id: UUID) -> datetime:
    deadline = (await log.game(game_id)).deadline
    assert deadline is not None
    return deadline


async def _until(there: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not there():  # noqa: ASYNC110 - what is waited for has no bell
            await asyncio.sleep(0.1)
