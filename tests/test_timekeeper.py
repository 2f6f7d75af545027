"""Deadlines by a scripted clock: rounds end in time, once, whoever looks at the clock and whatever fails meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from structlog.testing import capture_logs

from mcmulti import timekeeper
from mcmulti.domain.postal.commands import HoldRound, StartGame, SubmitOrders, TakeSeat
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.sheet import OrderSheet
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.codec import command_decoder
from mcmulti.events.embedded import EmbeddedPostgres
from mcmulti.events.envelope import Recorded, broken_link
from mcmulti.events.log import Log, LogUnavailable, Player
from mcmulti.events.memory import MemoryLog
from mcmulti.events.migrate import migrate
from mcmulti.events.postgres import PostgresLog
from mcmulti.projections.proof import revealed_seed, verify
from mcmulti.projections.prover import by_command
from mcmulti.referee import Outcome, Referee
from mcmulti.timekeeper import Timekeeper
from tests.golden.test_golden_games import FILES, load

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
SHEET = SubmitOrders(OrderSheet())
PLAYERS = [Player(UUID(int=number + 1), name) for number, name in enumerate(("Ada", "Ben", "Cleo", "Dan"))]
ADA, BEN, CLEO, DAN = PLAYERS


class Clock:
    """Shows `now`, which the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Server:
    """What a server has of its own, before a log that it may share."""

    def __init__(self, log: Log, clock: Clock) -> None:
        self.referee = Referee(log, clock)
        self.timekeeper = Timekeeper(self.referee, log, clock)

    async def look(self) -> int:
        return await self.timekeeper.look()

    async def send(self, game: UUID, player: Player, *commands: Any) -> Outcome:
        done = await self.referee.command(game, player, commands)
        assert isinstance(done, Outcome)
        return done

    async def start(self, **setup: Any) -> UUID:
        """A game that waits for the sheets of its first round."""
        game = (await self.referee.open(CURRENT["postal"], PostalSetup(**setup))).position.game_id
        for player in PLAYERS:
            await self.send(game, player, TakeSeat(str(player.player_id), player.name))
        await self.send(game, ADA, StartGame())
        return game


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", "postgres"])
def place(request: pytest.FixtureRequest) -> str | None:
    """Where to connect to; None for a log in memory."""
    return request.getfixturevalue("database") if request.param == "postgres" else None


@pytest.fixture
async def logs(place: str | None) -> AsyncIterator[list[Log]]:
    """One log as two servers see it."""
    if place is None:
        yield [MemoryLog()] * 2
        return
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(PostgresLog.open(place, pool_size=3)) for _ in range(2)]


@pytest.fixture
def server(logs: list[Log], clock: Clock) -> Server:
    return Server(logs[0], clock)


def closings(events: list[Recorded]) -> list[tuple[int, list[int]]]:
    """Every round that was closed, and whose sheets were missing."""
    found = [msgspec.json.decode(event.data) for event in events if event.type == "RoundClosed"]
    return [(closed["round"], closed["missing"]) for closed in found]


