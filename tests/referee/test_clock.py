"""Clocks that are wrong: deadlines are kept by the time that passes, whatever the machine's clock shows."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import mcmulti
from mcmulti.events.store.memory import MemoryLog
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.ruling import Refused
from mcmulti.server.process import answering, bound
from tests.scripted_clock import ADA, BEN, HOUR, NOON, SECOND, SHEET, Server, closings

YEARS = timedelta(days=3 * 365)


class Machine:
    """A machine on which time passes, and whose clock is `wrong` by so much."""

    def __init__(self) -> None:
        self.passed = 500.0
        self.wrong = timedelta()

    def wait(self, time: timedelta) -> None:
        self.passed += time.total_seconds()

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: NOON + timedelta(seconds=self.passed - 500) + self.wrong, lambda: self.passed)


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


async def test_a_clock_that_jumps_ahead_closes_no_round_and_sets_no_deadline_years_away(
    machine: Machine, log: MemoryLog
) -> None:
    server = Server(log, machine.clock())
    game = await server.start(round_hours=72)
    machine.wait(HOUR)
    machine.wrong = YEARS
    assert await server.look() == 0
    await server.send(game, ADA, SHEET)
    assert closings(await log.read(game)) == []
    other = await server.start(round_hours=24)
    assert (await log.game(other)).deadline == NOON + 25 * HOUR
    machine.wait(71 * HOUR)
    assert await server.look() == 2
    assert (await log.game(game)).deadline == NOON + 144 * HOUR
    assert all(event.recorded_at <= NOON + 72 * HOUR for event in await log.read(game))


async def test_a_clock_that_jumps_back_keeps_no_round_open(machine: Machine, log: MemoryLog) -> None:
    server = Server(log, machine.clock())
    game = await server.start(round_hours=1)
    machine.wait(30 * 60 * SECOND)
    machine.wrong = -YEARS
    assert await server.look() == 0
    machine.wait(30 * 60 * SECOND)
    with pytest.raises(Refused, match="deadline"):
        await server.send(game, BEN, SHEET)
    assert await server.look() == 1


def test_a_clock_that_is_slewed_is_followed(machine: Machine) -> None:
    """Nine seconds an hour, for a day."""
    clock = machine.clock()
    for hour in range(1, 25):
        machine.wait(HOUR)
        machine.wrong = hour * 9 * SECOND
        assert clock() == NOON + hour * HOUR + hour * 9 * SECOND


def test_a_jump_is_told_once_and_so_is_that_it_is_over(machine: Machine) -> None:
    clock = machine.clock()
    with capture_logs() as logged:
        machine.wrong = YEARS
        assert [clock(), clock()] == [NOON, NOON]
        machine.wrong = timedelta()
        machine.wait(SECOND)
        assert [clock(), clock()] == [NOON + SECOND] * 2
    assert [line["log_level"] for line in logged] == ["error", "info"]


def test_the_clock_of_the_database_counts_where_they_are_far_apart(machine: Machine) -> None:
    machine.wrong = YEARS
    clock = machine.clock()
    with capture_logs() as logged:
        clock.set(NOON)
    assert [line["log_level"] for line in logged] == ["warning"]
    machine.wait(HOUR)
    assert clock() == NOON + HOUR
    machine.wrong = timedelta()
    machine.wait(HOUR)
    assert clock() == NOON + 2 * HOUR


async def test_a_server_goes_by_the_clock_of_its_database(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that starts with a clock that is years ahead of it."""
    log = MemoryLog()
    now = datetime.now(UTC)

    async def earlier() -> datetime:
        return now - YEARS

    monkeypatch.setattr(log, "now", earlier)
    clocks: list[SteadyClock] = []
    monkeypatch.setattr("mcmulti.server.process.DeadlineScheduler", _noting(clocks))
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener):
            pass
    assert abs(clocks[0]() - (now - YEARS)) < timedelta(minutes=1)


def _noting(clocks: list[SteadyClock]) -> type:
    from mcmulti.referee.scheduler import DeadlineScheduler

    class Noting(DeadlineScheduler):
        def __init__(self, referee: object, log: object) -> None:
            super().__init__(referee, log)  # type: ignore[arg-type]
            clocks.append(referee.clock)  # type: ignore[attr-defined]

    return Noting


def test_nobody_who_decides_looks_at_another_clock() -> None:
    """What is recorded, and when rounds end, is told by the referee's clock alone."""
    found = [
        str(file.name)
        for folder in ("referee", "domain")
        for file in sorted((Path(mcmulti.__file__).parent / folder).rglob("*.py"))
        if re.search(r"datetime\.now|time\.time\b|\.utcnow", file.read_text())
    ]
    assert found == ["clock.py"]
