"""The log in a distributed database, with a stand-in for the cluster: queries to each node, and effects of failures."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection

from mcmulti.events.cluster import timekeeping
from mcmulti.events.cluster.nodes import hash_of
from mcmulti.events.cluster.spread import SpreadLog, open_log
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.referee.referee import Referee
from tests.events.cluster import NODES, fail, heal, known_away, move_shards, nodes_of, spread
from tests.events.cluster_sql import PRINT, Catalog, printed
from tests.events.log_contract import NOON, LogContract, next_events, open_game
from tests.scripted_clock import HOUR, Clock, Server, closings

PATIENCE = 0.6
BOUND = PATIENCE / 3 + 3 * PATIENCE + 15.0
"""Seconds: to get a place in a batch, for a connection, for its response, and for a busy machine."""
MANY = 10
"""Calls that would together wait much longer than a busy machine takes for them."""


@pytest.fixture
async def cluster(database: str) -> AsyncIterator[str]:
    async with spread(database) as there:
        yield there


@pytest.fixture
async def log(cluster: str) -> AsyncIterator[SpreadLog]:
    async with SpreadLog.open(cluster, pool_size=4, patience=PATIENCE) as log:
        yield log


class UnderstoodLog(SpreadLog):
    """Keeps its statements as PostgreSQL has analyzed them."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.understood: set[str] = set()

    async def _configure(self, connection: AsyncConnection) -> None:
        await super()._configure(connection)
        connection.add_notice_handler(lambda notice: self.understood.add(printed(notice) or ""))
        await connection.execute(PRINT)

    def refusals(self, database: str) -> list[str]:
        """Why a cluster would refuse some of them."""
        catalog = Catalog.of(database)
        return [why for statement in self.understood - {""} for why in catalog.refusals(statement)]


class TestSpreadLog(LogContract):
    @pytest.fixture
    async def log(self, cluster: str) -> AsyncIterator[SpreadLog]:
        """A cluster would refuse none of its statements."""
        async with UnderstoodLog.open(cluster, pool_size=4, patience=6.0) as log:
            yield log
        assert log.refusals(cluster) == []

    async def test_what_a_cluster_refuses_would_be_found(self, cluster: str) -> None:
        async with UnderstoodLog.open(cluster, pool_size=4, patience=6.0) as log:
            await log._one_row(None, "SELECT id FROM game WHERE status = %s FOR UPDATE", "open")
            assert log.refusals(cluster) == ["game: FOR UPDATE of several games"]

    async def test_time_that_nobody_kept_is_given_back_once(self, cluster: str, log: Log) -> None:
        """An hour, and the duration of the test: at most a minute. Each shard has a gap of its own."""
        game_id, deadline = await open_game(log), datetime.now(UTC) + HOUR
        head, events = (await log.game(game_id)).head, await next_events(log, game_id)
        await log.append(game_id, head, events, TableRow("running", deadline=deadline))
        with psycopg.connect(cluster) as owner:
            owner.execute("UPDATE heartbeat SET at = now() - interval '1 hour'")
        given = await log.keep_time()
        assert HOUR <= given < HOUR + timedelta(minutes=1)
        moved = (await log.game(game_id)).deadline
        assert moved is not None
        assert deadline + HOUR <= moved <= deadline + given
        assert await log.keep_time() == timedelta()


async def a_game_each(log: Log) -> dict[int, UUID]:
    """One game on each node."""
    games: dict[int, UUID] = {}
    while len(games) < len(NODES):
        game_id = await open_game(log)
        games[log.node_of(game_id)] = game_id
    return games


def test_ids_are_hashed_as_the_database_does(database: str) -> None:
    ids = [uuid4() for _ in range(1000)] + [UUID(int=0), UUID(int=2**128 - 1)]
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT id, uuid_hash(id) FROM unnest(%s::uuid[]) AS id", (ids,)).fetchall()
    assert {game_id: hash_of(game_id) for game_id in ids} == dict(rows)


async def test_a_game_is_known_to_be_where_the_catalogs_say(cluster: str, log: SpreadLog) -> None:
    games = [uuid4() for _ in range(200)]
    assert {game_id: log.node_of(game_id) for game_id in games} == nodes_of(cluster, games)
    assert {log.node_of(game_id) for game_id in games} == {2, 3}


async def test_which_log_it_is_follows_from_the_database(cluster: str) -> None:
    async with open_log(cluster, pool_size=2) as log:
        assert type(log) is SpreadLog


async def test_one_postgresql_has_the_plain_log(database: str) -> None:
    async with open_log(database, pool_size=2) as log:
        assert type(log) is PostgresLog
        assert (log.node_of(uuid4()), log.nodes_away()) == (0, ())


