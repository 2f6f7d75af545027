"""Clocks of games that wait for one seat at a time, by a scripted clock: who is charged, who is late, who was first."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import GrantTime, TimeOut, bank
from mcmulti.domain.core.capabilities.clock.timing import Timing
from mcmulti.domain.mcmulti.commands import EndPurchases
from mcmulti.domain.postal.state import PostalSetup
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.log.envelope import START, Draft, Head, Recorded, seal
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.log import Log
from mcmulti.projections.proof.proof import verify
from mcmulti.referee import scheduler
from mcmulti.referee.ruling import Idempotency, Refused
from tests.profiles import profile_of
from tests.pure.properties.random_games import game as random_game
from tests.scripted_clock import NOON, PLAYERS, SECOND, Clock, Server

GAMES = tuple(name for name in SHIPPED if "clock" in profile_of(name).options)
END = EndPurchases()


async def _deadline(log: Log, game: UUID) -> datetime | None:
    return (await log.game(game)).deadline


def _told(events: list[Recorded], kind: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(event.data) for event in events if event.type == kind]


async def _another(server: Server, game: UUID) -> Player:
    asked = await server.asked(game)
    return next(player for player in PLAYERS[:3] if player != asked)


async def test_a_game_with_a_clock_has_a_deadline_from_its_first_question_on(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """A minute for the move and ten in the bank. Purchases within the move do not move the deadline."""
    game = await server.begin(bank_seconds=600)
    assert await _deadline(logs[0], game) == NOON + 660 * SECOND
    clock.now += 30 * SECOND
    asked = await server.asked(game)
    await server.send(game, asked, END)
    assert await server.asked(game) != asked
    assert await _deadline(logs[0], game) == NOON + 690 * SECOND
    assert _told(await logs[0].read(game), "BankUsed") == []


async def test_a_game_without_a_clock_has_no_deadline(logs: list[Log], server: Server) -> None:
    game = (await server.referee.open(CURRENT["mcmulti"], CURRENT["mcmulti"].setup(seats=2))).position.game_id
    assert await _deadline(logs[0], game) is None


@pytest.mark.parametrize("option", ["clock", "undo", "instructions"])
def test_by_post_there_are_no_clocks(option: str) -> None:
    """The same goes for any other option that a game lacks: no table can use it."""
    with pytest.raises(msgspec.ValidationError, match=f"unknown field `{option}`"):
        msgspec.convert({option: None}, PostalSetup)


@pytest.mark.parametrize(("late", "used"), [(60.0, 0), (60.999, 0), (61.0, 1), (75.5, 15), (659.9, 599)])
async def test_the_bank_loses_whole_seconds_beyond_the_move_in_the_players_favor(
    logs: list[Log], server: Server, clock: Clock, late: float, used: int
) -> None:
    game = await server.begin(bank_seconds=600)
    asked = await server.asked(game)
    clock.now += timedelta(seconds=late)
    done = await server.send(game, asked, END)
    told = [msgspec.json.decode(event.data) for event in done.events if event.type == "BankUsed"]
    seat = PLAYERS.index(asked)
    assert told == ([{"type": "BankUsed", "seat": seat, "seconds": used, "left": 600 - used}] if used else [])
    assert bank(done.position.state, seat) == 600 - used
    events = await logs[0].read(game)
    assert verify(events).fault is None
    if used:
        charge = next(event for event in events if event.type == "BankUsed")
        assert (charge.actor, charge.command) == (None, b'{"type":"UseBank","seconds":%d}' % used)


async def test_the_deadline_of_the_next_move_of_a_seat_counts_what_is_left_in_its_bank(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    game = await server.begin(bank_seconds=600)
    first = await server.asked(game)
    clock.now += 100 * SECOND
    await server.send(game, first, END)
    while await server.asked(game) != first:
        await server.send(game, await server.asked(game), END)
    assert await _deadline(logs[0], game) == clock.now + (60 + 560) * SECOND


@pytest.mark.parametrize("ruleset", GAMES)
async def test_when_the_time_is_up_the_server_makes_the_least_moves_and_not_a_second_before(
    logs: list[Log], server: Server, clock: Clock, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "AHEAD", timedelta())  # a slow check is not a reason to move in between
    game = await server.begin(ruleset, bank_seconds=60)
    asked = await server.asked(game)
    clock.now += 119 * SECOND
    assert await server.look() == 0
    clock.now += SECOND
    assert await server.look() == 1
    events = await logs[0].read(game)
    assert _told(events, "BankUsed")[-1]["seconds"] == 60
    assert _told(events, "MovedUnasked")[-1]["seat"] == PLAYERS.index(asked)
    assert events[-1].command_id is not None
    assert events[-1].actor is None
    assert await server.asked(game) != asked
    assert await _deadline(logs[0], game) == clock.now + 120 * SECOND
    assert verify(events).fault is None
    assert await server.look() == 0


@pytest.mark.parametrize("ruleset", GAMES)
async def test_a_game_whose_players_all_went_away_goes_on_to_its_end_and_is_proven(clock: Clock, ruleset: str) -> None:
    log = MemoryLog()
    server = Server(log, clock)
    game = await server.begin(ruleset, move_seconds=5, misses=100)
    for _ in range(5_000):
        logged = await log.game(game)
        if logged.status == "finished":
            break
        assert logged.deadline == clock.now + 5 * SECOND
        clock.now = logged.deadline
        assert await server.look() == 1
    events = await log.read(game)
    assert await _deadline(log, game) is None
    assert events[-1].type == "SeedRevealed"
    proof = verify(events)
    assert proof.fault is None
    assert proof.seed_revealed


async def test_what_the_seat_sends_after_its_deadline_is_too_late_though_nobody_has_moved_for_it(
    server: Server, clock: Clock
) -> None:
    game = await server.begin()
    asked = await server.asked(game)
    clock.now += 60 * SECOND
    for send in (server.referee.command, server.referee.dry_run):
        with pytest.raises(Refused) as refused:
            await send(game, asked, [END])
        assert (refused.value.rejection.code, refused.value.rejection.rule) == ("too_late", "table/clock")


async def test_others_are_told_that_it_is_not_their_turn_and_not_that_they_are_late(
    server: Server, clock: Clock
) -> None:
    game = await server.begin()
    clock.now += 60 * SECOND
    with pytest.raises(Refused) as refused:
        await server.send(game, await _another(server, game), END)
    assert refused.value.rejection.code == "out_of_turn"


async def test_a_request_that_was_answered_in_time_is_answered_again_after_the_deadline(
    server: Server, clock: Clock
) -> None:
    game = await server.begin()
    key, asked = Idempotency("end", bytes(32)), await server.asked(game)
    done = await server.referee.command(game, asked, [END], idempotency=key)
    clock.now += 60 * SECOND
    again = await server.referee.command(game, asked, [END], idempotency=key)
    assert again.repeated
    assert again.events == done.events


async def test_nobody_says_for_the_server_that_time_is_up(server: Server) -> None:
    game = await server.begin()
    for player in PLAYERS[:3]:
        with pytest.raises(Refused) as refused:
            await server.send(game, player, TimeOut())
        assert refused.value.rejection.code == "not_for_seats"


async def test_time_that_is_granted_moves_the_deadline_and_is_used_before_the_bank(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    game = await server.begin(bank_seconds=600)
    asked, other = await server.asked(game), await _another(server, game)
    clock.now += 50 * SECOND
    await server.send(game, other, GrantTime(PLAYERS.index(asked)))
    assert await _deadline(logs[0], game) == NOON + 720 * SECOND
    clock.now = NOON + 130 * SECOND
    await server.send(game, asked, END)
    events = await logs[0].read(game)
    assert [(told["seconds"], told["by"]) for told in _told(events, "TimeGranted")] == [(60, PLAYERS.index(other))]
    assert [told["seconds"] for told in _told(events, "BankUsed")] == [10]
    assert verify(events).fault is None


async def test_a_grant_that_comes_when_the_time_is_up_but_nothing_was_done_yet_still_counts(
    server: Server, clock: Clock
) -> None:
    game = await server.begin()
    asked, other = await server.asked(game), await _another(server, game)
    clock.now += 61 * SECOND
    await server.send(game, other, GrantTime(PLAYERS.index(asked)))
    await server.send(game, asked, END)
    assert await server.look() == 0


async def test_a_grant_by_another_server_is_known_to_this_one(logs: list[Log], server: Server, clock: Clock) -> None:
    """This server has cached the old deadline. The one that counts is in the log."""
    game = await server.begin()
    asked, other = await server.asked(game), await _another(server, game)
    with pytest.raises(Refused):
        await server.send(game, asked, TimeOut())
    await Server(logs[1], clock).send(game, other, GrantTime(PLAYERS.index(asked)))
    clock.now += 70 * SECOND
    await server.send(game, asked, END)


async def test_of_a_command_and_the_end_of_the_time_at_the_same_moment_the_log_takes_one(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """The command was decided in time, and is being written when another server finds that the time has run out."""
    game = await server.begin()
    asked = await server.asked(game)
    other = Server(logs[1], clock)
    append = logs[0].append

    async def slow(*args: Any, **options: Any) -> None:
        clock.now = NOON + 60 * SECOND
        with patch.object(logs[0], "append", append):
            assert await other.look() == 1
        await append(*args, **options)

    clock.now = NOON + 59 * SECOND
    with patch.object(logs[0], "append", slow), pytest.raises(Refused) as refused:
        await server.send(game, asked, END)
    assert refused.value.rejection.code == "out_of_turn"
    events = await logs[0].read(game)
    assert len([event for event in events if event.type == "PurchasesEnded"]) == 1
    assert verify(events).fault is None


async def test_two_servers_that_find_the_time_up_make_one_move(logs: list[Log], server: Server, clock: Clock) -> None:
    game = await server.begin()
    clock.now += 60 * SECOND
    other = Server(logs[1], clock)
    assert sum(await asyncio.gather(server.look(), other.look())) == 1
    assert len(_told(await logs[0].read(game), "MovedUnasked")) == 1


async def test_a_proof_finds_time_that_was_up_too_early_and_banks_that_lost_too_much(
    logs: list[Log], server: Server, clock: Clock
) -> None:
    """A server whose clock runs fast records it truly. The log shows what it took from players."""
    game = await server.begin(bank_seconds=600)
    asked = await server.asked(game)
    real = NOON + 70 * SECOND
    clock.now = NOON + 90 * SECOND
    await server.send(game, asked, END)
    events = await logs[0].read(game)
    assert _told(events, "BankUsed")[0]["seconds"] == 30
    earlier = _recorded_at(events, len(events) - 2, real)
    assert "takes 30 seconds from a bank for a move that took 70" in (verify(earlier).fault or "")
    clock.now += 660 * SECOND
    assert await server.look() == 1
    events = await logs[0].read(game)
    first = next(number for number, event in enumerate(events) if event.command == b'{"type":"TimeOut"}')
    early = _recorded_at(events, first, clock.now - SECOND)
    assert "ends a move after 659 of 660 seconds" in (verify(early).fault or "")


def _recorded_at(events: list[Recorded], first: int, moment: datetime) -> list[Recorded]:
    """The same log, sealed again, as if the events from this one on had been recorded at that moment."""
    told = list(events[:first])
    for event in events[first:]:
        head = Head(told[-1].seq, told[-1].hash) if told else START
        draft = Draft(*(getattr(event, name) for name in Draft._fields))
        told += seal(event.game_id, head, [draft], moment)
    return told


def test_a_clock_is_charged_to_exactly_one_seat_at_a_time() -> None:
    """In games that may have clocks, one seat is asked. Other seats that may act are not charged."""
    for name in GAMES:
        for seed in range(12):
            for step in random_game(name, seed):
                if step.state.status == "running":
                    assert len(step.state.to_move) == 1, (name, seed)


def test_timing_is_kept_beside_the_game() -> None:
    """Without a clock, the state has no time."""
    assert replace(Timing(), granted=0) == Timing()
    assert msgspec.json.encode(Timing()) == b"{}"
