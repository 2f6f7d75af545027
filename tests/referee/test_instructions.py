"""Standing instructions in a log that two servers share: when they answer, and that nobody can tell."""

import asyncio
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from mcmulti.domain.core.capabilities.clock import Clock as GameClock
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import EndProduction, Instruct, OperatingOrders
from mcmulti.domain.mcmulti.instructions import INSTRUCTIONS
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from mcmulti.events.store.redaction import for_reader
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.reports.replay import frames
from mcmulti.referee import questions, ruling
from mcmulti.referee.ruling import Idempotency, Refused
from mcmulti.referee.scheduler import answer
from mcmulti.simulation import any_offer, fill_in
from tests.scripted_clock import ADA, PLAYERS, SECOND, Clock, Server

SECONDS = 2
END = OperatingOrders()
"""Operate nothing: the answer is to end the production."""
BUSY = OperatingOrders(sell_from=1, refine=True, pump=True)
COMMANDS = {command.__name__: command for command in RULESET.flow.moves}


class Table:
    """A game of three in which a neighbor is asked, as two servers see it."""

    def __init__(self, logs: list[Log], clock: Clock) -> None:
        self.one, self.other = (Server(log, clock) for log in logs)
        self.log, self.clock = logs[0], clock

    async def begin(self, orders: dict[int, OperatingOrders | None], seed: int = 1, **setup: Any) -> None:
        """Play at random until a neighbor is asked. Before that, these seats set these orders."""
        opened = await self.one.referee.open(RULESET, Setup(seats=3, instructions=SECONDS, **setup))
        self.game = opened.position.game_id
        for player in PLAYERS[:3]:
            await self.one.send(self.game, player, TakeSeat(str(player.player_id)))
        await self.one.send(self.game, ADA, StartGame())
        for seat in range(3):
            await self.one.send(self.game, PLAYERS[seat], Instruct(orders.get(seat)))
        await self.play_until_asked(seed)

    async def play_until_asked(self, seed: int) -> None:
        random = Random(seed)
        while (position := await self.position()) and INSTRUCTIONS.question(position.state) is None:
            (seat,) = position.state.movers
            offer = any_offer(random, RULESET.offers(position.state, seat), RULESET.commands.weights)
            command = fill_in(random, offer, COMMANDS[offer.command])
            await self.one.send(self.game, PLAYERS[seat], command)

    async def position(self) -> Position:
        return await self.one.referee.position(self.game)

    async def asked(self) -> int:
        """The seat that is asked in another's turn."""
        question = INSTRUCTIONS.question((await self.position()).state)
        assert question is not None
        return question[1]

    async def answer_as(self, orders: OperatingOrders) -> None:
        """The next command of an answer, sent by the player who is asked."""
        state = (await self.position()).state
        seat = await self.asked()
        command = INSTRUCTIONS.following(state, seat, orders, RULESET.offers(state, seat))
        await self.one.send(self.game, PLAYERS[seat], command)

    async def answer_at(self) -> datetime:
        question = await self.log.question(self.game)
        assert question is not None
        return question.answer_at

    async def events(self, after: int = 0) -> list[Recorded]:
        return await self.log.read(self.game, after)


@pytest.fixture
def table(logs: list[Log], clock: Clock) -> Table:
    return Table(logs, clock)


def everybodys(orders: OperatingOrders | None) -> dict[int, OperatingOrders | None]:
    return dict.fromkeys(range(3), orders)


async def test_an_instruction_answers_at_its_moment_and_no_sooner(table: Table) -> None:
    """Two seconds after the question, plus up to half a second: with the same commands as the seat."""
    await table.begin(everybodys(END))
    seat, head = await table.asked(), (await table.position()).head
    at = await table.answer_at()
    assert SECONDS * SECOND <= at - table.clock.now < (SECONDS + 0.5) * SECOND
    assert await answer(table.one.referee, table.game) is None
    table.clock.now = at
    done = await answer(table.one.referee, table.game)
    assert done is not None
    first = done.events[0]
    assert (first.actor, first.seq) == (seat, head.seq + 1)
    assert first.command == b'{"type":"EndProduction"}'
    assert first.recorded_at == at


