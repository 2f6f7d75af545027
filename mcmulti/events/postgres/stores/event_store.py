"""Events in PostgreSQL."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from msgspec.structs import asdict
from psycopg import Error

from mcmulti.events.log.envelope import START, Head, Recorded, head_after
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.ports.errors import UnknownGame
from mcmulti.events.ports.event_store import Receipt, count_stored
from mcmulti.events.ports.game_index import FOR_ALL, Access, TableRow, TenureRow
from mcmulti.events.ports.notices import Notification
from mcmulti.events.postgres.appending import (
    APPEND_TOGETHER,
    Append,
    add_events,
    append_alone,
    as_json,
    fill_seats,
    keep_tenures,
    moved,
)
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.stores.game_index import GameRow
from mcmulti.events.postgres.stores.notices import keep_notices
from mcmulti.events.postgres.tables import composed, insertion
from mcmulti.events.store.group_commit import GroupCommit, QueuedWrite
from mcmulti.metering import events_read

_OPEN = insertion("game", (*GameRow.__match_args__, "ended_at", "moved_minute"))
_KEEP_SECRET = "INSERT INTO secret (game_id, seed) VALUES (%s, %s)"

_APPEND_TOGETHER = composed(APPEND_TOGETHER)

READ = """
    SELECT game_id, seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash, NULL
    FROM event WHERE game_id = %s AND seq > %s ORDER BY seq LIMIT %s
"""

_RECEIPT = composed("SELECT {columns} FROM receipt WHERE game_id = %s AND player_id = %s AND key = %s", row=Receipt)

_SNAPSHOT = """
    SELECT seq, hash, state FROM snapshot
    WHERE game_id = %s AND shape = %s AND seq <= %s ORDER BY seq DESC LIMIT 1
"""

_KEEP_SNAPSHOT = """
    INSERT INTO snapshot (game_id, shape, seq, hash, state) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (game_id, shape, seq) DO NOTHING
"""

_recorded: Callable[[Sequence[Any]], Recorded] = partial(tuple.__new__, Recorded)
"""A row as an event, without calling a Python function."""

MANY = 1000
"""With more events than this, importing a game may take long."""


class PostgresEvents(PostgresConnections):
    """Implements the `EventStore` protocol."""

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        super().__init__(conninfo, pool_size=pool_size, patience=patience)
        self._commits = GroupCommit(self._write)

    async def _end(self) -> None:
        await self._commits.close()
        await super()._end()

    async def create(
        self,
        game_id: UUID,
        ruleset: str,
        version: int,
        standing: TableRow,
        secret: bytes,
        events: Sequence[Recorded],
        opened_by: UUID | None = None,
        access: Access = FOR_ALL,
        *,
        tenures: Sequence[TenureRow] = (),
        notices: Sequence[Notification] = (),
    ) -> None:
        head = head_after(game_id, START, events)
        game = {
            **moved(Append(game_id, START, head, events, standing, None)),
            "id": game_id,
            "ruleset": ruleset,
            "version": version,
            "deadline_at": standing.deadline or None,
            "if_left": standing.if_left,
            "practice": standing.practice,
            "created_at": events[0].recorded_at,
            "ended_at": events[-1].recorded_at if standing.status == "finished" else None,
            "opened_by": opened_by,
            **asdict(access),
            "invited": list(access.invited),
            "house_bots": list(access.house_bots),
            "chat": list(access.chat),
        }
        async with self._transaction(game_id, patient=len(events) > MANY) as connection:
            await connection.execute(_OPEN, game)
            await connection.execute(_KEEP_SECRET, (game_id, secret))
            await add_events(connection, game_id, events)
            await fill_seats(connection, game_id, standing.players)
            await keep_tenures(connection, game_id, tenures)
            await keep_notices(connection, notices)
        count_stored(events)

    async def append(
        self,
        game_id: UUID,
        expected: Head,
        events: Sequence[Recorded],
        standing: TableRow,
        receipt: Receipt | None = None,
        *,
        reseated: bool = False,
        tenures: Sequence[TenureRow] = (),
    ) -> None:
        """See `EventStore.append`. If the connection is lost during the commit, the outcome is unknown."""
        append = Append(game_id, expected, head_after(game_id, expected, events), events, standing, receipt)
        count_stored(events)
        if not reseated and not tenures and await self._append_quickly(append):
            return
        async with self._transaction(game_id) as connection:
            await append_alone(connection, append, reseated=reseated, tenures=tenures)

    async def _append_quickly(self, append: Append) -> bool:
        """Append, except for seats and tenures, in the cheapest way. Returns whether that succeeded. If not, nothing
        was done.
        """
        return await self._commits.commit(append.game_id, as_json(append))

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        async with self._connection(game_id) as connection:
            cursor = await connection.execute(READ, (game_id, after, limit), binary=True)
            events = list(map(_recorded, await cursor.fetchall()))
            events_read(len(events))
            return events

    async def receipt(self, game_id: UUID, player_id: UUID, key: str) -> Receipt | None:
        row = await self._one_row(game_id, _RECEIPT, game_id, player_id, key)
        return None if row is None else Receipt(*row)

    async def forget_receipts(self, game_id: UUID) -> int:
        return await self._changed(game_id, "DELETE FROM receipt WHERE game_id = %s", game_id)

    async def secret(self, game_id: UUID) -> bytes:
        row = await self._one_row(game_id, "SELECT seed FROM secret WHERE game_id = %s", game_id)
        if row is None:
            raise UnknownGame(f"there is no game {game_id}")
        seed: bytes = row[0]
        return seed

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        row = await self._one_row(game_id, _SNAPSHOT, game_id, shape, until)
        return None if row is None else Snapshot(Head(row[0], row[1]), shape, row[2])

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        async with self._connection(game_id) as connection:
            await connection.cursor().executemany(
                _KEEP_SNAPSHOT,
                [(game_id, snapshot.shape, *snapshot.head, snapshot.state) for snapshot in snapshots],
            )

    async def drop_snapshots(self, game_id: UUID) -> None:
        await self._changed(game_id, "DELETE FROM snapshot WHERE game_id = %s", game_id)

    async def _write(self, batch: Sequence[QueuedWrite]) -> set[UUID]:
        """Append a batch in one statement, and return the games that were appended to.

        A game is left out if its head is elsewhere, if another connection is writing to it, or if it is unknown. If
        the database refuses the batch, nothing was written, and each append must be tried alone.
        """
        appends = f"[{','.join([queued.what for queued in batch])}]"
        async with self._connection() as connection:
            try:
                cursor = await connection.execute(_APPEND_TOGETHER, (appends,), prepare=True, binary=True)
                return {game_id for (game_id,) in await cursor.fetchall()}
            except Error:
                if connection.closed:
                    raise
                return set()
