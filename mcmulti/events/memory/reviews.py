"""Reviews that are stored or computed, in memory."""

from datetime import datetime
from uuid import UUID

from mcmulti.events.memory.kept import MemoryState
from mcmulti.events.ports.reviews import KeptReview, ReviewJob


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
