"""Reviews that players asked for: each is computed in a process next to the server, which cannot reach the database.

The process runs at the lowest priority. What it has found is stored every few seconds, so that whichever server comes
next goes on from there, however this one or the process ends.
"""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial

import msgspec
import structlog
from msgspec import Struct
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.ports.computed import ReviewJob
from mcmulti.events.ports.errors import DamagedGame, LogError
from mcmulti.events.ports.log import Log
from mcmulti.events.store.game_file import lines, record_of
from mcmulti.events.store.history import History
from mcmulti.projections.reviews import (
    ChangedReview,
    ChargeHint,
    FinishedReview,
    HintedMove,
    HintTask,
    kept_review,
    restored_review,
    shape,
)
from mcmulti.server.children.child import child
from mcmulti.supervision import repeated, running

WORKER = "mcmulti.evaluation.reviews.worker"
"""The module that reviews a game."""
NICENESS = 19
"""The nice value of the process: the lowest priority."""
LOOK = 1.0
"""Seconds between two searches for reviews to begin."""
SEEN = 10
"""The most waiting reviews that a search returns."""
LEASE = timedelta(seconds=15)
"""After this time without news, another server takes a review over."""
NEWS = 5.0
"""Seconds after which a review is kept even if its process has not reported."""
TRIES = 5
"""How many processes of a review in a row may end without progress."""
PATIENCE = 2.0
"""Seconds that the process has to end by itself."""
LONGEST = 2**28
"""The most bytes of a line: a report with all rollouts."""

HINTER = "mcmulti.evaluation.reviews.hints"
"""The module that computes hints."""
QUEUE = 5.0
"""Seconds that a hint waits for others."""
TOO_LONG = 60.0
"""Seconds after which a hint is given up."""

_log = structlog.get_logger(__name__)


class WorkerReport(Struct, frozen=True):
    """What the process reports: how much is `done` and the `work` to keep, or the `finished` review as JSON. `spent`:
    seconds of processor time that the process has used.
    """

    spent: float
    done: float = 0.0
    work: str = ""
    finished: str | None = None


class ReviewCounts(Collector):
    """The activity of reviews at this server, for Prometheus."""

    def __init__(self) -> None:
        self.waiting, self.running, self.seconds = 0, 0, 0.0
        self.outcomes = dict.fromkeys(("finished", "failed", "interrupted"), 0)

    def collect(self) -> Iterator[Metric]:
        waiting = f"Reviews that nobody works on, at all servers of the database. At most {SEEN} are counted."
        yield GaugeMetricFamily("mcmulti_reviews_waiting", waiting, self.waiting)
        yield GaugeMetricFamily("mcmulti_reviews_running", "Reviews that this server works on.", self.running)
        ended = "Reviews by outcome: `interrupted` if the process ended early or another server took over."
        family = CounterMetricFamily("mcmulti_reviews", ended, labels=["outcome"])
        for outcome, number in self.outcomes.items():
            family.add_metric([outcome], number)
        yield family
        seconds = "Processor time of the processes that review, in seconds."
        yield CounterMetricFamily("mcmulti_review_processor_seconds", seconds, self.seconds)


@asynccontextmanager
async def reviewing(log: Log, most: int, counts: ReviewCounts) -> AsyncIterator[None]:
    """Carry out at most N reviews at a time while the block runs."""
    async with AsyncExitStack() as stack:
        for _ in range(most):
            work = partial(repeated, partial(step, log, History(log), counts), LOOK, LogError)
            await stack.enter_async_context(running("reviews", work))
        yield


async def step(log: Log, history: History, counts: ReviewCounts) -> bool:
    """Carry out the review that waits longest, if any. Returns whether there was one. Raises `LogError`."""
    now = await log.now()
    waiting = await log.waiting_reviews(now, SEEN)
    counts.waiting = len(waiting)
    for job in waiting:
        until = now + LEASE
        if await log.claim_review(job, until):
            claimed = job._replace(attempts=job.attempts + 1, claimed_until=until)
            _log.info("a review begins", game_id=str(job.game_id), done=round(job.done, 2), attempt=claimed.attempts)
            counts.waiting -= 1
            counts.running += 1
            try:
                await _Carried(log, history, counts, claimed).out()
            finally:
                counts.running -= 1
            return True
    return False


