"""Deadlines when something fails: the database is away, a game cannot continue, the server stops."""

import asyncio
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from mcmulti.domain.rulesets import BY_VERSION, CURRENT
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.timekeeping import DueGame
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import migrate
from mcmulti.referee import scheduler
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Ruling
from mcmulti.referee.scheduler import time_out
from tests.scripted_clock import BEN, HOUR, SECOND, SHEET, Clock, Server, closings


class Shaky(MemoryLog):
    """A log that does not respond while it is `away`."""

    away = False

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        self._try()
        return await super().due(now, limit, away)

    async def append(self, *args: Any, **more: Any) -> None:
        self._try()
        await super().append(*args, **more)

    def _try(self) -> None:
        if self.away:
            raise LogUnavailable("the database does not answer")


async def _until(held: Any) -> None:
    async with asyncio.timeout(20):
        while not await held():  # noqa: ASYNC110 - what is waited for has no bell
            await asyncio.sleep(0.01)


async def test_an_outage_delays_a_deadline_and_is_told_once(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PERIOD", 0.01)
    log = Shaky()
    server = Server(log, clock)
    game = await server.start(round_hours=1)
    clock.now += HOUR
    log.away = True
    with pytest.raises(LogUnavailable):
        await server.look()
    with capture_logs() as logged:
        async with server.scheduler.running():
            await asyncio.sleep(0.1)
            assert closings(await log.read(game)) == []
            log.away = False

            async def closed() -> bool:
                return bool(closings(await log.read(game)))

            await _until(closed)
            await asyncio.sleep(0.05)
    assert closings(await log.read(game)) == [(1, [0, 1, 2, 3])]
    told = [(line["log_level"], line["event"]) for line in logged]
    assert told == [
        ("warning", "deadlines are delayed"),
        ("info", "a deadline is reached"),
        ("info", "deadlines are kept again"),
    ]
    assert logged[1]["game_id"] == str(game)
    assert logged[1]["events"][0] == "RoundClosed"


async def test_a_game_that_cannot_go_on_is_told_once_and_holds_up_no_other(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two games that are first in line are broken, and the scheduler handles two games at a time."""
    monkeypatch.setattr(scheduler, "AT_ONCE", 2)
    log = MemoryLog()
    server = Server(log, clock)
    games = []
    for _ in range(4):
        games.append(await server.start(round_hours=1))
        clock.now += SECOND

    async def broken(referee: Referee, game_id: UUID) -> Ruling | None:
        if game_id in games[:2]:
            raise LookupError("the rules cannot do this")
        return await time_out(referee, game_id)

    monkeypatch.setattr(scheduler, "time_out", broken)
    clock.now += HOUR
    with capture_logs() as logged:
        assert [await server.look() for _ in range(3)] == [0, 2, 0]
    told = [line for line in logged if line["event"] == "a game cannot go on at its deadline"]
    assert [(line["log_level"], line["game_id"]) for line in told] == [("error", str(game)) for game in games[:2]]
    assert [len(closings(await log.read(game))) for game in games] == [0, 0, 1, 1]
    monkeypatch.setattr(scheduler, "time_out", time_out)
    assert await server.look() == 2


async def test_the_deadline_of_a_game_of_a_later_version_waits_for_a_server_that_knows_it(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers of the version before leave it alone, and enforce the deadlines of other games."""
    log = MemoryLog()
    server = Server(log, clock)
    later, _ = await server.start(round_hours=1), await server.begin(move_seconds=3600)
    clock.now += HOUR
    with monkeypatch.context() as before:
        before.delitem(BY_VERSION, ("postal", CURRENT["postal"].version))
        old = Server(log, clock)
        with capture_logs() as logged:
            assert [await old.look() for _ in range(2)] == [1, 0]
        assert {line["game_id"] for line in logged if line["log_level"] == "error"} == {str(later)}
        assert closings(await log.read(later)) == []
    assert await Server(log, clock).look() == 1
    assert closings(await log.read(later)) == [(1, [0, 1, 2, 3])]


async def test_many_games_that_are_due_are_done_without_waiting(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven, three at a time, although the scheduler would only check again in an hour."""
    monkeypatch.setattr(scheduler, "AT_ONCE", 3)
    monkeypatch.setattr(scheduler, "PERIOD", 3600)
    log = MemoryLog()
    server = Server(log, clock)
    for _ in range(7):
        await server.start(round_hours=1)
    clock.now += HOUR

    async def none_left() -> bool:
        return not await log.due(clock.now, 10)

    async with server.scheduler.running():
        await _until(none_left)


async def test_a_database_that_goes_away_and_comes_back_delays_a_deadline(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deadline passes while PostgreSQL is down and a scheduler runs. The sheet that was in counts."""
    monkeypatch.setattr(scheduler, "PERIOD", 0.1)
    with EmbeddedPostgres(tmp_path / "pg") as database:
        await migrate(database.url())
        async with PostgresLog.open(database.url(), pool_size=2, patience=0.5) as log:
            server = Server(log, clock)
            game = await server.start(round_hours=1)
            await server.send(game, BEN, SHEET)
            with capture_logs() as logged:
                async with server.scheduler.running():
                    await asyncio.to_thread(database.stop)
                    clock.now += HOUR

                    async def waits() -> bool:
                        return any(line["event"] == "deadlines are delayed" for line in logged)

                    async def kept() -> bool:
                        with suppress(LogUnavailable):
                            return bool(closings(await log.read(game)))
                        return False

                    await _until(waits)
                    await asyncio.to_thread(database.start)
                    await _until(kept)
            assert closings(await log.read(game)) == [(1, [0, 2, 3])]


class Hanging(MemoryLog):
    """A log that blocks forever, and ignores the first cancellation, as a database driver may."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.lost = 0

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        self.asked.set()
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                self.lost += 1
                if self.lost > 1:
                    raise


async def test_a_scheduler_that_is_busy_stops_all_the_same(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "PERIOD", 0.01)
    log = Hanging()
    async with asyncio.timeout(60):
        async with Server(log, clock).scheduler.running():
            await log.asked.wait()
    assert log.lost == 2
