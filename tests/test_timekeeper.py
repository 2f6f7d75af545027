"""Deadlines by a scripted clock: rounds end in time, once, whoever looks at the clock and whatever fails meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from mcmulti.domain.postal.commands import HoldRound
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.codec import command_decoder
from mcmulti.events.envelope import Recorded, broken_link
from mcmulti.events.log import Log, Player
from mcmulti.events.memory import MemoryLog
from mcmulti.events.postgres import PostgresLog
from mcmulti.projections.proof import revealed_seed, verify
from mcmulti.projections.prover import by_command
from tests.golden.test_golden_games import FILES, load
from tests.scripted_clock import ADA, BEN, CLEO, DAN, HOUR, NOON, PLAYERS, SECOND, SHEET, Clock, Server, closings


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.postgres)])
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
