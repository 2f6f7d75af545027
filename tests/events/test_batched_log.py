"""Many appends at once do not affect each other in PostgreSQL."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.log.envelope import START, Head, Recorded, broken_link, seal
from mcmulti.events.ports.errors import Conflict, LogUnavailable, UnknownGame
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import migrate
from tests.events.log_contract import NOON, ODD_BYTES, draft, next_events, open_game, receipt
from tests.events.running import running_in


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    async with PostgresLog.open(database, pool_size=4, patience=30.0) as log:
        yield log


async def append(log: PostgresLog, game_id: UUID, player_id: UUID | None = None, key: str = "a key") -> list[Recorded]:
    """Append two events to the game, with a receipt where there is a player, and return them."""
    head = (await log.game(game_id)).head
    events = await next_events(log, game_id, draft(), draft())
    await log.append(game_id, head, events, TableRow("running"), receipt(player_id, key) if player_id else None)
    return events


async def transactions(database: str, games: Sequence[UUID]) -> set[object]:
    """The transactions that wrote the last events of the games."""
    async with await psycopg.AsyncConnection.connect(database) as owner:
        cursor = await owner.execute(
            "SELECT DISTINCT event.xmin FROM event JOIN game ON id = game_id AND seq = head_seq"
            " WHERE game_id = ANY (%s)",
            (list(games),),
        )
        return {xmin for (xmin,) in await cursor.fetchall()}


async def test_many_games_are_committed_together(database: str, log: PostgresLog) -> None:
    """The first one is written alone, and the other eleven meanwhile queue up: two transactions."""
    games = [await open_game(log, drafts=[draft(data, data) for data in ODD_BYTES]) for _ in range(12)]
    heads = await log.heads(games)
    events = {
        game_id: seal(game_id, heads[game_id], [draft(data, data) for data in ODD_BYTES], NOON) for game_id in games
    }
    deadline = NOON + timedelta(microseconds=1)
    await asyncio.gather(
        *(
            log.append(
                game_id, heads[game_id], events[game_id], TableRow("finished", deadline=deadline), receipt(game_id)
            )
            for game_id in games
        )
    )

    assert len(await transactions(database, games)) <= 2
    for game_id in games:
        assert await log.read(game_id, after=7) == events[game_id]
        assert await log.receipt(game_id, game_id, "a key") == receipt(game_id)
        game = await log.game(game_id)
        assert (game.status, game.head, game.deadline) == ("finished", (14, events[game_id][-1].hash), deadline)


async def test_who_is_too_late_leaves_the_others_in(database: str, log: PostgresLog) -> None:
    games = [await open_game(log) for _ in range(12)]
    nowhere = uuid4()
    heads = {**await log.heads(games), nowhere: START}
    late = games[3]
    winner = await append(log, late)

    outcomes = await asyncio.gather(
        *(
            log.append(
                game_id, head, seal(game_id, head, [draft(b'"new"')], NOON), TableRow("running"), receipt(game_id)
            )
            for game_id, head in heads.items()
        ),
        return_exceptions=True,
    )

    failed = {game_id: type(outcome) for game_id, outcome in zip(heads, outcomes, strict=True) if outcome}
    assert failed == {late: Conflict, nowhere: UnknownGame}
    assert (await log.read(late))[1:] == winner
    assert await log.receipt(late, late, "a key") is None
    others = [game_id for game_id in games if game_id != late]
    assert len(await transactions(database, others)) <= 2
    for game_id in others:
        assert [event.data for event in await log.read(game_id)] == [b'{"oil":1}', b'"new"']
        assert await log.receipt(game_id, game_id, "a key") == receipt(game_id)


async def test_a_key_that_was_used_fails_its_own_append_alone(log: PostgresLog) -> None:
    games, player_id = [await open_game(log) for _ in range(12)], uuid4()
    used = games[5]
    first = await append(log, used, player_id)

    outcomes = await asyncio.gather(*(append(log, game_id, player_id) for game_id in games), return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [list] * 5 + [Conflict] + [list] * 6
    assert (await log.read(used))[1:] == first
    for game_id, outcome in zip(games, outcomes, strict=True):
        if game_id != used:
            assert (await log.read(game_id))[1:] == outcome
            assert await log.receipt(game_id, player_id, "a key") == receipt(player_id)


async def test_a_game_that_somebody_holds_waits_alone(database: str, log: PostgresLog) -> None:
    games = [await open_game(log) for _ in range(12)]
    held = games[0]
    async with await psycopg.AsyncConnection.connect(database) as owner:
        await owner.execute("SELECT FROM game WHERE id = %s FOR UPDATE", (held,))
        waiting = asyncio.create_task(append(log, held))
        async with asyncio.timeout(10):
            for _ in range(3):
                await asyncio.gather(*(append(log, game_id) for game_id in games[1:]))
        assert not waiting.done()
        await owner.rollback()
        events = await waiting
        assert (await log.read(held))[1:] == events

    heads = await log.heads(games)
    assert [heads[game_id].seq for game_id in games] == [3] + [7] * 11


async def test_two_servers_at_the_same_games_from_both_ends(database: str, log: PostgresLog) -> None:
    """In each of five rounds, exactly one of the two moves each of 50 games."""
    games = [await open_game(log) for _ in range(50)]
    async with PostgresLog.open(database, pool_size=4, patience=30.0) as other:
        for round_ in range(1, 6):
            heads = await log.heads(games)
            rivals = [
                (writer, game_id, seal(game_id, heads[game_id], [draft(data), draft()], NOON))
                for writer, order, data in ((log, games, b"1"), (other, games[::-1], b"2"))
                for game_id in order
            ]
            outcomes = await asyncio.gather(
                *(
                    writer.append(game_id, heads[game_id], events, TableRow("running"), receipt(game_id, str(round_)))
                    for writer, game_id, events in rivals
                ),
                return_exceptions=True,
            )

            assert {type(outcome) for outcome in outcomes} == {type(None), Conflict}
            won = [
                (game_id, events)
                for (_, game_id, events), outcome in zip(rivals, outcomes, strict=True)
                if outcome is None
            ]
            assert sorted(game_id for game_id, _ in won) == sorted(games)
            for game_id, events in won:
                assert await log.read(game_id, after=heads[game_id].seq) == events

    for game_id in games:
        events = await log.read(game_id)
        assert len(events) == 11
        assert broken_link(events) is None


async def test_a_caller_who_gives_up_disturbs_nobody_in_the_batch(database: str, log: PostgresLog) -> None:
    """Somebody holds a key of the batch, so the batch waits. Then all of it is written, or each append alone."""
    games, player_id = [await open_game(log) for _ in range(6)], uuid4()
    async with await psycopg.AsyncConnection.connect(database) as owner:
        await owner.execute(
            "INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (games[2], *receipt(player_id)),
        )
        tasks = [asyncio.create_task(append(log, game_id, player_id)) for game_id in games]
        async with asyncio.timeout(10):
            while not await waits_for_a_lock(database):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        for number in (1, 2, 4):
            tasks[number].cancel()
        await asyncio.wait([tasks[number] for number in (1, 2, 4)])
        await owner.rollback()

    assert len([await tasks[number] for number in (0, 3, 5)]) == 3
    heads = await log.heads(games)
    assert [heads[games[number]].seq for number in (0, 3, 5)] == [3, 3, 3]
    for game_id in games:
        kept = await log.receipt(game_id, player_id, "a key")
        assert (len(await log.read(game_id)), kept) in ((1, None), (3, receipt(player_id)))
        await append(log, game_id, player_id, "another key")


async def waits_for_a_lock(database: str) -> bool:
    async with await psycopg.AsyncConnection.connect(database) as watcher:
        cursor = await watcher.execute(
            "SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%receipt%'"
        )
        return await cursor.fetchone() is not None


async def test_appends_given_up_at_any_moment_are_whole_or_absent(database: str) -> None:
    """Sixteen games at once. Each round is canceled a little later than the one before. The log is closed first."""
    async with PostgresLog.open(database, pool_size=4, patience=30.0) as log:
        games = [await open_game(log) for _ in range(16)]
        for round_ in range(40):
            tasks = [asyncio.create_task(append(log, game_id, game_id, str(round_))) for game_id in games]
            await asyncio.sleep(round_ * 0.0004)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async with PostgresLog.open(database, pool_size=1) as log:
        written = 0
        for game_id in games:
            events = await log.read(game_id)
            assert broken_link(events) is None
            assert (await log.game(game_id)).head == Head(len(events), events[-1].hash)
            receipts = [await log.receipt(game_id, game_id, str(round_)) for round_ in range(40)]
            kept = sum(receipt is not None for receipt in receipts)
            assert len(events) == 1 + 2 * kept
            written += kept
        assert 0 < written < 40 * 16


async def test_what_was_acknowledged_outlives_a_killed_database(tmp_path: Path) -> None:
    """Every process of the server is killed while 40 games are played."""
    folder = tmp_path / "pg"
    with EmbeddedPostgres(folder) as server:
        await migrate(server.url())
        async with PostgresLog.open(server.url(), pool_size=4, patience=0.5) as log:
            games = [await open_game(log) for _ in range(40)]
            acknowledged = dict.fromkeys(games, 0)
            many, killed = asyncio.Event(), asyncio.Event()

            async def play(game_id: UUID) -> None:
                while not killed.is_set():  # the watchdog restarts the server, so some may wait this long
                    await append(log, game_id, game_id, str(acknowledged[game_id]))
                    acknowledged[game_id] += 1
                    if sum(acknowledged.values()) > 400:
                        many.set()

            players = [asyncio.create_task(play(game_id)) for game_id in games]
            await many.wait()
            for pid, name in running_in(folder).items():
                if name == "postgres":
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            killed.set()
            outcomes = await asyncio.gather(*players, return_exceptions=True)
            assert LogUnavailable in {type(outcome) for outcome in outcomes} <= {LogUnavailable, type(None)}

        await asyncio.to_thread(server.start)
        async with PostgresLog.open(server.url(), pool_size=4) as log:
            for game_id in games:
                events = await log.read(game_id)
                assert broken_link(events) is None
                assert (await log.game(game_id)).head == Head(len(events), events[-1].hash)
                rounds = (len(events) - 1) // 2
                assert rounds - acknowledged[game_id] in (0, 1)  # the last response may have been lost
                assert len(events) == 1 + 2 * rounds
                kept = [await log.receipt(game_id, game_id, str(round_)) for round_ in range(rounds + 1)]
                assert kept == [receipt(game_id, str(round_)) for round_ in range(rounds)] + [None]
