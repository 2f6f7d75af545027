"""What can be computed again at any time, in PostgreSQL: ratings and reviews."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.computed import KeptAssessment, KeptLadder, KeptReview, ReviewJob
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.game_index import Ended
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.tables import composed

_LADDER = "SELECT ended_at, game_id, seq, hash, state FROM ladder WHERE shape = %s"
_REPLACE_LADDER = """
    UPDATE ladder SET ended_at = %s, game_id = %s, seq = %s, hash = %s, state = %s WHERE shape = %s
"""
_KEEP_LADDER = "INSERT INTO ladder (ended_at, game_id, seq, hash, state, shape) VALUES (%s, %s, %s, %s, %s, %s)"

_ASSESSMENT = composed("SELECT {columns} FROM assessment WHERE game_id = %s AND shape = %s", row=KeptAssessment)
# Servers that rate the same games write the same: only the first changes a row.
_KEEP_ASSESSMENT = """
    INSERT INTO assessment (game_id, shape, assessment) VALUES (%s, %s, %s)
    ON CONFLICT (game_id, shape) DO UPDATE SET assessment = excluded.assessment
    WHERE assessment.assessment <> excluded.assessment
"""

_OLD = "SELECT shape FROM ladder WHERE shape <> %s AND ended_at < %s"
_FORGET_ASSESSMENTS = "DELETE FROM assessment WHERE shape = %s"
_FORGET_LADDER = "DELETE FROM ladder WHERE shape = %s AND ended_at < %s"

_REVIEW = composed("SELECT {columns} FROM review WHERE game_id = %s AND shape = %s", row=KeptReview)
_KEEP_REVIEW = """
    INSERT INTO review ({columns}) VALUES ({values})
    ON CONFLICT (game_id, shape) DO UPDATE
    SET seconds = excluded.seconds, review = excluded.review, work = excluded.work
"""
_JOBS = composed("SELECT {columns} FROM review_job", row=ReviewJob)
_OF_GAME = f"{_JOBS} WHERE game_id = %s"
_OF_EITHER = f"{_JOBS} WHERE game_id = %s OR player_id = %s ORDER BY game_id <> %s LIMIT 1"
_WAITING = f"{_JOBS} WHERE claimed_until IS NULL OR claimed_until < %s ORDER BY asked_at, game_id LIMIT %s"
_ASK = composed("INSERT INTO review_job ({columns}) VALUES ({values})", row=ReviewJob)
_CLAIM = """
    UPDATE review_job SET attempts = %s, done = %s, claimed_until = %s
    WHERE game_id = %s AND claimed_until IS NOT DISTINCT FROM %s
"""
_END = "DELETE FROM review_job WHERE game_id = %s"


class PostgresRatings(PostgresConnections):
    """Implements the `RatingStore` protocol."""

    async def ladder(self, shape: bytes) -> KeptLadder | None:
        row = await self._one_row(None, _LADDER, shape)
        if row is None:
            return None
        ended_at, game_id, seq, hash_, state = row
        return KeptLadder(shape, Ended(ended_at, game_id), Head(seq, hash_), state)

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
        deleted = 0
        for (shape,) in await self._all_rows(None, _OLD, but, before):
            async with self._transaction(None, patient=True) as connection:
                deleted += (await connection.execute(_FORGET_ASSESSMENTS, (shape,))).rowcount
            await self._changed_everywhere(_FORGET_LADDER, shape, before)
        return deleted


class PostgresReviews(PostgresConnections):
    """Implements the `ReviewStore` protocol."""

    async def review(self, game_id: UUID, shape: bytes) -> KeptReview | None:
        row = await self._one_row(game_id, _REVIEW, game_id, shape)
        return None if row is None else KeptReview(*row)

    async def keep_review(self, review: KeptReview) -> None:
        async with self._connection(review.game_id) as connection:
            await connection.execute(composed(_KEEP_REVIEW, row=KeptReview), review._asdict())

    async def ask_review(self, job: ReviewJob) -> ReviewJob:
        while True:
            row = await self._one_row(None, _OF_EITHER, job.game_id, job.player_id, job.game_id)
            if row is not None:
                return ReviewJob(*row)
            try:  # in a cluster, ON CONFLICT needs a lock that servers may not take
                async with self._everywhere() as connection:
                    await connection.execute(_ASK, job._asdict())
            except Conflict:
                continue  # somebody else asked at this moment
            return job

    async def review_job(self, game_id: UUID) -> ReviewJob | None:
        row = await self._one_row(None, _OF_GAME, game_id)
        return None if row is None else ReviewJob(*row)

    async def waiting_reviews(self, now: datetime, limit: int) -> list[ReviewJob]:
        return [ReviewJob(*row) for row in await self._all_rows(None, _WAITING, now, limit)]

    async def claim_review(self, job: ReviewJob, until: datetime) -> bool:
        return await self._moved(job, job.attempts + 1, until)

    async def extend_claim(self, job: ReviewJob, until: datetime) -> bool:
        return await self._moved(job, job.attempts, until)

    async def end_review(self, game_id: UUID) -> None:
        await self._changed_everywhere(_END, game_id)

    async def _moved(self, job: ReviewJob, attempts: int, until: datetime) -> bool:
        values = (attempts, job.done, until, job.game_id, job.claimed_until)
        return await self._changed_everywhere(_CLAIM, *values) > 0
