"""A real Citus cluster.

`CITUS_URL`: the address (postgresql://...) of a database on its coordinator for these tests only.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection

from mcmulti.events.cluster import citus
from mcmulti.events.cluster.spread import SpreadLog, open_log
from mcmulti.events.log.envelope import broken_link
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.errors import Conflict, NameTaken
from mcmulti.events.ports.game_index import Ended, GamesWanted, TableRow
from mcmulti.events.postgres.migrate import known_migrations, migrate
from mcmulti.events.postgres.rights import SERVER_ROLE
from tests.cli.command import running
from tests.events.cluster_examples import EXAMPLES, PARAMETERS, Example
from tests.events.later import later
from tests.events.log_contract import NOON, LogContract, next_events, open_game
from tests.events.real_cluster import emptied_at_citus_url, spread_at_citus_url
from tests.scripted_clock import HOUR, Clock, Server, closings

pytestmark = pytest.mark.needs("CITUS_URL")

_NODE_OF = """
    SELECT game, nodeid FROM unnest(%s::uuid[]) AS game
    JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('game', game)
    JOIN pg_dist_node USING (groupid) WHERE noderole = 'primary'
"""


@pytest.fixture
async def cluster() -> str:
    """The address of the coordinator, with distributed tables."""
    return await spread_at_citus_url()


@pytest.fixture
async def log(cluster: str) -> AsyncIterator[SpreadLog]:
    async with open_log(cluster, pool_size=8) as log:
        assert isinstance(log, SpreadLog)
        yield log


class TestRealCluster(LogContract):
    @pytest.fixture
    async def log(self) -> AsyncIterator[SpreadLog]:
        async with SpreadLog.open(await emptied_at_citus_url(), pool_size=4, patience=6.0) as log:
            yield log


async def test_it_is_spread_once(cluster: str) -> None:
    assert await citus.distribute(cluster) == "already"
    assert await migrate(cluster) == []


async def test_games_are_known_to_be_where_citus_says(cluster: str, log: SpreadLog) -> None:
    games = [uuid4() for _ in range(200)]
    with psycopg.connect(cluster) as owner:
        assert {game: log.node_of(game) for game in games} == dict(owner.execute(_NODE_OF, (games,)).fetchall())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: " ".join(example.statement.split())[:60])
def test_citus_itself_refuses_what_the_rules_refuse(cluster: str, example: Example) -> None:
    """The rules that `test_cluster_sql.py` applies without a cluster."""
    with psycopg.connect(cluster) as connection:
        connection.execute(f"SET ROLE {SERVER_ROLE}")
        said = None
        try:
            connection.execute(example.statement.encode(), PARAMETERS)
        except psycopg.Error as error:
            said = error.diag.message_primary
        connection.rollback()
    assert said == example.said


async def test_players_register_once(log: SpreadLog) -> None:
    ann, token = Player(uuid4(), f"Ann {uuid4().hex[:8]}"), uuid4().bytes * 2
    await log.add_player(ann, first_token(NOON), token)
    with pytest.raises(NameTaken):
        await log.add_player(ann._replace(player_id=uuid4()), first_token(NOON), uuid4().bytes * 2)
    known = await log.holder(token)
    assert known is not None
    assert known.player.player_id == ann.player_id


async def test_many_games_are_appended_to_at_once(log: SpreadLog) -> None:
    """Also two at one head, of which one wins."""

    async def play(game_id: UUID) -> int:
        conflicts = 0
        for _ in range(10):
            head, events = (await log.game(game_id)).head, await next_events(log, game_id)
            both = await asyncio.gather(
                *(log.append(game_id, head, events, TableRow("running")) for _ in range(2)), return_exceptions=True
            )
            conflicts += [type(outcome) for outcome in both].count(Conflict)
            assert both.count(None) == 1
        events = await log.read(game_id)
        assert len(events) == 11
        assert broken_link(events) is None
        return conflicts

    games = [await open_game(log) for _ in range(12)]
    assert await asyncio.gather(*map(play, games)) == [10] * len(games)
    heads = await log.heads(games)
    assert {head.seq for head in heads.values()} == {11}


async def test_games_are_listed_and_told_when_they_end(log: SpreadLog) -> None:
    player, games = uuid4(), [await open_game(log) for _ in range(6)]
    began = await log.now()
    for game_id in games:
        head = (await log.game(game_id)).head
        await log.append(game_id, head, await next_events(log, game_id), TableRow("running", (player,)), reseated=True)
    assert {game.game_id for game in await log.games(10, wanted=GamesWanted(player_ids=(player,)))} == set(games)
    first = await log.games(4, wanted=GamesWanted(player_ids=(player,)))
    rest = await log.games(4, before=first[-1].mark(), wanted=GamesWanted(player_ids=(player,)))
    assert {game.game_id for game in [*first, *rest]} == set(games)
    for game_id in games:
        head = (await log.game(game_id)).head
        await log.append(game_id, head, await next_events(log, game_id), TableRow("finished"))
    assert {one.game_id for one in await log.ended(player, Ended(began, UUID(int=0)), 10)} == set(games)


async def test_deadlines_are_kept(log: SpreadLog) -> None:
    await log.keep_time()  # or the time since the migration is given back, when no server kept time
    clock = Clock()
    clock.now = datetime.now(UTC)
    server = Server(log, clock)
    games = [await server.start(round_hours=1) for _ in range(4)]
    clock.now += HOUR
    assert await server.look() >= len(games)
    assert [len(closings(await log.read(game_id))) for game_id in games] == [1] * len(games)


async def test_every_migration_runs_on_tables_that_are_spread(cluster: str) -> None:
    """In a schema of its own, dropped afterward: distributed as soon as there are tables, then migrated further."""
    first, *others = known_migrations()
    async with await AsyncConnection.connect(cluster) as connection:
        await citus.begin_changing(connection)
        await connection.execute("CREATE SCHEMA probe")
        await connection.execute("SET LOCAL search_path TO probe, public")
        for statement in first.statements:
            await connection.execute(statement.encode())
        cursor = await connection.execute("SELECT tablename::text FROM pg_tables WHERE schemaname = 'probe'")
        tables = {name for (name,) in await cursor.fetchall()}
        await connection.execute("SELECT create_distributed_table('game', 'id')")
        for name, column in list(citus.BY_GAME.items())[1:]:
            await connection.execute(f"SELECT create_distributed_table('{name}', '{column}', colocate_with => 'game')")
        for name in citus.EVERYWHERE:
            if name in tables:
                await connection.execute(f"SELECT create_reference_table('{name}')")
        for migration in (*others, later()):
            for statement in migration.statements:
                await connection.execute(statement.encode())
        await connection.rollback()


async def test_a_game_is_played_proven_and_exported(cluster: str, tmp_path: Path) -> None:
    await asyncio.to_thread(_played_proven_and_exported, cluster, tmp_path)


def _played_proven_and_exported(cluster: str, folder: Path) -> None:
    """With the commands, in processes of their own."""
    with running("serve", "--port", "0", temporary=folder, DATABASE_URL=cluster) as server:
        address = server.line("Serving at ")
        names = [f"Ada {uuid4().hex[:8]}", f"Ben {uuid4().hex[:8]}"]
        with running("bot", "--server", address, "--players", "2", "--name", names[0], temporary=folder) as first:
            game = first.line(f"{names[0]} sits on seat 1 of game ")
            joining = ("bot", "--server", address, "--game", game, "--name", names[1])
            with running(*joining, temporary=folder) as second:
                assert (second.code(), second.said) == (0, "")
            assert first.code() == 0
    file = folder / "game.mcmulti.jsonl"
    with running("export", cluster, "--game", game, "--output", str(file), temporary=folder) as export:
        assert export.code() == 0, export.said
    with running("verify", str(file), temporary=folder) as verify:
        assert verify.code() == 0
        assert verify.printed.endswith("Proven.\n")
