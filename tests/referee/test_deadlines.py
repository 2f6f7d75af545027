"""Deadlines by a scripted clock: rounds end on time, once, no matter who checks the clock and what fails meanwhile."""

import asyncio
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID

import msgspec
import pytest

from mcmulti.domain.postal.commands import HoldRound, SubmitOrders, WithdrawOrders
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import PostalSetup
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.codec import command_decoder
from mcmulti.events.log.envelope import Recorded, broken_link
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.projections.proof.proof import revealed_seed, verify
from mcmulti.projections.proof.prover import by_command
from mcmulti.referee.ruling import Idempotency, Refused
from tests.golden.games import FILES, load
from tests.scripted_clock import ADA, BEN, CLEO, DAN, HOUR, NOON, PLAYERS, SECOND, SHEET, Clock, Server, closings


async def test_a_round_is_refereed_at_its_deadline_and_not_a_second_before(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    game = await server.start(round_hours=72)
    assert (await logs[0].game(game)).deadline == NOON + 72 * HOUR
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
    """The server is 5 hours late for the first one, and the next round still lasts 24 hours."""
    game = await server.start(round_hours=24)
    clock.now = NOON + 29 * HOUR
    assert await server.look() == 1
    assert (await logs[0].game(game)).deadline == NOON + 53 * HOUR
    clock.now = NOON + 53 * HOUR - SECOND
    assert await server.look() == 0
    clock.now = NOON + 53 * HOUR
    assert await server.look() == 1
    assert (await logs[0].game(game)).deadline == NOON + 77 * HOUR
    assert [closed for closed, _ in closings(await logs[0].read(game))] == [1, 2]


async def test_players_have_their_grace(logs: list[Log], server: Server, clock: Clock) -> None:
    """Two hours for the sheets and three more for late ones: five."""
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
    await server.send(game, ADA, HoldRound(1, hold=True))
    for player in PLAYERS:
        await server.send(game, player, SHEET)
    assert closings(await logs[0].read(game)) == []
    clock.now += HOUR
    assert await server.look() == 1
    assert closings(await logs[0].read(game)) == [(1, [])]


async def test_a_round_that_is_complete_before_has_no_deadline_left(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """The last sheet arrives after 20 minutes. The next round ends an hour later, not at the old deadline."""
    game = await server.start(round_hours=1)
    clock.now += timedelta(minutes=20)
    for player in PLAYERS:
        await server.send(game, player, SHEET)
    assert (await logs[0].game(game)).deadline == NOON + timedelta(minutes=80)
    clock.now = NOON + HOUR
    assert await server.look() == 0
    assert closings(await logs[0].read(game)) == [(1, [])]


async def test_a_table_that_nobody_started_and_a_game_that_is_over_have_no_deadline(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """The game is a recorded one, continued from its second to last round with its own seed."""
    opened = (await server.referee.open(CURRENT["postal"], PostalSetup())).position.game_id
    assert (await logs[0].game(opened)).deadline is None
    recorded, seed, cut = _finished_by_post()
    game = recorded[0].game_id
    taken = [msgspec.json.decode(event.data) for event in recorded if event.type == "SeatTaken"]
    seated = {each["seat"]: UUID(each["player"]) for each in taken}
    await logs[0].create(game, "postal", 1, TableRow("running"), seed, recorded[:cut])
    decode = command_decoder("postal", 1)
    deadlines = []
    for group in by_command(recorded[cut:]):
        assert group[0].command is not None
        assert group[0].actor is not None
        player = Player(seated[group[0].actor], "")
        await server.send(game, player, decode(group[0].command))
        deadlines.append((await logs[0].game(game)).deadline)
    assert [event.data for event in await logs[0].read(game)] == [event.data for event in recorded]
    assert deadlines[0] is not None
    assert deadlines[-1] is None
    clock.now += 10_000 * HOUR
    assert await logs[0].due(clock.now, 10) == []
    assert await server.look() == 0


def _finished_by_post() -> tuple[list[Recorded], bytes, int]:
    """A recorded game, its seed, and the index of the command that closed its second to last round."""
    for file in FILES:
        events = load(file)
        seed = revealed_seed(events)
        left = any(event.type == "SeatVacated" for event in events)
        if seed is not None and events[0].type == "PostalGameOpened" and not left:
            closed = [index for index, event in enumerate(events) if event.type == "RoundClosed"]
            cut = next(index for index in range(closed[-2], 0, -1) if events[index].command is not None)
            if all(event.actor is not None for event in events[cut:]):
                return list(events), seed, cut
    raise AssertionError("there is no recorded game by post that its players closed")


async def test_deadlines_survive_the_server(logs: list[Log], server: Server, clock: Clock) -> None:
    """Another server, which knows nothing but the log, referees what the first one left."""
    game = await server.start(round_hours=1)
    await server.send(game, CLEO, SHEET)
    clock.now += HOUR
    assert await Server(logs[1], clock).look() == 1
    assert closings(await logs[1].read(game)) == [(1, [0, 1, 3])]
    assert await server.look() == 0


async def test_two_servers_referee_a_round_once(logs: list[Log], clock: Clock) -> None:
    """Both check at the same moment, nine times. A tenth round would be a standstill."""
    servers = [Server(log, clock) for log in logs]
    game = await servers[0].start(round_hours=1)
    for number in range(1, 10):
        clock.now += HOUR
        went_on = await asyncio.gather(*(server.look() for server in servers), servers[number % 2].look())
        assert sum(went_on) == 1
    events = await logs[0].read(game)
    assert closings(events) == [(number, [0, 1, 2, 3]) for number in range(1, 10)]
    assert broken_link(events) is None


async def test_a_sheet_that_races_the_deadline_is_never_the_next_rounds(logs: list[Log], clock: Clock) -> None:
    """Three sheets are in. Ada's arrives at the deadline, while two servers close the round. This repeats eight times.

    It is refused, either before or after the round is closed. Nothing else is lost, and nothing is refereed twice.
    """
    servers = [Server(log, clock) for log in logs]
    game = await servers[0].start(round_hours=1)
    for number in range(1, 9):
        sheet = SubmitOrders(number, OrderSheet())
        for player in PLAYERS[1:]:
            await servers[0].send(game, player, sheet)
        clock.now += HOUR
        came = servers[number % 2].send(game, ADA, sheet)
        looks = [server.look() for server in servers]
        first, refused, second = await asyncio.gather(looks[0], came, looks[1], return_exceptions=True)
        assert isinstance(refused, Refused)
        assert refused.rejection.code in ("deadline_passed", "other_round")
        assert sorted((first, second)) == [0, 1]
    events = await logs[0].read(game)
    assert verify(events).fault is None
    assert closings(events) == [(number, [0]) for number in range(1, 9)]
    sent = [(said["round"], said["seat"]) for said in _said(events, "OrdersSubmitted")]
    assert sent == [(number, seat) for number in range(1, 9) for seat in (1, 2, 3)]


def _said(events: list[Recorded], type: str) -> list[Any]:
    return [msgspec.json.decode(event.data) for event in events if event.type == type]


# After the deadline


async def test_a_sheet_after_the_deadline_is_refused_though_nobody_closed_the_round(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """It is refused at the deadline and hours later, although no server checked its clock meanwhile.

    A second before, it is accepted.
    """
    game = await server.start(round_hours=1)
    await server.send(game, BEN, SHEET)
    clock.now = NOON + HOUR - SECOND
    await server.send(game, ADA, SHEET)
    before = await logs[0].read(game)
    for late in (HOUR, 5 * HOUR):
        clock.now = NOON + late
        for command in (SHEET, HoldRound(1, hold=True), WithdrawOrders(1)):
            with pytest.raises(Refused) as refused:
                await server.send(game, ADA, command)
            assert (refused.value.rejection.code, refused.value.rejection.rule) == (
                "deadline_passed",
                "postal/deadline",
            )
            with pytest.raises(Refused) as refused:
                await server.referee.dry_run(game, ADA, [command])
            assert refused.value.rejection.code == "deadline_passed"
    assert await logs[0].read(game) == before
    assert await server.look() == 1
    assert closings(await logs[0].read(game)) == [(1, [2, 3])]
    await server.send(game, ADA, SubmitOrders(2, OrderSheet()))


async def test_the_last_sheet_does_not_referee_the_round_after_its_deadline(server: Server, clock: Clock) -> None:
    game = await server.start(round_hours=1)
    for player in (ADA, BEN, CLEO):
        await server.send(game, player, SHEET)
    clock.now += HOUR
    with pytest.raises(Refused, match="deadline"):
        await server.send(game, DAN, SHEET)
    assert await server.look() == 1


async def test_a_server_that_just_came_knows_the_deadline_from_the_log(logs: list[Log], clock: Clock) -> None:
    """After an outage of two hours, the sheet arrives before anybody has checked the clock."""
    game = await Server(logs[0], clock).start(round_hours=1)
    clock.now += 2 * HOUR
    again = Server(logs[1], clock)
    with pytest.raises(Refused, match="deadline"):
        await again.send(game, ADA, SHEET)


async def test_a_sheet_that_waited_until_after_the_deadline_is_refused(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """It arrived in time, but waited for another. The time of the decision counts, which is recorded."""
    game = await server.start(round_hours=1)
    await server.send(game, BEN, SHEET)
    append = logs[0].append

    async def slow(*args: Any, **options: Any) -> None:
        await asyncio.sleep(0.05)
        clock.now = NOON + HOUR
        await append(*args, **options)

    with patch.object(logs[0], "append", slow):
        first = asyncio.create_task(server.send(game, ADA, SHEET))
        await asyncio.sleep(0)
        second = asyncio.create_task(server.send(game, CLEO, SHEET))
        await first
        with pytest.raises(Refused, match="deadline"):
            await second
    sent = [event for event in await logs[0].read(game) if event.type == "OrdersSubmitted"]
    assert [event.actor for event in sent] == [1, 0]
    assert all(event.recorded_at < NOON + HOUR for event in sent)


async def test_a_sheet_for_a_round_that_another_server_closed_is_refused(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """The other server refereed round 1. This one has not heard of it, and refuses commands for that round."""
    game = await server.start(round_hours=1)
    await server.send(game, ADA, SHEET)
    other = Server(logs[1], clock)
    clock.now += HOUR
    assert await other.look() == 1
    clock.now += SECOND
    with pytest.raises(Refused) as refused:
        await server.send(game, ADA, SHEET)
    assert refused.value.rejection.code == "other_round"
    done = await server.send(game, ADA, SubmitOrders(2, OrderSheet()))
    assert [event.type for event in done.events] == ["OrdersSubmitted"]


async def test_a_request_that_was_answered_in_time_is_answered_again_after_the_deadline(
    server: Server, clock: Clock
) -> None:
    game = await server.start(round_hours=1)
    key = Idempotency("sheet", bytes(32))
    done = await server.referee.command(game, ADA, [SHEET], idempotency=key)
    clock.now += HOUR
    again = await server.referee.command(game, ADA, [SHEET], idempotency=key)
    assert again.repeated
    assert again.events == done.events
