import asyncio
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import errors

from mcmulti.events.log.envelope import START, Head, Recorded, broken_link, seal
from mcmulti.events.ports.errors import Conflict, LogError, LogUnavailable, UnknownGame
from mcmulti.events.ports.game_index import GamesWanted, TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.rights import SERVER_ROLE
from mcmulti.events.store.group_commit import QueuedWrite
from tests.events.log_contract import NOON, LogContract, draft, next_events, open_game, receipt
from tests.events.logins import FORBIDDEN


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    async with PostgresLog.open(database, pool_size=4, patience=30.0) as log:
        yield log


class TestPostgresLog(LogContract):
    @pytest.fixture
    def log(self, log: PostgresLog) -> PostgresLog:
        return log


class LonelyLog(PostgresLog):
    """Every append is tried alone, as after a batch that the database refused."""

    async def _write(self, batch: Sequence[QueuedWrite]) -> set[UUID]:
        return set()


class TestLonelyLog(LogContract):
    @pytest.fixture
    async def log(self, database: str) -> AsyncIterator[PostgresLog]:
        async with LonelyLog.open(database, pool_size=4, patience=30.0) as log:
            yield log


class CrowdedLog(PostgresLog):
    """Every append shares its batch with others that fail."""

    async def append(self, game_id: UUID, expected: Head, *args: Any, **kwargs: Any) -> None:
        nowhere = [uuid4() for _ in range(3)]
        outcome, *others = await asyncio.gather(
            super().append(game_id, expected, *args, **kwargs),
            *(
                super(CrowdedLog, self).append(other, START, seal(other, START, [draft()], NOON), TableRow("open"))
                for other in nowhere
            ),
            return_exceptions=True,
        )
        assert [type(other) for other in others] == [UnknownGame] * 3
        if outcome is not None:
            raise outcome


class TestCrowdedLog(LogContract):
    @pytest.fixture
    async def log(self, database: str) -> AsyncIterator[PostgresLog]:
        async with CrowdedLog.open(database, pool_size=4, patience=30.0) as log:
            yield log


async def test_the_servers_own_connections_cannot_change_history(log: PostgresLog) -> None:
    game_id, player_id = await open_game(log), uuid4()
    head = (await log.game(game_id)).head
    await log.append(
        game_id,
        head,
        await next_events(log, game_id),
        TableRow("open", (player_id,)),
        receipt(player_id),
        reseated=True,
    )
    before = await everything(log, game_id, player_id)

    for statement in FORBIDDEN:
        with pytest.raises(errors.InsufficientPrivilege):
            async with log._pool.connection() as connection:
                await connection.execute(statement)

        assert await everything(log, game_id, player_id) == before, statement


async def test_what_the_database_refuses_is_told_without_the_values(log: PostgresLog) -> None:
    """PostgreSQL's details show the failing row, which may hold dice that are still secret."""
    game_id = await open_game(log)
    head = (await log.game(game_id)).head
    events = await next_events(log, game_id, draft(b'{"value":6'), draft(b'{"value":5}'))
    with pytest.raises(LogError) as failed:  # because the first is not JSON
        await log.append(game_id, head, events, TableRow("open"))
    told = "".join(traceback.format_exception(failed.value))
    assert "invalid input syntax for type json" in told
    assert '"value' not in told
    assert (await log.game(game_id)).head == head


async def everything(log: PostgresLog, game_id: UUID, player_id: UUID) -> tuple[object, ...]:
    return (
        await log.read(game_id),
        await log.game(game_id),
        await log.secret(game_id),
        await log.receipt(game_id, player_id, "a key"),
        await log.games(10, wanted=GamesWanted(player_ids=(player_id,))),
    )


async def test_every_connection_takes_the_servers_role(log: PostgresLog) -> None:
    async def role() -> tuple[str, int] | None:
        async with log._pool.connection() as connection:
            await asyncio.sleep(0.01)
            cursor = await connection.execute("SELECT current_user, pg_backend_pid()")
            return await cursor.fetchone()

    roles = await asyncio.gather(*(role() for _ in range(20)))

    assert len(set(roles)) == 4
    assert {role and role[0] for role in roles} == {SERVER_ROLE}


async def test_moments_are_utc_whatever_the_database_prefers(database: str) -> None:
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as owner:
        name = owner.info.dbname
        await owner.execute(f"ALTER DATABASE {name} SET timezone TO 'Asia/Kathmandu'")
        await owner.execute(f"ALTER DATABASE {name} SET default_transaction_isolation TO serializable")
    async with PostgresLog.open(database, pool_size=2) as log:
        await TestPostgresLog().test_moments_keep_their_microseconds_and_are_utc(log)
        await TestPostgresLog().test_of_many_writers_at_one_head_exactly_one_wins(log)


async def test_a_database_that_turned_read_only_is_unavailable_for_writing(database: str) -> None:
    async with PostgresLog.open(database, pool_size=1) as log:
        game_id = await open_game(log)
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as owner:
        await owner.execute(f"ALTER DATABASE {owner.info.dbname} SET default_transaction_read_only TO on")
    async with PostgresLog.open(database, pool_size=1) as log:
        assert len(await log.read(game_id)) == 1
        with pytest.raises(LogUnavailable):
            await open_game(log)