async def test_games_on_living_nodes_go_on_while_one_hangs(cluster: str, log: SpreadLog) -> None:
    """Ten calls wait for the hanging node, with a pool of four. An append to another node ends before any of them."""
    games = await a_game_each(log)
    head, following = (await log.heads([games[3]]))[games[3]], await next_events(log, games[3])
    fail(cluster, 2, hangs=True)
    started = time.monotonic()
    hanging = [asyncio.create_task(log.read(games[2])) for _ in range(10)]
    await asyncio.sleep(0)
    await log.append(games[3], head, following, TableRow("running"))
    assert not any(call.done() for call in hanging), "the others waited as long as those who wait for the node"
    outcomes = await asyncio.gather(*hanging, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {LogUnavailable}
    assert time.monotonic() - started < BOUND


async def test_a_node_that_is_known_to_be_away_keeps_nobody_waiting_and_is_found_again(
    cluster: str, log: SpreadLog
) -> None:
    games = await a_game_each(log)
    fail(cluster, 2, hangs=True)
    with pytest.raises(LogUnavailable):
        await log.read(games[2])
    assert log.nodes_away() == ["node 2"]
    await log.ready()
    started = time.monotonic()
    for _ in range(100):
        with pytest.raises(LogUnavailable, match="node 2 is not responding"):
            await log.read(games[2])
    assert time.monotonic() - started < 100 * PATIENCE / 3
    heal(cluster)
    await known_away(log)
    assert len(await log.read(games[2])) == 1


async def test_a_node_that_nobody_watches_any_more_is_watched_when_it_is_asked_for(
    cluster: str, log: SpreadLog
) -> None:
    games = await a_game_each(log)
    fail(cluster, 2, hangs=False)
    with pytest.raises(LogUnavailable):
        await log.read(games[2])
    log._watching[2].cancel()
    await asyncio.sleep(0.1)
    heal(cluster)
    with pytest.raises(LogUnavailable):
        await log.read(games[2])
    await known_away(log)
    assert len(await log.read(games[2])) == 1


async def test_a_log_all_of_whose_nodes_are_away_is_not_ready(cluster: str, log: SpreadLog) -> None:
    games = await a_game_each(log)
    for node, game_id in games.items():
        fail(cluster, node, hangs=False)
        with pytest.raises(LogUnavailable):
            await log.read(game_id)
    with pytest.raises(LogUnavailable, match="no node answers"):
        await log.ready()
    heal(cluster)
    await known_away(log)
    await log.ready()


@pytest.mark.parametrize("hangs", [True, False])
async def test_lists_tell_of_the_nodes_that_answer_and_what_is_missing(
    cluster: str, log: SpreadLog, *, hangs: bool
) -> None:
    games = await a_game_each(log)
    fail(cluster, 3, hangs=hangs)
    for _ in range(2):  # the first one notices
        away: set[str] = set()
        listed = {game.game_id for game in await log.games(100, away=away)}
        assert games[2] in listed
        assert {log.node_of(game_id) for game_id in listed} == {2}
        assert away == {"node 3"}
    with pytest.raises(LogUnavailable):
        await log.games(100)
    heal(cluster)
    await known_away(log)
    assert set(games.values()) <= {game.game_id for game in await log.games(100)}


@pytest.mark.parametrize("hangs", [True, False])
async def test_deadlines_of_living_nodes_are_kept_while_another_is_away(
    cluster: str, log: SpreadLog, *, hangs: bool
) -> None:
    clock = Clock()
    server = Server(log, clock)
    games: dict[int, UUID] = {}
    while len(games) < len(NODES):
        game_id = await server.start(round_hours=1)
        games[log.node_of(game_id)] = game_id
    fail(cluster, 2, hangs=hangs)
    clock.now += HOUR + timedelta(minutes=1)
    with pytest.raises(LogUnavailable, match="of the database node 2 is away"):
        await server.look()
    assert len(closings(await log.read(games[3]))) == 1
    started = time.monotonic()
    for _ in range(MANY):
        with pytest.raises(LogUnavailable, match="of the database node 2 is away"):
            await server.look()
    assert time.monotonic() - started < MANY * PATIENCE / 2, "a node that is known to be away is not waited for"
    heal(cluster)
    await known_away(log)
    assert await server.look() >= 1
    assert len(closings(await log.read(games[2]))) == 1


async def test_a_server_that_starts_while_a_node_is_away_keeps_the_deadlines_of_the_others(cluster: str) -> None:
    clock = Clock()
    async with SpreadLog.open(cluster, pool_size=4, patience=PATIENCE) as log:
        server = Server(log, clock)
        games: dict[int, UUID] = {}
        while len(games) < len(NODES):
            game_id = await server.start(round_hours=1)
            games[log.node_of(game_id)] = game_id
    fail(cluster, 3, hangs=False)
    clock.now += HOUR + timedelta(minutes=1)
    async with SpreadLog.open(cluster, pool_size=4, patience=PATIENCE) as log:
        with pytest.raises(LogUnavailable, match="of the database node 3 is away"):
            await Server(log, clock).look()
        assert len(closings(await log.read(games[2]))) == 1


async def test_nobody_registers_while_a_node_is_away_and_nobody_waits_for_it(cluster: str, log: SpreadLog) -> None:
    """Every node keeps all players, so registered players are known even then."""
    ann = Player(uuid4(), "Ann")
    await log.add_player(ann, first_token(NOON), bytes(32))
    fail(cluster, 3, hangs=True)
    with pytest.raises(LogUnavailable):
        await log.add_player(Player(uuid4(), "Ben"), first_token(NOON), bytes(31) + b"b")
    await known_away(log, "node 3")
    started = time.monotonic()
    for _ in range(MANY):
        with pytest.raises(LogUnavailable, match="node 3 is not responding, and holds all players"):
            await log.add_player(Player(uuid4(), "Ben"), first_token(NOON), bytes(31) + b"b")
        holder = await log.holder(bytes(32))
        assert holder is not None
        assert holder.player == ann
    assert time.monotonic() - started < MANY * PATIENCE / 2


async def test_shards_that_moved_are_found_where_they_are_now(cluster: str, log: SpreadLog) -> None:
    """A node reports that it does not have a table. Nobody notices anything else."""
    games = await a_game_each(log)
    move_shards(cluster)
    assert {log.node_of(game_id) for game_id in games.values()} == {2, 3}
    assert set(games.values()) <= {game.game_id for game in await log.games(100)}
    assert {log.node_of(game_id) for game_id in games.values()} == {3}


async def test_readers_of_a_game_follow_it_while_another_node_hangs(cluster: str, log: SpreadLog) -> None:
    """Appends of another server reach them. Those for the game on that node wait."""
    async with SpreadLog.open(cluster, pool_size=4, patience=PATIENCE) as other:
        clock = Clock()
        games: dict[int, UUID] = {}
        server = Server(other, clock)
        while len(games) < len(NODES):
            game_id = await server.start(round_hours=1)
            games[other.node_of(game_id)] = game_id
        readers = Referee(log)
        async with readers.feed(games[2]) as stuck, readers.feed(games[3]) as feed:
            fail(cluster, 2, hangs=True)
            await asyncio.sleep(1.1)
            for _ in range(2):
                seq = feed.position.head.seq
                clock.now += HOUR + timedelta(minutes=1)
                with suppress(LogUnavailable):
                    await server.look()
                assert await feed.moved(seq, 3.0)
            assert stuck.position.head.seq < feed.position.head.seq


async def test_time_is_noted_on_each_node_at_once(
    cluster: str, log: SpreadLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For all its shards, as of one moment of its clock. A slower server does not set anything back."""
    monkeypatch.setattr(timekeeping, "OUTAGE", timedelta(days=1))  # no matter how slow the machine is
    with psycopg.connect(cluster, autocommit=True) as owner:
        owner.execute("UPDATE heartbeat SET at = now() - interval '3 seconds'")
        (began,) = owner.execute("SELECT now()").fetchall()
        assert await log.keep_time() == timedelta()
        kept = owner.execute("SELECT at FROM heartbeat ORDER BY at").fetchall()
        assert kept[0] >= began
        assert len(set(kept)) == len(NODES) < len(kept)
        for node in log._nodes:
            await log._beat(node, {shard.place for shard in node.shards}, *began)
        assert owner.execute("SELECT at FROM heartbeat ORDER BY at").fetchall() == kept


def test_what_is_asked_again_is_planned_once(database: str) -> None:
    """Call the function itself, which the stand-in replaces with one that can fail."""
    moved = "SELECT $1 + interval '1 day'"
    with psycopg.connect(database) as connection:
        connection.execute("SET TIME ZONE 'UTC'")
        said = [
            connection.execute("SELECT ask_node_again(%s, %s, %s)", (UUID(int=0), query, moment)).fetchone()
            for moment in (NOON, NOON + HOUR)
            for query in (moved, f"{moved} - interval '1 hour'")
        ]
        plans = connection.execute("SELECT generic_plans, custom_plans FROM pg_prepared_statements").fetchall()
    assert said == [(f"2024-03-01 {time}:00:00.123456+00",) for time in (12, 11, 13, 12)]
    assert plans == [(2, 0), (2, 0)]