async def test_the_moment_of_an_answer_is_as_fine_as_what_the_log_records(table: Table) -> None:
    """If it came at whole milliseconds, the fractions would show how long it took to write an answer to the log."""
    parts = set()
    for seed in range(8):
        await table.begin({}, seed)
        parts.add((await table.answer_at() - table.clock.now) % timedelta(milliseconds=1))
    assert len(parts) > 4


async def test_what_it_does_is_proven_at_any_time_and_by_whom_it_is_sealed(table: Table) -> None:
    await table.begin(everybodys(END))
    table.clock.now = await table.answer_at()
    await answer(table.one.referee, table.game)
    events = await table.events()
    assert verify(events).fault is None
    position = await table.position()
    sealed = for_reader(position, None, events)
    assert [event.type for event in sealed if event.payload is not None] == ["InstructionSet"] * 3
    proof = verify(sealed)
    assert proof.fault is None
    assert proof.sealed == next(event.seq for event in events if event.type == "InstructionSet")
    mine = for_reader(position, PLAYERS[1], events)
    assert [event.actor for event in mine if event.payload is not None] == [0, 2]


async def test_where_nobody_instructed_the_moment_is_noted_all_the_same(table: Table) -> None:
    await table.begin({})
    at = await table.answer_at()
    assert [due.game_id for due in await table.log.unanswered(at, 10)] == [table.game]
    table.clock.now = at
    assert await answer(table.one.referee, table.game) is None
    assert await table.log.unanswered(at, 10) == []
    seat = await table.asked()
    await asyncio.wait_for(table.one.send(table.game, PLAYERS[seat], EndProduction()), 1)  # it is late, so at once


async def test_a_person_waits_for_the_same_moment_and_no_instruction_answers_then(table: Table) -> None:
    """The answer is sent at once and given two seconds later. The instruction, which would sell, is not asked."""
    await table.begin(everybodys(OperatingOrders(sell_from=1, refine=True, pump=True)))
    seat, head, at = await table.asked(), (await table.position()).head, await table.answer_at()
    sending = asyncio.create_task(table.one.send(table.game, PLAYERS[seat], EndProduction()))
    await asyncio.sleep(1)
    assert not sending.done()
    assert (await table.position()).head == head
    table.clock.now = at
    assert await answer(table.other.referee, table.game) is None
    done = await sending
    assert done.events[0].command == b'{"type":"EndProduction"}'
    assert done.events[0].recorded_at == at
    assert verify(await table.events()).fault is None


async def _asked_for_several(table: Table, orders: dict[int, OperatingOrders | None]) -> None:
    """Begin games until an answer of `BUSY` takes more than one command."""
    for seed in range(100):
        await table.begin(orders, seed)
        state, seat = (await table.position()).state, await table.asked()
        given = {offer.command for offer in RULESET.offers(state, seat)}
        if {"SellGasoline", "RefineCrude"} <= given or {"RefineCrude", "PumpCrude"} <= given:
            return
    raise AssertionError("no question has several answers")


@pytest.mark.parametrize("instructed", [True, False])
async def test_each_command_of_an_answer_has_a_moment_of_its_own(table: Table, instructed: bool) -> None:
    """The first command comes two seconds after the question, the second two seconds after that, and so on.

    Each takes up to half a second more. This is the same for an instruction and for a person who sends each as soon as
    the one before is done.
    """
    await _asked_for_several(table, everybodys(BUSY if instructed else None))
    before, seat, moments = (await table.position()).head, await table.asked(), []
    asked = INSTRUCTIONS.question((await table.position()).state)
    while INSTRUCTIONS.question((await table.position()).state) == asked:
        at = await table.answer_at()
        moments.append(at)
        if instructed:
            assert await answer(table.one.referee, table.game) is None
            table.clock.now = at
            assert await answer(table.one.referee, table.game) is not None
        else:
            sending = asyncio.create_task(table.answer_as(BUSY))
            await asyncio.sleep(0.05)
            assert not sending.done()
            sending.cancel()
            await asyncio.wait([sending])
            table.clock.now = at
            await table.answer_as(BUSY)
    commands = [event for event in await table.events(before.seq) if event.command and event.actor == seat]
    assert len(moments) > 1
    assert len(commands) == len(moments)
    for earlier, later in pairwise(moments):
        assert SECONDS * SECOND <= later - earlier < (SECONDS + 0.5) * SECOND


