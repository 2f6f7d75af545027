"""Appends directly to the shards of a node, with views of one PostgreSQL as shards.

Only a real cluster shows whether a moving shard delays an append or makes it fail: tests/slow/cluster.
"""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import psycopg
import pytest
from psycopg import AsyncConnection, OperationalError
from structlog.testing import capture_logs

from mcmulti.events.cluster.direct import DirectAppends
from mcmulti.events.cluster.spread import SpreadLog
from mcmulti.events.log.envelope import Draft, broken_link, seal
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.appending import Append
from mcmulti.events.postgres.rights import SERVER_ROLE
from tests.events.cluster import spread
from tests.events.log_contract import NOON, draft, open_game

_HOLD = """
    CREATE OR REPLACE FUNCTION hold_shards(shards bigint[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
        {}
    END
    $$
"""


@pytest.fixture
async def cluster(database: str) -> AsyncIterator[str]:
    async with spread(database) as there:
        with psycopg.connect(there) as owner:
            owner.execute(_HOLD.format("").encode())
            owner.execute(f"GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO {SERVER_ROLE}".encode())
        yield there


@pytest.fixture
async def log(cluster: str) -> AsyncIterator[SpreadLog]:
    async with SpreadLog.open(cluster, pool_size=4) as log:
        yield log


@pytest.fixture
async def direct(log: SpreadLog) -> AsyncIterator[DirectAppends]:
    direct = DirectAppends(log._beside, log._nodes.shard_of, 10.0)
    yield direct
    await direct.close()


async def next_append(log: SpreadLog, game_id: UUID, *drafts: Draft) -> Append:
    head = (await log.game(game_id)).head
    events = seal(game_id, head, drafts or (draft(),), NOON)
    after = head._replace(seq=events[-1].seq, hash=events[-1].hash)
    return Append(game_id, head, after, events, TableRow("running"), None)


async def test_games_of_several_shards_are_appended_to_at_once(log: SpreadLog, direct: DirectAppends) -> None:
    games = [await open_game(log) for _ in range(12)]
    assert len({log._nodes.shard_of(game_id) for game_id in games}) > 1
    for _ in range(3):
        appends = [await next_append(log, game_id) for game_id in games]
        assert await asyncio.gather(*map(direct.append, appends)) == [True] * len(games)
    for game_id in games:
        events = await log.read(game_id)
        assert len(events) == 4
        assert broken_link(events) is None


async def test_of_two_appends_at_one_head_one_is_written(log: SpreadLog, direct: DirectAppends) -> None:
    append = await next_append(log, await open_game(log))
    assert sorted(await asyncio.gather(direct.append(append), direct.append(append))) == [False, True]
    assert len(await log.read(append.game_id)) == 2


async def test_what_players_write_is_no_sql(log: SpreadLog, direct: DirectAppends) -> None:
    """Quotes, backslashes, and what ends a statement come back byte by byte."""
    data = rb"""{"said":"'; DROP TABLE game; -- \\' \" $$ %s \u0000"}"""
    append = await next_append(log, await open_game(log), draft(data))
    assert await direct.append(append)
    assert (await log.read(append.game_id))[-1].data == data


async def test_nothing_is_written_to_a_shard_that_has_moved(
    cluster: str, log: SpreadLog, direct: DirectAppends
) -> None:
    append = await next_append(log, await open_game(log))
    with psycopg.connect(cluster) as owner:
        owner.execute(_HOLD.format("RAISE EXCEPTION 'a shard has moved';").encode())
    assert not await direct.append(append)
    assert len(await log.read(append.game_id)) == 1
    with psycopg.connect(cluster) as owner:
        owner.execute(_HOLD.format("").encode())
    assert await direct.append(append)


async def test_a_node_that_cannot_be_reached_is_left_alone_for_a_while(log: SpreadLog) -> None:
    async def unreachable() -> AsyncConnection:
        raise OperationalError("no route to host")

    direct = DirectAppends(unreachable, log._nodes.shard_of, 10.0)
    append = await next_append(log, await open_game(log))
    with capture_logs() as logged:
        assert not await direct.append(append)
    assert not direct.reachable
    assert [line["log_level"] for line in logged] == ["warning"]
    await direct.close()


async def test_an_append_whose_connection_is_lost_meanwhile_says_so(
    cluster: str, log: SpreadLog, direct: DirectAppends
) -> None:
    """Whether it was written is unknown. The next append gets another connection."""
    append = await next_append(log, await open_game(log))
    with psycopg.connect(cluster) as owner:
        owner.execute(_HOLD.format("PERFORM pg_terminate_backend(pg_backend_pid());").encode())
    with pytest.raises(OperationalError):
        await direct.append(append)
    with psycopg.connect(cluster) as owner:
        owner.execute(_HOLD.format("").encode())
    assert await direct.append(append)
