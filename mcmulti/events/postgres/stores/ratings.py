"""Ratings that are stored, in PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.game_index import Ended
from mcmulti.events.ports.ratings import KeptAssessment, KeptLadder
from mcmulti.events.postgres.connections import PostgresConnections

_LADDER = "SELECT shape, ended_at, game_id, seq, hash, state FROM ladder WHERE shape = %s"
_REPLACE_LADDER = """
    UPDATE ladder SET ended_at = %s, game_id = %s, seq = %s, hash = %s, state = %s WHERE shape = %s
"""
_KEEP_LADDER = "INSERT INTO ladder (ended_at, game_id, seq, hash, state, shape) VALUES (%s, %s, %s, %s, %s, %s)"

_ASSESSMENT = "SELECT game_id, shape, assessment FROM assessment WHERE game_id = %s AND shape = %s"
# Servers that rate the same games write the same: only the first changes a row.
_KEEP_ASSESSMENT = """
    INSERT INTO assessment (game_id, shape, assessment) VALUES (%s, %s, %s)
    ON CONFLICT (game_id, shape) DO UPDATE SET assessment = excluded.assessment
    WHERE assessment.assessment <> excluded.assessment
"""

_OLD = "SELECT shape FROM ladder WHERE shape <> %s AND ended_at < %s"
_FORGET_ASSESSMENTS = "DELETE FROM assessment WHERE shape = %s"
_FORGET_LADDER = "DELETE FROM ladder WHERE shape = %s AND ended_at < %s"


class PostgresRatings(PostgresConnections):
    """Implements the `RatingStore` protocol."""

    async def ladder(self, shape: bytes) -> KeptLadder | None:
        row = await self._one_row(None, _LADDER, shape)
        return None if row is None else KeptLadder(row[0], Ended(*row[1:3]), Head(*row[3:5]), row[5])

    async def keep_ladder(self, ladder: KeptLadder) -> None:
        row = (*ladder.ended, *ladder.head, ladder.state, ladder.shape)
        async with self._everywhere() as connection:
            if not (await connection.execute(_REPLACE_LADDER, row)).rowcount:
                await connection.execute(_KEEP_LADDER, row)

    async def assessment(self, game_id: UUID, shape: bytes) -> KeptAssessment | None:
        row = await self._one_row(game_id, _ASSESSMENT, game_id, shape)
        return None if row is None else KeptAssessment(*row)

    async def keep_assessments(self, assessments: Sequence[KeptAssessment]) -> None:
        async with self._connection() as connection:
            await connection.cursor().executemany(_KEEP_ASSESSMENT, sorted(assessments))

    async def forget_ratings(self, but: bytes, before: datetime) -> int:
        async with self._connection() as connection:
            old = await (await connection.execute(_OLD, (but, before))).fetchall()
        deleted = 0
        for (shape,) in old:
            async with self._transaction(None, patient=True) as connection:
                deleted += (await connection.execute(_FORGET_ASSESSMENTS, (shape,))).rowcount
            async with self._everywhere() as connection:
                await connection.execute(_FORGET_LADDER, (shape, before))
        return deleted
