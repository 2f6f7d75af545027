"""Ratings, and reviews of finished games, as far as they are stored: all can be computed again at any time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.game_index import Ended


class KeptLadder(NamedTuple):
    """The ladder after the rated games up to `ended`, whose log has this head.

    `shape`: 32 bytes that identify how ratings are computed. `state` begins with a digest of all this.
    """

    shape: bytes
    ended: Ended
    head: Head
    state: bytes


class KeptAssessment(NamedTuple):
    """What a game changed for ratings computed in this `shape`. `assessment` begins with a digest of all this."""

    game_id: UUID
    shape: bytes
    assessment: bytes


class RatingStore(Protocol):
    """Stores what follows from rated games. Any method can raise `LogError`."""

    async def ladder(self, shape: bytes) -> KeptLadder | None:
        """The ladder that was kept last."""

    async def keep_ladder(self, ladder: KeptLadder) -> None:
        """Store a ladder, replacing the one of its shape."""

    async def assessment(self, game_id: UUID, shape: bytes) -> KeptAssessment | None:
        """The assessment of a game."""

    async def keep_assessments(self, assessments: Sequence[KeptAssessment]) -> None:
        """Store assessments, replacing those of their games and shapes."""

    async def forget_ratings(self, but: bytes, before: datetime) -> int:
        """Delete every ladder whose last game ended before a moment, and the assessments of its shape, but not those of
        one shape. Returns the number of deleted assessments.
        """


class KeptReview(NamedTuple):
    """The review of a game, or its intermediate results. `shape`: 32 bytes that identify the log of the game and how it
    is reviewed. `seconds`: the planned processor time.

    `review`: the result; empty until it is finished. `work`: a digest of all fields, then the intermediate results.
    """

    game_id: UUID
    shape: bytes
    seconds: int
    review: bytes
    work: bytes


class ReviewJob(NamedTuple):
    """A review that a player asked for. `done`: how much of it, 0 to 1. `attempts`: how many processes have
    begun it since the last progress. `claimed_until`: when another server may take it over; None if nobody works on it.
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

    async def extend_claim(self, job: ReviewJob, until: datetime) -> bool:
        """Extend a claim until a moment, and store the `done` and `attempts` of the job. Returns False if the claim
        that ends at `claimed_until` was lost.
        """

    async def end_review(self, game_id: UUID) -> None:
        """Remove the job of a game."""
