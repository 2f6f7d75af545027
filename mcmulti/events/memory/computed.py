"""What can be computed again at any time, in memory: ratings and reviews."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from mcmulti.events.memory.kept import MemoryState
from mcmulti.events.ports.computed import KeptAssessment, KeptLadder, KeptReview, ReviewJob


class MemoryRatings(MemoryState):
    """Implements the `RatingStore` protocol."""

    async def ladder(self, shape: bytes) -> KeptLadder | None:
        return self._ladders.get(shape)

    async def keep_ladder(self, ladder: KeptLadder) -> None:
        self._ladders[ladder.shape] = ladder

    async def assessment(self, game_id: UUID, shape: bytes) -> KeptAssessment | None:
        return self._assessments.get((game_id, shape))

    async def keep_assessments(self, assessments: Sequence[KeptAssessment]) -> None:
        self._assessments |= {(each.game_id, each.shape): each for each in assessments}

    async def forget_ratings(self, but: bytes, before: datetime) -> int:
        old = {shape for shape, kept in self._ladders.items() if shape != but and kept.ended.at < before}
        gone = [key for key in self._assessments if key[1] in old]
        for key in gone:
            del self._assessments[key]
        for shape in old:
            del self._ladders[shape]
        return len(gone)


class MemoryReviews(MemoryState):
    """Implements the `ReviewStore` protocol."""

    async def review(self, game_id: UUID, shape: bytes) -> KeptReview | None:
        return self._reviews.get((game_id, shape))

    async def keep_review(self, review: KeptReview) -> None:
        self._reviews[review.game_id, review.shape] = review

    async def ask_review(self, job: ReviewJob) -> ReviewJob:
        if job.game_id in self._review_jobs:
            return self._review_jobs[job.game_id]
        for other in self._review_jobs.values():
            if other.player_id == job.player_id:
                return other
        self._review_jobs[job.game_id] = job
        return job

    async def review_job(self, game_id: UUID) -> ReviewJob | None:
        return self._review_jobs.get(game_id)

    async def waiting_reviews(self, now: datetime, limit: int) -> list[ReviewJob]:
        waiting = [job for job in self._review_jobs.values() if job.claimed_until is None or job.claimed_until < now]
        return sorted(waiting, key=lambda job: (job.asked_at, job.game_id))[:limit]

    async def claim_review(self, job: ReviewJob, until: datetime) -> bool:
        return self._moved(job, job._replace(attempts=job.attempts + 1, claimed_until=until))

    async def extend_claim(self, job: ReviewJob, until: datetime) -> bool:
        return self._moved(job, job._replace(claimed_until=until))

    async def end_review(self, game_id: UUID) -> None:
        self._review_jobs.pop(game_id, None)

    def _moved(self, job: ReviewJob, after: ReviewJob) -> bool:
        """Replace a job, unless somebody else has claimed it, or it was removed."""
        now = self._review_jobs.get(job.game_id)
        if now is None or now.claimed_until != job.claimed_until:
            return False
        self._review_jobs[job.game_id] = after
        return True