async def test_what_a_person_has_begun_to_answer_no_instruction_goes_on_with(table: Table) -> None:
    await _asked_for_several(table, everybodys(BUSY))
    asked = INSTRUCTIONS.question((await table.position()).state)
    table.clock.now = await table.answer_at()
    await table.answer_as(BUSY)
    assert INSTRUCTIONS.question((await table.position()).state) == asked
    table.clock.now = await table.answer_at()
    assert await answer(table.other.referee, table.game) is None
    await table.answer_as(BUSY)


async def test_several_commands_at_once_are_no_answer(table: Table) -> None:
    """An instruction never sends two at once.

    Commands that are not answers may come along. A dry run is refused alike.
    """
    await _asked_for_several(table, {})
    seat, at = await table.asked(), await table.answer_at()
    head, table.clock.now = (await table.position()).head, at
    two = [EndProduction(), Instruct(END), EndProduction()]
    for trying in (table.one.referee.command, table.one.referee.dry_run):
        with pytest.raises(Refused) as refused:
            await trying(table.game, PLAYERS[seat], two)
        assert (refused.value.rejection.code, refused.value.rejection.rule) == ("one_by_one", "table/instruct")
        assert refused.value.index == 2
    assert (await table.position()).head == head
    await table.one.send(table.game, PLAYERS[seat], Instruct(END), EndProduction())


async def test_what_is_refused_or_is_no_answer_does_not_wait(table: Table) -> None:
    await table.begin({})
    seat = await table.asked()
    async with asyncio.timeout(1):
        with pytest.raises(Refused):
            await table.one.send(table.game, PLAYERS[seat], StartGame())
        await table.one.send(table.game, PLAYERS[seat], Instruct(END))
        trial = await table.one.referee.dry_run(table.game, PLAYERS[seat], [EndProduction()])
        assert trial.events[0].type != "InstructionSet"


async def test_a_request_that_is_sent_twice_is_answered_twice_and_done_once(table: Table) -> None:
    await table.begin({})
    seat, head, at = await table.asked(), (await table.position()).head, await table.answer_at()
    table.clock.now = at - timedelta(seconds=0.2)
    key = Idempotency("key", bytes(32))
    both = await asyncio.gather(
        *(
            server.referee.command(table.game, PLAYERS[seat], [EndProduction()], None, key)
            for server in (table.one, table.other)
        )
    )
    assert {ruling.events[0].hash for ruling in both} == {(await table.events(head.seq))[0].hash}
    assert sorted(ruling.repeated for ruling in both) == [False, True]


async def test_who_hangs_up_has_answered_nothing(table: Table) -> None:
    await table.begin({})
    seat, head = await table.asked(), (await table.position()).head
    sending = asyncio.create_task(table.one.send(table.game, PLAYERS[seat], EndProduction()))
    await asyncio.sleep(0.2)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    assert (await table.position()).head == head
    table.clock.now = await table.answer_at()
    await table.one.send(table.game, PLAYERS[seat], EndProduction())


async def test_two_servers_answer_once(table: Table) -> None:
    await table.begin(everybodys(END))
    head = (await table.position()).head
    table.clock.now = await table.answer_at()
    both = await asyncio.gather(answer(table.one.referee, table.game), answer(table.other.referee, table.game))
    assert sum(ruling is not None for ruling in both) == 1
    ended = [event for event in await table.events(head.seq) if event.command == b'{"type":"EndProduction"}']
    assert len(ended) == 1


async def test_a_server_that_comes_back_answers_what_was_asked_before(logs: list[Log], table: Table) -> None:
    """The other server's memory is gone with it, but the moment is in the database."""
    await table.begin(everybodys(END))
    table.clock.now = await table.answer_at()
    later = Server(logs[1], table.clock)
    await later.scheduler.watch_questions()
    for _ in range(500):
        if not await logs[1].unanswered(table.clock.now, 10):
            break
        await asyncio.sleep(0.01)
    assert b'{"type":"EndProduction"}' in [event.command for event in await table.events()]