class TestInterruptedAppend:
    """Another transaction holds the receipt's key, so the append waits after inserting its events."""

    @pytest.fixture
    async def owner(self, database: str) -> AsyncIterator[psycopg.AsyncConnection]:
        async with await psycopg.AsyncConnection.connect(database) as owner:
            yield owner

    @pytest.fixture
    async def waiting(
        self, database: str, log: PostgresLog, owner: psycopg.AsyncConnection
    ) -> AsyncIterator[tuple[UUID, UUID, "asyncio.Task[None]"]]:
        game_id, player_id = await open_game(log), uuid4()
        head = (await log.game(game_id)).head
        events = await next_events(log, game_id, draft(), draft())
        await owner.execute(
            "INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (game_id, *receipt(player_id)),
        )
        append = asyncio.create_task(
            log.append(game_id, head, events, TableRow("running", (player_id,)), receipt(player_id), reseated=True)
        )
        async with asyncio.timeout(10):
            while not self.backend(database):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        yield game_id, player_id, append
        assert append.done()

    def backend(self, database: str) -> int | None:
        """The process that waits. A transaction keeps its first snapshot of activity, so each look needs its own."""
        with psycopg.connect(database) as watcher:
            row = watcher.execute(
                "SELECT pid FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%receipt%'"
            ).fetchone()
        return None if row is None else row[0]

    def waiting_for_locks(self, database: str) -> int:
        """The number of processes that wait for another one."""
        with psycopg.connect(database) as watcher:
            (count,) = watcher.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            ).fetchone() or (0,)
        return int(count)

    async def unwritten(self, log: PostgresLog, game_id: UUID, player_id: UUID) -> None:
        events = await log.read(game_id)
        assert len(events) == 1
        assert (await log.game(game_id))[3:5] == (TableRow("open", deadline=None), Head(1, events[0].hash))
        assert await log.receipt(game_id, player_id, "a key") is None
        assert await log.games(10, wanted=GamesWanted(player_ids=(player_id,))) == []
        await log.append(
            game_id,
            Head(1, events[0].hash),
            await next_events(log, game_id),
            TableRow("running"),
            receipt(player_id),
        )

    async def test_canceled_it_leaves_nothing(
        self,
        log: PostgresLog,
        owner: psycopg.AsyncConnection,
        waiting: tuple[UUID, UUID, "asyncio.Task[None]"],
    ) -> None:
        game_id, player_id, append = waiting
        append.cancel()
        with pytest.raises(asyncio.CancelledError):
            await append
        await owner.rollback()

        await self.unwritten(log, game_id, player_id)

    async def test_cut_off_it_is_unavailable_and_leaves_nothing(
        self,
        database: str,
        log: PostgresLog,
        owner: psycopg.AsyncConnection,
        waiting: tuple[UUID, UUID, "asyncio.Task[None]"],
    ) -> None:
        game_id, player_id, append = waiting
        await owner.execute("SELECT pg_terminate_backend(%s)", (self.backend(database),))
        with pytest.raises(LogUnavailable):
            await append
        await owner.rollback()

        await self.unwritten(log, game_id, player_id)

    async def test_overtaken_it_is_a_conflict_and_leaves_no_event(
        self,
        log: PostgresLog,
        owner: psycopg.AsyncConnection,
        waiting: tuple[UUID, UUID, "asyncio.Task[None]"],
    ) -> None:
        game_id, player_id, append = waiting
        await owner.commit()
        with pytest.raises(Conflict):
            await append

        assert len(await log.read(game_id)) == 1
        assert await log.receipt(game_id, player_id, "a key") == receipt(player_id)

    async def test_when_every_connection_waits_a_call_gives_up(
        self,
        database: str,
        log: PostgresLog,
        owner: psycopg.AsyncConnection,
        waiting: tuple[UUID, UUID, "asyncio.Task[None]"],
    ) -> None:
        game_id, player_id, append = waiting
        head = (await log.game(game_id)).head
        async with PostgresLog.open(database, pool_size=1, patience=3.0) as small:
            second = asyncio.create_task(
                small.append(game_id, head, await next_events(log, game_id), TableRow("running"))
            )
            async with asyncio.timeout(10):
                while self.waiting_for_locks(database) < 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            with pytest.raises(LogUnavailable, match="connection"):
                await small.ready()
            with pytest.raises(LogUnavailable, match="statement timeout"):
                await second
            await small.ready()
        append.cancel()
        with pytest.raises(asyncio.CancelledError):
            await append
        await owner.rollback()

        await self.unwritten(log, game_id, player_id)


async def test_appends_canceled_at_any_moment_are_whole_or_absent(log: PostgresLog) -> None:
    """Each round is canceled a little later than the one before, from the start of an append to after its end.

    The steps and the number of rounds follow from how long an append takes on this machine now.
    """
    game_id, player_id = await open_game(log), uuid4()
    took, written, absent = 1.0, 0, 0

    async def append(round_: int, head: Head, events: list[Recorded]) -> None:
        nonlocal took
        began = time.monotonic()
        await log.append(
            game_id,
            head,
            events,
            TableRow("running", (player_id,)),
            receipt(player_id, str(round_)),
            reseated=True,
        )
        took = min(took, time.monotonic() - began)

    for round_ in range(1000):
        game = await log.game(game_id)
        events = await next_events(log, game_id, draft(b"%d" % round_), draft())
        task = asyncio.create_task(append(round_, game.head, events))
        if round_ >= 3:  # the rounds before it are not canceled, but measured
            await asyncio.sleep((round_ - 3) * took / 40)
            task.cancel()
        await asyncio.wait([task])

        after = await log.game(game_id)
        stored = await log.read(game_id, after=game.head.seq)
        if await log.receipt(game_id, player_id, str(round_)) is None:
            assert (after, stored) == (game, [])
            assert task.cancelled()
            absent += 1
        else:
            assert (after.head, stored) == (Head(events[1].seq, events[1].hash), events)
            written += 1
        if written == 30:
            break

    assert (written, absent > 10) == (30, True)
    assert broken_link(await log.read(game_id)) is None
