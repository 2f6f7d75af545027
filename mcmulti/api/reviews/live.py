"""The review of a game, as far as it is: stored, or in progress at whichever server."""

import asyncio
from collections.abc import AsyncGenerator
from typing import NamedTuple
from uuid import UUID

import structlog

from mcmulti.api.reviews.wire import ReviewProgress, ReviewState
from mcmulti.api.streams.items import HEARTBEAT, Format, Stopping
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.computed import ReviewJob
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import History
from mcmulti.projections.reviews import ChangedReview, FinishedReview, restored_review, shape

LOOK = 1.0
"""Seconds between two looks at the progress of a review that somebody follows."""

_log = structlog.get_logger(__name__)


class ReviewStanding(NamedTuple):
    """How far a review is. `found`: the stored one, which may have failed. `job`: the one in progress."""

    found: FinishedReview | None
    seconds: int | None
    job: ReviewJob | None

    @property
    def progress(self) -> ReviewProgress:
        """The state, in a stream."""
        if self.job is not None:
            state: ReviewState = "waiting" if self.job.claimed_until is None else "running"
            return ReviewProgress(state, min(1.0, max(0.0, round(self.job.done, 3))))
        if self.found is None:
            return ReviewProgress("none", 0.0)
        return ReviewProgress("done", 1.0) if self.found.fault is None else ReviewProgress("failed", 1.0)


async def review_standing(log: Log, history: History, game: UUID, head: Head) -> ReviewStanding:
    """How far the review of a game is, whose log ends with this head. Raises `LogUnavailable`."""
    job = await log.review_job(game)  # first, since a review is stored before its job ends
    stored = await log.review(game, shape(head))
    found = None
    if stored is not None:
        try:
            found, _ = restored_review(await history.digest_key(), stored)
        except ChangedReview as error:
            _log.error("a stored review is damaged", game_id=str(game), fault=str(error))
    seconds = job.seconds if job is not None else stored.seconds if stored is not None and found is not None else None
    return ReviewStanding(found, seconds, job)


class ReviewFeeds:
    """Those who follow reviews at a server, until it stops."""

    def __init__(self, log: Log, history: History) -> None:
        self._log, self._history = log, history
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """End all streams."""
        self._stopped.set()

    async def chunks(self, game: UUID, head: Head, form: Format) -> AsyncGenerator[bytes, None]:
        """The encoded stream: the progress whenever it changes, up to the end of the review.

        While the database is down it goes on with heartbeats.
        """
        yield form.opening
        told: ReviewProgress | None = None
        quiet = 0.0
        while not self._stopped.is_set():
            try:
                now: ReviewProgress | None = (await review_standing(self._log, self._history, game, head)).progress
            except LogUnavailable:
                now = told
            if now != told and now is not None:
                told, quiet = now, 0.0
                yield form.item(now, None)
                if now.state not in ("waiting", "running"):
                    return
            elif quiet >= HEARTBEAT:
                quiet = 0.0
                yield form.heartbeat
            try:
                async with asyncio.timeout(LOOK):  # `wait_for` of Python 3.11 can lose a cancellation
                    await self._stopped.wait()
            except TimeoutError:
                quiet += LOOK
        yield form.item(Stopping(), None)
