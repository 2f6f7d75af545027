"""Timekeeping in PostgreSQL."""

from datetime import datetime, timedelta
from uuid import UUID

from psycopg import AsyncConnection

from mcmulti.events.ports.timekeeping import BEAT, OUTAGE, DueGame, Question
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.tables import GameMoment

DUE = """
    SELECT deadline_at AS at, id AS game_id FROM {game} AS game
    WHERE deadline_at <= %s ORDER BY deadline_at, id LIMIT %s
"""

_ASK = """
    INSERT INTO question (game_id, answer_at, open) VALUES (%s, %s, %s)
    ON CONFLICT (game_id) DO UPDATE SET answer_at = excluded.answer_at, open = excluded.open
"""

_QUESTION = "SELECT answer_at, open FROM question WHERE game_id = %s"

_UNANSWERED = """
    SELECT answer_at AS at, game_id FROM {question} AS question
    WHERE open AND answer_at <= %s ORDER BY answer_at, game_id LIMIT %s
"""

_CLOSE_QUESTION = "UPDATE question SET open = false WHERE game_id = %s AND answer_at = %s AND open"

_KEPT = "SELECT abs(extract(epoch FROM now() - at)) < extract(epoch FROM %s::interval) FROM heartbeat WHERE place = %s"

_LAST_KEPT = "SELECT at, clock_timestamp() - at FROM heartbeat WHERE place = %s FOR UPDATE"

_KEEP_TIME = "UPDATE heartbeat SET at = %s WHERE place = %s"

PLACE = UUID(int=0)
"""The row of `heartbeat` on one PostgreSQL."""

# Via UTC: adding to a moment may depend on the time zone of the session, so a cluster refuses it.
GIVE_BACK = """
    UPDATE game SET deadline_at = (deadline_at AT TIME ZONE 'UTC' + %s) AT TIME ZONE 'UTC' WHERE deadline_at > %s
"""


class PostgresTimekeeping(PostgresConnections):
    """Implements the `Timekeeping` protocol."""

    async def now(self) -> datetime:
        row = await self._one_row(None, "SELECT now()")
        assert row is not None
        moment: datetime = row[0]
        return moment

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        return await self._games_at(DUE, now, limit, away)

    async def ask(self, game_id: UUID, question: Question) -> None:
        await self._changed(game_id, _ASK, game_id, *question)

    async def question(self, game_id: UUID) -> Question | None:
        row = await self._one_row(game_id, _QUESTION, game_id)
        return None if row is None else Question(*row)

    async def unanswered(self, until: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        return await self._games_at(_UNANSWERED, until, limit, away)

    async def _games_at(self, query: str, moment: datetime, limit: int, away: set[str] | None) -> list[DueGame]:
        rows = await self._rows_of_all(GameMoment, query, (limit,), ("at", "game_id"), limit, away, moment=moment)
        return [DueGame(row.at, row.game_id) for row in rows]

    async def close_question(self, game_id: UUID, question: Question) -> None:
        await self._changed(game_id, _CLOSE_QUESTION, game_id, question.answer_at)

    async def keep_time(self, game_id: UUID | None = None) -> timedelta:
        row = await self._one_row(None, _KEPT, BEAT, PLACE)
        if row is None or row[0]:
            return timedelta()
        async with self._transaction(None) as connection:
            at, gap = await note_time(connection, PLACE)
            if gap:
                await connection.execute(GIVE_BACK, (gap, at))
            return gap


async def note_time(connection: AsyncConnection, place: UUID) -> tuple[datetime, timedelta]:
    """Record that time is kept for the games of a place. Returns since when it was not, and for how long.

    In a transaction, so that each gap is found once. A gap too short to be given back does not count.
    """
    cursor = await connection.execute(_LAST_KEPT, (place,))
    last = await cursor.fetchone()
    assert last is not None  # nobody may delete it
    at, gap = last
    if timedelta() <= gap < BEAT:  # another server was faster
        return at, timedelta()
    await connection.execute(_KEEP_TIME, (at + gap, place))
    return at, gap if gap > OUTAGE else timedelta()