async def test_a_round_is_refereed_at_its_deadline_and_not_a_second_before(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    game = await server.start(round_hours=72)
    assert (await logs[0].game(game)).deadline_at == NOON + 72 * HOUR
    for early in (timedelta(), 71 * HOUR, 72 * HOUR - SECOND):
        clock.now = NOON + early
        assert await server.look() == 0
    assert closings(await logs[0].read(game)) == []
    clock.now = NOON + 72 * HOUR
    assert await server.look() == 1
    events = await logs[0].read(game)
    closed = next(event for event in events if event.type == "RoundClosed")
    assert (closed.actor, closed.command, closed.recorded_at) == (None, b'{"type":"CloseRound","round":1}', clock.now)
    assert closings(events) == [(1, [0, 1, 2, 3])]
    assert verify(events).fault is None


async def test_a_new_round_has_a_new_deadline(logs: list[Log], server: Server, clock: Clock) -> None:
    """The server comes 5 hours late to the first one, and the next round is 24 hours long all the same."""
    game = await server.start(round_hours=24)
    clock.now = NOON + 29 * HOUR
    assert await server.look() == 1
    assert (await logs[0].game(game)).deadline_at == NOON + 53 * HOUR
    clock.now = NOON + 53 * HOUR - SECOND
    assert await server.look() == 0
    clock.now = NOON + 53 * HOUR
    assert await server.look() == 1
    assert (await logs[0].game(game)).deadline_at == NOON + 77 * HOUR
    assert [closed for closed, _ in closings(await logs[0].read(game))] == [1, 2]


async def test_players_have_their_grace(logs: list[Log], server: Server, clock: Clock) -> None:
    """Two hours for the sheets and three more for those who are late: five."""
    game = await server.start(round_hours=2, grace_hours=3)
    clock.now = NOON + 5 * HOUR - SECOND
    assert await server.look() == 0
    await server.send(game, BEN, SHEET)
    clock.now += SECOND
    assert await server.look() == 1
    assert closings(await logs[0].read(game)) == [(1, [0, 2, 3])]


async def test_sheets_that_came_in_count_and_the_others_play_by_default(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    game = await server.start(round_hours=1)
    await server.send(game, DAN, SHEET)
    await server.send(game, ADA, SHEET, SHEET)
    clock.now += HOUR
    assert await server.look() == 1
    events = await logs[0].read(game)
    assert closings(events) == [(1, [1, 2])]
    missing = [msgspec.json.decode(event.data)["seat"] for event in events if event.type == "OrdersMissing"]
    assert missing == [1, 2]
    assert events[-1].type == "RoundBegan"


async def test_a_round_that_is_held_is_refereed_at_its_deadline(logs: list[Log], server: Server, clock: Clock) -> None:
    game = await server.start(round_hours=1)
    await server.send(game, ADA, HoldRound(hold=True))
    for player in PLAYERS:
        await server.send(game, player, SHEET)
    assert closings(await logs[0].read(game)) == []
    clock.now += HOUR
    assert await server.look() == 1
    assert closings(await logs[0].read(game)) == [(1, [])]


async def test_a_round_that_is_complete_before_has_no_deadline_left(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """The last sheet comes after 20 minutes; the next round ends an hour later, not at the old deadline."""
    game = await server.start(round_hours=1)
    clock.now += timedelta(minutes=20)
    for player in PLAYERS:
        await server.send(game, player, SHEET)
    assert (await logs[0].game(game)).deadline_at == NOON + timedelta(minutes=80)
    clock.now = NOON + HOUR
    assert await server.look() == 0
    assert closings(await logs[0].read(game)) == [(1, [])]


async def test_a_table_that_nobody_started_and_a_game_that_is_over_have_no_deadline(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """The game is a recorded one, played on from its last round but one, with its own seed."""
    opened = (await server.referee.open(CURRENT["postal"], PostalSetup())).position.game_id
    assert (await logs[0].game(opened)).deadline_at is None
    recorded, seed, cut = _finished_by_post()
    game = recorded[0].game_id
    seated = [UUID(msgspec.json.decode(e.data)["player"]) for e in recorded if e.type == "SeatTaken"]
    await logs[0].create(game, "postal", 1, "running", seed, recorded[:cut])
    decode = command_decoder("postal", 1)
    deadlines = []
    for group in by_command(recorded[cut:]):
        assert group[0].command is not None
        assert group[0].actor is not None
        player = Player(seated[group[0].actor], "")
        await server.send(game, player, decode(group[0].command))
        deadlines.append((await logs[0].game(game)).deadline_at)
    assert [event.data for event in await logs[0].read(game)] == [event.data for event in recorded]
    assert deadlines[0] is not None
    assert deadlines[-1] is None
    clock.now += 10_000 * HOUR
    assert await logs[0].due(clock.now, 10) == []
    assert await server.look() == 0


def _finished_by_post() -> tuple[list[Recorded], bytes, int]:
    """A recorded game, its seed, and where the command begins that closed its last round but one."""
    for file in FILES:
        events = load(file)
        seed = revealed_seed(events)
        if seed is not None and events[0].type == "PostalGameOpened":
            closed = [index for index, event in enumerate(events) if event.type == "RoundClosed"]
            cut = next(index for index in range(closed[-2], 0, -1) if events[index].command is not None)
            if all(event.actor is not None for event in events[cut:]):
                return list(events), seed, cut
    raise AssertionError("there is no recorded game by post that its players closed")


async def test_deadlines_survive_the_server(logs: list[Log], server: Server, clock: Clock) -> None:
    """Another one, which knows nothing but the log, referees what the first one left."""
    game = await server.start(round_hours=1)
    await server.send(game, CLEO, SHEET)
    clock.now += HOUR
    assert await Server(logs[1], clock).look() == 1
    assert closings(await logs[1].read(game)) == [(1, [0, 1, 3])]
    assert await server.look() == 0


async def test_two_servers_referee_a_round_once(logs: list[Log], clock: Clock) -> None:
    """Both look at the same moment, thirty times."""
    servers = [Server(log, clock) for log in logs]
    game = await servers[0].start(round_hours=1)
    for number in range(1, 31):
        clock.now += HOUR
        went_on = await asyncio.gather(*(server.look() for server in servers), servers[number % 2].look())
        assert sum(went_on) == 1
    events = await logs[0].read(game)
    assert closings(events) == [(number, [0, 1, 2, 3]) for number in range(1, 31)]
    assert broken_link(events) is None


async def test_a_sheet_that_races_the_deadline_counts_for_the_round_that_it_is_in(
    logs: list[Log], clock: Clock
) -> None:
    """Three sheets are in, and Ada's comes while two servers close the round, thirty times.

    It completes the round, or it is the first of the next one; nothing is lost, and nothing refereed twice.
    """
    servers = [Server(log, clock) for log in logs]
    game = await servers[0].start(round_hours=1)
    for number in range(30):
        for player in PLAYERS[1:]:
            await servers[0].send(game, player, SHEET)
        clock.now += HOUR
        await asyncio.gather(servers[0].look(), servers[number % 2].send(game, ADA, SHEET), servers[1].look())
        clock.now += HOUR
        assert await servers[number % 2].look() == 1
    events = await logs[0].read(game)
    assert verify(events).fault is None
    closed = closings(events)
    assert [number for number, _ in closed] == list(range(1, 61))
    sent = [(said["round"], said["seat"]) for said in _said(events, "OrdersSubmitted")]
    assert len(set(sent)) == len(sent) == 30 * 4
    assert closed == [(number, [seat for seat in range(4) if (number, seat) not in sent]) for number in range(1, 61)]


def _said(events: list[Recorded], type: str) -> list[Any]:
    return [msgspec.json.decode(event.data) for event in events if event.type == type]


class Shaky(MemoryLog):
    """A log that does not answer while it is `away`."""

    away = False

    async def due(self, now: datetime, limit: int) -> list[UUID]:
        self._try()
        return await super().due(now, limit)

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
    monkeypatch.setattr(timekeeper, "PERIOD", 0.01)
    log = Shaky()
    server = Server(log, clock)
    game = await server.start(round_hours=1)
    clock.now += HOUR
    log.away = True
    with pytest.raises(LogUnavailable):
        await server.look()
    with capture_logs() as logged:
        async with server.timekeeper.watching():
            await asyncio.sleep(0.1)
            assert closings(await log.read(game)) == []
            log.away = False

            async def closed() -> bool:
                return bool(closings(await log.read(game)))

            await _until(closed)
            await asyncio.sleep(0.05)
    assert closings(await log.read(game)) == [(1, [0, 1, 2, 3])]
    told = [(line["log_level"], line["event"]) for line in logged]
    assert told == [("warning", "deadlines have to wait"), ("info", "appended"), ("info", "deadlines are kept again")]
    assert logged[1]["game_id"] == str(game)


async def test_a_game_that_cannot_go_on_is_told_once_and_holds_up_no_other(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two whose turn is first are broken, and the timekeeper looks after two games at a time."""
    monkeypatch.setattr(timekeeper, "AT_ONCE", 2)
    log = MemoryLog()
    server = Server(log, clock)
    games = []
    for _ in range(4):
        games.append(await server.start(round_hours=1))
        clock.now += SECOND
    time_out = server.referee.time_out

    async def broken(game_id: UUID) -> Outcome | None:
        if game_id in games[:2]:
            raise LookupError("the rules cannot do this")
        return await time_out(game_id)

    monkeypatch.setattr(server.referee, "time_out", broken)
    clock.now += HOUR
    with capture_logs() as logged:
        assert [await server.look() for _ in range(3)] == [0, 2, 0]
    told = [line for line in logged if line["event"] == "a game cannot go on at its deadline"]
    assert [(line["log_level"], line["game_id"]) for line in told] == [("error", str(game)) for game in games[:2]]
    assert [len(closings(await log.read(game))) for game in games] == [0, 0, 1, 1]
    monkeypatch.setattr(server.referee, "time_out", time_out)
    assert await server.look() == 2


async def test_many_games_that_are_due_are_done_without_waiting(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven, three at a time, though the timekeeper would look again in an hour only."""
    monkeypatch.setattr(timekeeper, "AT_ONCE", 3)
    monkeypatch.setattr(timekeeper, "PERIOD", 3600)
    log = MemoryLog()
    server = Server(log, clock)
    for _ in range(7):
        await server.start(round_hours=1)
    clock.now += HOUR

    async def none_left() -> bool:
        return not await log.due(clock.now, 10)

    async with server.timekeeper.watching():
        await _until(none_left)


async def test_a_database_that_goes_away_and_comes_back_delays_a_deadline(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deadline comes while PostgreSQL is down, with a timekeeper at work; the sheet that was in counts."""
    monkeypatch.setattr(timekeeper, "PERIOD", 0.1)
    with EmbeddedPostgres(tmp_path / "pg") as database:
        await migrate(database.url())
        async with PostgresLog.open(database.url(), pool_size=2, patience=0.5) as log:
            server = Server(log, clock)
            game = await server.start(round_hours=1)
            await server.send(game, BEN, SHEET)
            with capture_logs() as logged:
                async with server.timekeeper.watching():
                    await asyncio.to_thread(database.stop)
                    clock.now += HOUR

                    async def waits() -> bool:
                        return any(line["event"] == "deadlines have to wait" for line in logged)

                    async def kept() -> bool:
                        return any(line["event"] == "deadlines are kept again" for line in logged)

                    await _until(waits)
                    await asyncio.to_thread(database.start)
                    await _until(kept)
            assert closings(await log.read(game)) == [(1, [0, 2, 3])]


class Hanging(MemoryLog):
    """A log that takes for ever, and loses the first cancellation, as a database driver may."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.lost = 0

    async def due(self, now: datetime, limit: int) -> list[UUID]:
        self.asked.set()
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                self.lost += 1
                if self.lost > 1:
                    raise


async def test_a_timekeeper_that_is_busy_stops_all_the_same(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timekeeper, "PERIOD", 0.01)
    log = Hanging()
    async with asyncio.timeout(10):
        async with Server(log, clock).timekeeper.watching():
            await log.asked.wait()
    assert log.lost == 2