class _Carried:
    """A review that this server carries out."""

    def __init__(self, log: Log, history: History, counts: ReviewCounts, job: ReviewJob) -> None:
        self._log, self._history, self._counts, self._job = log, history, counts, job
        self._before: FinishedReview | None = None
        self._seconds = job.seconds
        self._work = b""

    async def out(self) -> None:
        """Carry it out to its end, unless its process ends before. Raises `LogError`."""
        game = self._job.game_id
        head = (await self._log.game(game)).head
        if self._job.attempts > TRIES:
            await self._end(head, _failed(f"its process ended {TRIES} times"))
            return
        await self._remember(head)
        try:
            events = [event async for page in self._history.events(game, head) for event in page]
        except DamagedGame as error:
            await self._end(head, _failed(error.fault))
            return
        finished = await self._computed(head, events)
        if finished is None:
            self._counts.outcomes["interrupted"] += 1
            _log.error("the process of a review ended", game_id=str(game), attempt=self._job.attempts)
            await self._extend_claim(self._job.done, self._job.attempts, timedelta(0))
        else:
            await self._end(head, finished)

    async def _remember(self, head: Head) -> None:
        """Go on from what was stored."""
        stored = await self._log.review(self._job.game_id, shape(head))
        if stored is None:
            return
        try:
            self._before, self._work = restored_review(await self._history.digest_key(), stored)
        except ChangedReview as error:
            _log.error("a stored review is damaged", game_id=str(self._job.game_id), fault=str(error))
        if self._before is not None:
            self._seconds = stored.seconds

    async def _computed(self, head: Head, events: list[Recorded]) -> FinishedReview | None:
        """The review; None if its process ended before, or another server has taken it over."""
        file = b"".join(lines(record_of(events))).decode()
        task = {"file": file, "seconds": self._job.seconds, "work": b64encode(self._work).decode()}
        beginning = child(WORKER, task, PATIENCE, niceness=NICENESS, longest_line=LONGEST)
        async with beginning as process:
            assert process.stdout is not None
            spent = 0.0
            while True:
                try:
                    async with asyncio.timeout(NEWS):  # `wait_for` of Python 3.11 can lose a cancellation
                        line = await process.stdout.readline()
                except TimeoutError:
                    if not await self._extend_claim(self._job.done, self._job.attempts, LEASE):
                        return None
                    continue
                if not line:
                    return None
                report = msgspec.json.decode(line, type=WorkerReport)
                self._counts.seconds += report.spent - spent
                spent = report.spent
                if report.finished is not None:
                    return msgspec.json.decode(report.finished, type=FinishedReview)
                self._work = b64decode(report.work)
                await self._keep(head, self._before, self._seconds)
                if not await self._extend_claim(report.done, 0, LEASE):
                    return None

    async def _keep(self, head: Head, finished: FinishedReview | None, seconds: int) -> None:
        key = await self._history.digest_key()
        await self._log.keep_review(kept_review(key, self._job.game_id, head, seconds, finished, self._work))

    async def _extend_claim(self, done: float, attempts: int, lease: timedelta) -> bool:
        """Returns False if the claim was lost."""
        now = await self._log.now()
        self._counts.waiting = len(await self._log.waiting_reviews(now, SEEN))
        until = now + lease
        job = self._job._replace(done=done, attempts=attempts)
        if not await self._log.extend_claim(job, until):
            return False
        self._job = job._replace(claimed_until=until)
        return True

    async def _end(self, head: Head, finished: FinishedReview) -> None:
        game = self._job.game_id
        await self._keep(head, finished, self._job.seconds)
        await self._log.end_review(game)
        self._counts.outcomes["finished" if finished.fault is None else "failed"] += 1
        _log.info("a review ends", game_id=str(game), fault=finished.fault)


class Hints:
    """Computes hints, one at a time, each in a process with the lowest priority that cannot reach the database."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(1)

    async def __call__(self, task: HintTask, charge: ChargeHint) -> tuple[HintedMove, ...] | None:
        try:
            async with asyncio.timeout(QUEUE):
                await self._free.acquire()
        except TimeoutError:
            return None
        try:
            await charge()
            beginning = child(HINTER, task, PATIENCE, niceness=NICENESS)
            async with beginning as process, asyncio.timeout(TOO_LONG):
                assert process.stdout is not None
                line = await process.stdout.readline()
        except TimeoutError:
            _log.error("a hint took too long", seconds=TOO_LONG)
            return None
        finally:
            self._free.release()
        return msgspec.json.decode(line, type=tuple[HintedMove, ...]) if line else None


def _failed(why: str) -> FinishedReview:
    return FinishedReview((), {}, why)
