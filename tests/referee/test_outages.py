"""An outage gives its time back: the time that no server kept is added to every pending deadline, once."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.timekeeping import OUTAGE
from mcmulti.projections.proof.proof import verify
from tests.referee.conftest import CLUSTER, TIMEKEEPING, where
from tests.scripted_clock import SECOND, Clock, Server

END = EndPurchases()
_LATER = "(deadline_at AT TIME ZONE 'UTC' + %s) AT TIME ZONE 'UTC'"
Away = Callable[[timedelta], None]


@pytest.fixture(params=["postgres", CLUSTER])
def place(request: pytest.FixtureRequest) -> str | None:
    """The connection string: only databases keep time."""
    return where(request)


@pytest.fixture
def outages() -> None:
    """Outages count here as they do in production."""


@pytest.fixture
def clock() -> Clock:
    """Shows real time, as the database's clock does, until it is set."""
    clock = Clock()
    clock.now = datetime.now(UTC)
    return clock


@pytest.fixture
def away(place: str, clock: Clock) -> Away:
    """Let nobody keep time for this long: the clock moves on, and stored times move back by as much."""

    def passes(gap: timedelta) -> None:
        with psycopg.connect(place) as owner:
            owner.execute("UPDATE heartbeat SET at = now() - %s", (gap,))
            owner.execute(f"UPDATE game SET deadline_at = {_LATER}", (-gap,))

    return passes


async def _left(log: Log, server: Server, clock: Clock) -> float:
    """The remaining seconds of the only game."""
    (game,) = await log.games(1)
    assert game.deadline is not None
    return (game.deadline - clock.now).total_seconds()


async def test_what_nobody_kept_is_given_back(logs: list[Log], server: Server, clock: Clock, away: Away) -> None:
    """A minute for the move is left as before, although nobody kept time for ten minutes."""
    await server.begin()
    before, began = await _left(logs[0], server, clock), time.monotonic()
    away(timedelta(minutes=10))
    assert await server.look() == 0
    assert before - 1 < await _left(logs[0], server, clock) < before + 1 + time.monotonic() - began


async def test_servers_that_come_back_together_give_it_back_once(
    logs: list[Log], server: Server, clock: Clock, away: Away, request: pytest.FixtureRequest
) -> None:
    await server.begin()
    before, began = await _left(logs[0], server, clock), time.monotonic()
    away(timedelta(minutes=10))
    given = await asyncio.gather(*(logs[number % 2].keep_time() for number in range(6)))
    gave = [each > timedelta(minutes=9) for each in given]
    assert gave.count(True) == 1 or ("cluster" in request.node.callspec.id and any(gave)), "there, each shard once"
    assert before - 1 < await _left(logs[0], server, clock) < before + 1 + time.monotonic() - began


async def test_a_pause_as_a_busy_machine_makes_is_no_outage(
    logs: list[Log], server: Server, clock: Clock, away: Away
) -> None:
    await server.begin()
    before = await _left(logs[0], server, clock)
    away(OUTAGE - SECOND)
    assert await logs[0].keep_time() == timedelta()
    assert await _left(logs[0], server, clock) == before - 4
    assert await logs[0].keep_time() == timedelta()


async def test_while_somebody_keeps_time_little_is_written(
    place: str, logs: list[Log], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in TIMEKEEPING:  # this covers the calls, however long they take
        monkeypatch.setattr(module, "BEAT", timedelta(days=1))

    def kept() -> datetime:
        with psycopg.connect(place) as owner:
            row = owner.execute("SELECT min(at) FROM heartbeat").fetchone()
            assert row is not None
            at: datetime = row[0]
            return at

    await logs[0].keep_time()
    first = kept()
    for _ in range(20):
        await logs[1].keep_time()
    assert kept() == first


async def test_a_deadline_that_had_passed_before_the_outage_stays_passed(
    place: str, logs: list[Log], server: Server, clock: Clock, away: Away
) -> None:
    game = await server.begin()
    asked = await server.asked(game)
    away(timedelta(minutes=10))
    with psycopg.connect(place) as owner:
        owner.execute("UPDATE game SET deadline_at = now() - interval '10 minutes 1 second'")
    assert await server.look() == 1
    assert await server.asked(game) != asked


async def test_who_comes_before_the_server_has_looked_around_is_not_late_nor_charged(
    logs: list[Log], server: Server, clock: Clock, away: Away
) -> None:
    """The first thing a server receives after the outage is a move. The bank is full after it."""
    game = await server.begin(bank_seconds=30)
    away(timedelta(minutes=10))
    again = Server(logs[1], clock)
    done = await again.send(game, await again.asked(game), END)
    assert "BankUsed" not in [event.type for event in done.events]
    assert verify(await logs[0].read(game)).fault is None


async def test_a_server_that_was_there_all_the_time_believes_the_log_and_not_what_it_has_at_hand(
    place: str, logs: list[Log], server: Server, clock: Clock
) -> None:
    """The database was away. The server has cached the old deadline, and another server moved it."""
    game = await server.begin(bank_seconds=30)
    asked = await server.asked(game)
    clock.now += 600 * SECOND
    with psycopg.connect(place) as owner:
        owner.execute(f"UPDATE game SET deadline_at = {_LATER}", (600 * SECOND,))
    done = await server.send(game, asked, END)
    assert "BankUsed" not in [event.type for event in done.events]


async def test_by_post_rounds_get_the_time_back_too(logs: list[Log], server: Server, clock: Clock, away: Away) -> None:
    await server.start(round_hours=1)
    before, began = await _left(logs[0], server, clock), time.monotonic()
    away(timedelta(hours=2))
    assert await server.look() == 0
    assert before - 1 < await _left(logs[0], server, clock) < before + 1 + time.monotonic() - began


async def test_a_clock_of_the_database_that_goes_back_gives_nothing_and_takes_nothing(
    place: str, logs: list[Log], server: Server, clock: Clock
) -> None:
    await server.begin()
    before = await _left(logs[0], server, clock)
    with psycopg.connect(place) as owner:
        owner.execute("UPDATE heartbeat SET at = now() + interval '1 hour'")
    assert await logs[0].keep_time() == timedelta()
    assert await _left(logs[0], server, clock) == before
    with psycopg.connect(place) as owner:
        rows = owner.execute("SELECT abs(extract(epoch FROM clock_timestamp() - at)) < 5 FROM heartbeat").fetchall()
    assert set(rows) == {(True,)}
