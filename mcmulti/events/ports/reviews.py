"""Reviews of finished games that are stored or computed: results that can be computed again at any time."""

from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID


class KeptReview(NamedTuple):
    """What was found about a game, or has been found so far. `shape`: 32 bytes that identify the log of the game and
    how it is reviewed. `seconds`: the processor time that it was meant to take.

    `review`: the result; empty if it is not finished. `work`: what it comes from, after a digest of all this.
    """

    game_id: UUID
    shape: bytes
    seconds: int
    review: bytes
    work: bytes


class ReviewJob(NamedTuple):
    """A review that a player asked for. `done`: how much of it, 0 to 1. `attempts`: how often a process began it since
    it last came on. `claimed_until`: when another server may take it over; None if nobody works on it.
    """

    game_id: UUID
    player_id: UUID
    seconds: int
    asked_at: datetime
    done: float = 0.0
    attempts: int = 0
    claimed_until: datetime | None = None


class ReviewStore(Protocol):
    """Stores reviews, and the jobs that compute them. A player and a game have at most one job. Any method can raise
    `LogError`.
    """

    async def review(self, game_id: UUID, shape: bytes) -> KeptReview | None:
        """The stored review of a game."""

    async def keep_review(self, review: KeptReview) -> None:
        """Store a review, replacing that of its game and shape."""

    async def ask_review(self, job: ReviewJob) -> ReviewJob:
        """Add a job, unless its game or its player has one. Returns the job that there is now: this one, that of the
        game, or else that of the player.
        """

    async def review_job(self, game_id: UUID) -> ReviewJob | None:
        """The job of a game, if it is not finished."""

    async def waiting_reviews(self, now: datetime, limit: int) -> list[ReviewJob]:
        """Jobs that nobody works on at a moment, the earliest first."""

    async def claim_review(self, job: ReviewJob, until: datetime) -> bool:
        """Take over a job that `waiting_reviews` returned, until a moment. Returns False if somebody else was first."""

    async def come_on(self, job: ReviewJob, until: datetime) -> bool:
        """Keep a claimed job until a moment, and note its `done` and `attempts`. Returns False if it was lost, since
        its last claim ended at `claimed_until`.
        """

    async def end_review(self, game_id: UUID) -> None:
        """Remove the job of a game."""
