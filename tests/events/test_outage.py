"""What happens to a log while its server goes away and comes back. Needs its own server."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.log.envelope import broken_link
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import migrate
from tests.events.log_contract import next_events, open_game


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(tmp_path / "pg") as server:
        yield server


async def test_the_log_works_again_once_the_database_is_back(server: EmbeddedPostgres) -> None:
    await migrate(server.url())
    async with PostgresLog.open(server.url(), pool_size=4, patience=0.5) as log:
        game_id = await open_game(log)
        game = await log.game(game_id)
        events = await next_events(log, game_id)

        await asyncio.to_thread(server.stop)
        for _ in range(2):
            outcomes = await asyncio.gather(
                log.ready(),
                log.read(game_id),
                log.append(game_id, game.head, events, TableRow("running")),
                log.games(10),
                log.holder(bytes(32)),
                open_game(log),
                return_exceptions=True,
            )
            assert [type(outcome) for outcome in outcomes] == [LogUnavailable] * 6
        await asyncio.to_thread(server.start)

        await until_ready(log)
        await asyncio.gather(*(log.ready() for _ in range(20)))
        assert await log.game(game_id) == game
        await log.append(game_id, game.head, events, TableRow("running"))
        assert broken_link(await log.read(game_id)) is None


async def until_ready(log: PostgresLog) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                return await log.ready()
            except LogUnavailable:
                await asyncio.sleep(0.1)


async def test_a_restart_between_two_calls_goes_unnoticed(server: EmbeddedPostgres) -> None:
    await migrate(server.url())
    async with PostgresLog.open(server.url(), pool_size=4, patience=3.0) as log:
        game_id = await open_game(log)
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)

        answers = await asyncio.gather(*(log.read(game_id) for _ in range(20)))
        assert {len(events) for events in answers} == {1}


async def test_closed_connections_are_replaced_unnoticed(database: str) -> None:
    async with PostgresLog.open(database, pool_size=4, patience=3.0) as log:
        with psycopg.connect(database) as owner:
            owner.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

        await asyncio.gather(*(log.ready() for _ in range(20)))


async def test_without_a_database_there_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailable):
        async with PostgresLog.open(f"host={tmp_path}", pool_size=1, patience=0.05):
            pass
    with pytest.raises(LogUnavailable):
        await migrate(f"host={tmp_path}")
