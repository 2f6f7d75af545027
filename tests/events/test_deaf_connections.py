"""Connections whose other end is silent: every call ends in bounded time, and later ones get new connections."""

import asyncio
import time

import psycopg
import pytest

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from tests.events.deaf import way_to
from tests.events.log_contract import next_events, open_game

PATIENCE = 0.5
BOUND = 3 * PATIENCE + 15.0
"""Seconds: to get a connection, for its response, and for a busy machine."""


async def test_all_connections_of_a_pool_are_found_deaf_at_once(database: str) -> None:
    async with way_to(database) as (way, there), PostgresLog.open(there, pool_size=8, patience=PATIENCE) as log:
        game_id = await open_game(log)
        game, events = await log.game(game_id), await next_events(log, game_id)
        way.forget()
        started = time.monotonic()
        outcomes = await asyncio.gather(
            *(log.read(game_id) for _ in range(3)),
            log.append(game_id, game.head, events, TableRow("running")),
            open_game(log),
            return_exceptions=True,
        )
        assert {type(outcome) for outcome in outcomes} == {LogUnavailable}
        assert time.monotonic() - started < BOUND
        started = time.monotonic()
        for _ in range(20):
            await log.ready()
        await log.append(game_id, game.head, events, TableRow("running"))
        assert time.monotonic() - started < BOUND


async def test_a_black_hole_is_told_of_in_bounded_time_again_and_again(database: str) -> None:
    async with way_to(database) as (way, there), PostgresLog.open(there, pool_size=2, patience=PATIENCE) as log:
        game_id = await open_game(log)
        way.closed = True
        way.forget()
        for _ in range(3):
            started = time.monotonic()
            outcomes = await asyncio.gather(*(log.read(game_id) for _ in range(10)), return_exceptions=True)
            assert {type(outcome) for outcome in outcomes} == {LogUnavailable}
            assert time.monotonic() - started < BOUND
        way.closed = False
        async with asyncio.timeout(15):
            while True:
                try:
                    assert len(await log.read(game_id)) == 1
                    break
                except LogUnavailable:
                    await asyncio.sleep(0.1)


async def test_a_statement_that_takes_too_long_is_ended_by_the_database(database: str) -> None:
    """The network works and the database hangs. Also, nobody holds locks between two statements forever."""
    async with PostgresLog.open(database, pool_size=2, patience=PATIENCE) as log:
        async with log._connection() as connection:
            found = [
                (await (await connection.execute(f"SHOW {name}")).fetchone())
                for name in ("statement_timeout", "idle_in_transaction_session_timeout")
            ]
        assert found == [("750ms",), ("1500ms",)]
        with psycopg.connect(database) as owner:
            owner.execute("LOCK TABLE game IN ACCESS EXCLUSIVE MODE")
            started = time.monotonic()
            with pytest.raises(LogUnavailable):
                await log.games(1)
            assert time.monotonic() - started < BOUND
        assert await log.games(1) == []
