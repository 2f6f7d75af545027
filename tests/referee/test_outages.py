"""An outage gives its time back: what nobody kept is added to every deadline that was still to come, once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.timekeeping import BEAT, OUTAGE
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.projections.proof.proof import verify
from tests.scripted_clock import SECOND, Clock, Server

END = EndPurchases()
Away = Callable[[timedelta], None]


@pytest.fixture
async def logs(database: str) -> AsyncIterator[list[Log]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(PostgresLog.open(database, pool_size=3)) for _ in range(2)]


@pytest.fixture
def clock() -> Clock:
    """Shows the real time, which the database's clock shows too, until it is set."""
    clock = Clock()
    clock.now = datetime.now(UTC)
    return clock


@pytest.fixture
def away(database: str, clock: Clock) -> Away:
    """So long nobody keeps time: the clock goes on, and what was kept and is to come lies as far back."""

    def passes(gap: timedelta) -> None:
        with psycopg.connect(database) as owner:
            owner.execute("UPDATE heartbeat SET at = clock_timestamp() - %s", (gap,))
            owner.execute("UPDATE game SET deadline_at = deadline_at - %s", (gap,))

    return passes


async def _left(log: Log, server: Server, clock: Clock) -> float:
    """Seconds that the only game has left."""
    (game,) = await log.games(1)
    assert game.deadline is not None
    return (game.deadline - clock.now).total_seconds()


async def test_what_nobody_kept_is_given_back(logs: list[Log], server: Server, clock: Clock, away: Away) -> None:
    """A minute for the move is left as before, though nobody kept time for ten minutes."""
    await server.begin()
    before = await _left(logs[0], server, clock)
    away(timedelta(minutes=10))
    assert await server.look() == 0
    assert before - 1 < await _left(logs[0], server, clock) < before + 2


async def test_servers_that_come_back_together_give_it_back_once(
    logs: list[Log], server: Server, clock: Clock, away: Away
) -> None:
    await server.begin()
    before = await _left(logs[0], server, clock)
    away(timedelta(minutes=10))
    given = await asyncio.gather(*(logs[number % 2].keep_time() for number in range(6)))
    assert sorted(each > timedelta(minutes=9) for each in given) == [False] * 5 + [True]
    assert before - 1 < await _left(logs[0], server, clock) < before + 2


async def test_a_pause_as_a_busy_machine_makes_is_no_outage(
    logs: list[Log], server: Server, clock: Clock, away: Away
) -> None:
    await server.begin()
    before = await _left(logs[0], server, clock)
    away(OUTAGE - SECOND)
    assert await logs[0].keep_time() == timedelta()
    assert await _left(logs[0], server, clock) == before - 4
    assert await logs[0].keep_time() == timedelta()


async def test_while_somebody_keeps_time_little_is_written(database: str, logs: list[Log]) -> None:
    def kept() -> datetime:
        with psycopg.connect(database) as owner:
            row = owner.execute("SELECT at FROM heartbeat").fetchone()
            assert row is not None
            at: datetime = row[0]
            return at

    await logs[0].keep_time()
    first = kept()
    for _ in range(20):
        await logs[1].keep_time()
    assert kept() - first < BEAT


async def test_a_deadline_that_had_passed_before_the_outage_stays_passed(
    database: str, logs: list[Log], server: Server, clock: Clock, away: Away
) -> None:
    game = await server.begin()
    asked = await server.asked(game)
    away(timedelta(minutes=10))
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE game SET deadline_at = (SELECT at FROM heartbeat) - interval '1 second'")
    assert await server.look() == 1
    assert await server.asked(game) != asked


async def test_who_comes_before_the_server_has_looked_around_is_not_late_nor_charged(
    logs: list[Log], server: Server, clock: Clock, away: Away
) -> None:
    """The first thing that a server hears after the outage is a move; the bank is full after it."""
    game = await server.begin(bank_seconds=30)
    away(timedelta(minutes=10))
    again = Server(logs[1], clock)
    done = await again.send(game, await again.asked(game), END)
    assert "BankUsed" not in [event.type for event in done.events]
    assert verify(await logs[0].read(game)).fault is None


async def test_a_server_that_was_there_all_the_time_believes_the_log_and_not_what_it_has_at_hand(
    database: str, logs: list[Log], server: Server, clock: Clock
) -> None:
    """The database was away; the server has the old deadline at hand, and another one moved it."""
    game = await server.begin(bank_seconds=30)
    asked = await server.asked(game)
    clock.now += 600 * SECOND
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE game SET deadline_at = deadline_at + interval '600 seconds'")
    done = await server.send(game, asked, END)
    assert "BankUsed" not in [event.type for event in done.events]


async def test_by_post_rounds_get_the_time_back_too(logs: list[Log], server: Server, clock: Clock, away: Away) -> None:
    await server.start(round_hours=1)
    before = await _left(logs[0], server, clock)
    away(timedelta(hours=2))
    assert await server.look() == 0
    assert before - 1 < await _left(logs[0], server, clock) < before + 2


async def test_a_clock_of_the_database_that_goes_back_gives_nothing_and_takes_nothing(
    database: str, logs: list[Log], server: Server, clock: Clock
) -> None:
    await server.begin()
    before = await _left(logs[0], server, clock)
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE heartbeat SET at = clock_timestamp() + interval '1 hour'")
    assert await logs[0].keep_time() == timedelta()
    assert await _left(logs[0], server, clock) == before
    with psycopg.connect(database) as owner:
        row = owner.execute("SELECT abs(extract(epoch FROM clock_timestamp() - at)) < 5 FROM heartbeat").fetchone()
    assert row == (True,)
