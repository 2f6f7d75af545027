"""Clocks that are wrong: deadlines follow the time that passes, whatever the machine's clock shows."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import mcmulti
from mcmulti.events.memory.log import MemoryLog
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.ruling import Refused
from mcmulti.server.process import answering, bound
from tests.scripted_clock import ADA, BEN, HOUR, NOON, SECOND, SHEET, Server, closings

YEARS = timedelta(days=3 * 365)


class Machine:
    """A machine on which time passes, and whose clock is off by `wrong`."""

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


@pytest.mark.parametrize("wrong", [-7, 7])
async def test_a_server_whose_clock_is_wrong_by_seconds_gives_everybody_their_time(
    machine: Machine, log: MemoryLog, wrong: int
) -> None:
    """A move takes 5 s at most: a player with 1 s left has it at every server."""
    machine.wrong = wrong * SECOND
    clock = machine.clock()
    clock.hear(NOON)
    server, other = Server(log, clock), Server(log, lambda: NOON + timedelta(seconds=machine.passed - 500))
    game = await other.begin(move_seconds=5, bank_seconds=0)
    deadline = (await log.game(game)).deadline
    assert deadline is not None
    machine.wait(deadline - NOON - SECOND)
    assert await server.look() == 0
    machine.wait(SECOND)
    assert await server.look() == 1


def test_the_database_s_clock_is_followed_where_it_is_slewed(machine: Machine) -> None:
    """Nine seconds an hour, for a day."""
    clock = machine.clock()
    clock.hear(NOON)
    for hour in range(1, 25):
        machine.wait(HOUR)
        clock.hear(NOON + hour * HOUR + hour * 9 * SECOND)
        assert clock() == NOON + hour * HOUR + hour * 9 * SECOND


def test_a_slow_answer_changes_nothing_that_it_does_not_know(machine: Machine) -> None:
    """It took 4 s, so the moment is taken to be in the middle, within two seconds."""
    clock = machine.clock()
    clock.hear(NOON)
    machine.wait(4 * SECOND)
    clock.hear(NOON + SECOND, 4 * SECOND)
    assert clock() == NOON + 4 * SECOND
    clock.hear(NOON + 5 * SECOND, 4 * SECOND)
    assert clock() == NOON + 5 * SECOND, "7 s it would be in the middle, so 5 s at least"


def test_a_jump_of_the_database_s_clock_is_not_followed_and_told_once(machine: Machine) -> None:
    clock = machine.clock()
    clock.hear(NOON)
    with capture_logs() as logged:
        for jumped in (YEARS, YEARS, timedelta()):
            machine.wait(SECOND)
            clock.hear(NOON + jumped + timedelta(seconds=machine.passed - 500))
            assert clock() == NOON + timedelta(seconds=machine.passed - 500)
    told = [line["log_level"] for line in logged if "jumped" in line["event"] or "again" in line["event"]]
    assert told == ["error", "info"]


@pytest.mark.parametrize("apart", [YEARS, 7 * SECOND])
async def test_a_server_goes_by_the_clock_of_its_database(monkeypatch: pytest.MonkeyPatch, apart: timedelta) -> None:
    """One server starts with a clock that is ahead, and asks again while it runs."""
    monkeypatch.setattr("mcmulti.referee.clock.PERIOD", 0.02)
    log = MemoryLog()
    asked, often = 0, asyncio.Event()

    async def earlier() -> datetime:
        nonlocal asked
        asked += 1
        if asked == 3:
            often.set()
        return datetime.now(UTC) - apart

    monkeypatch.setattr(log, "now", earlier)
    clocks: list[SteadyClock] = []
    monkeypatch.setattr("mcmulti.server.process.DeadlineScheduler", _noting(clocks))
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener), asyncio.timeout(60):
            await often.wait()
            assert abs(clocks[0]() - (datetime.now(UTC) - apart)) < SECOND


def _noting(clocks: list[SteadyClock]) -> type:
    from mcmulti.referee.scheduler import DeadlineScheduler

    class Noting(DeadlineScheduler):
        def __init__(self, referee: object, log: object) -> None:
            super().__init__(referee, log)  # type: ignore[arg-type]
            clocks.append(referee.clock)  # type: ignore[attr-defined]

    return Noting


def test_nobody_who_decides_looks_at_another_clock() -> None:
    """Only the referee's clock determines the recorded times, and when rounds end."""
    found = [
        str(file.name)
        for folder in ("referee", "domain")
        for file in sorted((Path(mcmulti.__file__).parent / folder).rglob("*.py"))
        if re.search(r"datetime\.now|time\.time\b|\.utcnow", file.read_text())
    ]
    assert found == ["clock.py"]