async def test_all_who_follow_learn_of_an_answer_from_the_log_alone(table: Table) -> None:
    """The server that accepted it tells its readers no sooner than any other server does."""
    await table.begin(everybodys(END))
    head = (await table.position()).head
    table.clock.now = await table.answer_at()
    async with table.one.referee.feed(table.game) as feed:
        assert await answer(table.one.referee, table.game) is not None
        assert feed.position.head == head
        assert await feed.moved(head.seq, 5)


async def _world(
    done: OperatingOrders, orders: OperatingOrders | None, answers: bool, monkeypatch: pytest.MonkeyPatch
) -> Table:
    """The same game each time, except for the seats' instructions and whether they answer themselves.

    Answers go out one command at a time. `done`: the answer of an instruction with these orders.
    """
    monkeypatch.setattr("secrets.token_bytes", bytes)
    monkeypatch.setattr("mcmulti.referee.opening.uuid4", lambda: UUID(int=7))
    monkeypatch.setattr(ruling, "uuid4", lambda: UUID(int=8))
    monkeypatch.setattr(questions, "randbelow", lambda most: 100_000)
    clock = Clock()
    table = Table([MemoryLog()] * 2, clock)
    await table.begin(dict.fromkeys(range(3), orders))
    for seed in range(4):
        asked = INSTRUCTIONS.question((await table.position()).state)
        while INSTRUCTIONS.question((await table.position()).state) == asked:
            at = await table.answer_at()
            if answers:
                clock.now = at - timedelta(milliseconds=20)
                sending = asyncio.create_task(table.answer_as(done))
                await asyncio.sleep(0)
                while not sending.done():
                    await asyncio.sleep(0.005)
                    clock.now = at
                await sending
            else:
                clock.now = at
                assert await answer(table.one.referee, table.game) is not None
        await table.play_until_asked(seed)
    return table


@pytest.mark.parametrize(
    ("done", "orders", "answers"),
    [
        (END, END, False),
        (END, OperatingOrders(keep_gasoline=9, cash_below=1), False),
        (END, BUSY, True),
        (END, OperatingOrders(cash_below=10_000), True),
        (END, None, True),
        (BUSY, BUSY, True),
        (BUSY, OperatingOrders(cash_below=10_000), True),
        (BUSY, None, True),
    ],
    ids=["on", "on-with-guards", "another-way", "off-by-a-guard", "none", "busy-on", "busy-off", "busy-none"],
)
async def test_nobody_else_can_tell_what_a_seat_set_nor_who_answered(
    done: OperatingOrders, orders: OperatingOrders | None, answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every world, the same answers come at the same moments. Others read, see, and may do the same."""
    told = []
    for world in (
        await _world(done, done, False, monkeypatch),
        await _world(done, orders, answers, monkeypatch),
    ):
        position, events = await world.position(), await world.events()
        logged = await world.log.game(world.game)
        seen: list[object] = [logged.standing, position.head.seq, await world.answer_at()]
        read = for_reader(position, None, events)
        seen += [(*event[:8], event.recorded_at) for event in read]
        sealed = [event for event in read if event.payload is not None]
        seen.append([(event.seq, event.type) for event in sealed])
        for language in LANGUAGES:
            seen += frames(RULESET, None, events, now=position.state, language=language)
        for seat in (None, 0, 1, 2):
            seen.append(RULESET.view(position.state, seat))
            seen += [RULESET.offers(position.state, seat), RULESET.besides(position.state, seat)]
        told.append(seen)
    assert told[0] == told[1]


async def test_the_clock_of_who_is_asked_runs_and_the_default_answer_is_given_when_nobody_answers(table: Table) -> None:
    await table.begin({}, clock=GameClock(30))
    head = (await table.position()).head
    table.clock.now += 30 * SECOND
    assert await table.one.look() == 1
    happened = await table.events(head.seq)
    assert msgspec.json.decode(happened[0].data)["move"] in ("PumpCrude", "EndProduction")
    assert msgspec.json.decode(happened[0].data)["why"] == "time"
