"""The connection for queries of heads is opened when needed, and again after it is lost or silent."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.line import QuickLine
from mcmulti.events.postgres.log import PostgresLog
from tests.events.deaf import way_to
from tests.events.log_contract import open_game

PATIENCE = 0.5
NAMES = "SELECT pid FROM pg_stat_activity WHERE application_name = 'line of a test' AND pid <> pg_backend_pid()"


async def test_heads_are_asked_again_over_another_connection_when_one_is_lost(database: str) -> None:
    there = psycopg.conninfo.make_conninfo(database, application_name="line of a test")
    async with PostgresLog.open(there, pool_size=1, patience=PATIENCE) as log:
        game_id = await open_game(log)
        before = await log.heads([game_id])
        with psycopg.connect(database, autocommit=True) as owner:
            ended = [owner.execute("SELECT pg_terminate_backend(%s, 5000)", row) for row in owner.execute(NAMES)]
        assert len(ended) == 2, "one of the pool, and the one that heads are asked over"
        async with asyncio.timeout(30):
            while True:
                try:
                    assert await log.heads([game_id, uuid4()]) == before
                    break
                except LogUnavailable:
                    await asyncio.sleep(0.01)


@pytest.mark.parametrize("waits", [True, False])
async def test_a_connection_that_ends_without_a_word_is_given_up_at_once(database: str, waits: bool) -> None:
    """The waiting caller gets an error. The event loop keeps no trace of the socket, whose number may be reused."""
    async with way_to(database) as (way, there):

        async def connect() -> psycopg.AsyncConnection:
            return await psycopg.AsyncConnection.connect(there, autocommit=True)

        faults: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        line = QuickLine("(double precision) AS SELECT 'slept' FROM pg_sleep($1)", connect, 600.0)
        try:
            async with asyncio.timeout(60):  # long before its patience runs out
                for _ in range(3):
                    assert await line.ask(b"0") == [(b"slept",)]
                    asking = asyncio.create_task(line.ask(b"600")) if waits else None
                    await asyncio.sleep(0.05)
                    await way.end()
                    if asking is not None:
                        with pytest.raises(psycopg.OperationalError):
                            await asking
                    await asyncio.sleep(0.05)
            assert not faults
        finally:
            line.close()


async def test_who_asks_for_heads_over_a_deaf_connection_is_told_so_in_time_and_the_next_one_is_answered(
    database: str,
) -> None:
    async with way_to(database) as (way, there), PostgresLog.open(there, pool_size=2, patience=PATIENCE) as log:
        game_id = await open_game(log)
        before = await log.heads([game_id])
        way.forget()
        started = time.monotonic()
        asked = await asyncio.gather(log.heads([game_id]), log.heads([game_id]), return_exceptions=True)
        assert time.monotonic() - started < 3 * PATIENCE + 15.0
        assert isinstance(asked[0], LogUnavailable)
        assert asked[1] == before, "who came after it asks over a new one"


async def test_who_stops_waiting_for_heads_leaves_no_answer_to_the_next_one(database: str) -> None:
    async with PostgresLog.open(database, pool_size=1, patience=5.0) as log:
        games = [await open_game(log) for _ in range(2)]
        first, second = await log.heads(games[:1]), await log.heads(games[1:])
        for _ in range(20):
            leaving = asyncio.create_task(log.heads(games[:1]))
            await asyncio.sleep(0)
            leaving.cancel()
            assert await log.heads(games[1:]) == second
        assert await log.heads(games[:1]) == first


class _Unhurried:
    """A libpq connection that raises an error instead of waiting, since waiting would block the event loop."""

    def __init__(self, pgconn: Any) -> None:
        self._pgconn = pgconn
        self.read = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pgconn, name)

    @property
    def nonblocking(self) -> int:
        return int(self._pgconn.nonblocking)

    @nonblocking.setter
    def nonblocking(self, value: int) -> None:
        self._pgconn.nonblocking = value

    def consume_input(self) -> None:
        self._pgconn.consume_input()
        self.read.set()

    def get_result(self) -> Any:
        assert not self._pgconn.is_busy(), "it would wait for the rest of the answer"
        return self._pgconn.get_result()


@pytest.mark.parametrize("cut", [1, 6, 7, 20], ids=["in what ends it", "before what ends it", "in its tag", "in it"])
async def test_an_answer_that_is_cut_before_its_end_is_taken_when_the_rest_comes(database: str, cut: int) -> None:
    """Its last six bytes say that the database is ready again.

    They may come after the rows, and nothing blocks then.
    """
    async with way_to(database) as (way, there):
        connection = await psycopg.AsyncConnection.connect(there, autocommit=True)
        unhurried = _Unhurried(connection.pgconn)

        async def connect() -> Any:
            return SimpleNamespace(pgconn=unhurried, execute=connection.execute)

        faults: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        line = QuickLine("(text) AS SELECT 'said ' || $1", connect, 600.0)
        try:
            async with asyncio.timeout(60):
                assert await line.ask(b"this") == [(b"said this",)]
                way.cut = cut
                unhurried.read.clear()
                asking = asyncio.create_task(line.ask(b"that"))
                await way.kept.wait()
                await unhurried.read.wait()
                assert not faults
                assert not asking.done()
                way.hand_on()
                assert await asking == [(b"said that",)]
                assert await line.ask(b"more") == [(b"said more",)]
        finally:
            line.close()


async def test_a_list_that_is_larger_than_what_a_socket_takes_at_once_is_asked_whole(database: str) -> None:
    async with PostgresLog.open(database, pool_size=1, patience=20.0) as log:
        game_id = await open_game(log)
        found = await log.heads([*(uuid4() for _ in range(60_000)), game_id])
        assert [*found] == [game_id]


async def test_a_statement_that_the_database_refuses_is_told_of_and_the_line_goes_on(database: str) -> None:
    async def connect() -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(database, autocommit=True)

    line = QuickLine("(text) AS SELECT $1::integer", connect, 20.0)
    try:
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            await line.ask(b"x")
        assert await line.ask(b"7") == [(b"\0\0\0\7",)]
    finally:
        line.close()


async def test_a_closed_log_tells_no_heads(database: str) -> None:
    async with PostgresLog.open(database, pool_size=1, patience=PATIENCE) as log:
        game_id = await open_game(log)
        assert await log.heads([game_id])
    with pytest.raises(LogUnavailable):
        await log.heads([game_id])
