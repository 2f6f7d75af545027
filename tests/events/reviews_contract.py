"""What every store of reviews has to do."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from mcmulti.events.ports.computed import KeptReview, ReviewJob
from mcmulti.events.ports.log import Log

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def job(minute: int = 0) -> ReviewJob:
    return ReviewJob(uuid4(), uuid4(), 60, NOON + minute * MINUTE)


class ReviewsContract:
    """What every `ReviewStore` has to do."""

    async def test_the_latest_review_of_a_game_is_kept_by_its_shape(self, log: Log) -> None:
        first = KeptReview(uuid4(), b"s" * 32, 60, b"", b"half of it")
        assert await log.review(first.game_id, first.shape) is None
        await log.keep_review(first)
        await log.keep_review(first._replace(shape=b"o" * 32))
        later = first._replace(seconds=120, review=b"everything", work=b"all of it")
        await log.keep_review(later)
        assert await log.review(first.game_id, first.shape) == later
        assert await log.review(uuid4(), first.shape) is None

    async def test_a_game_and_a_player_have_one_job_each(self, log: Log) -> None:
        first = job()
        assert await log.ask_review(first) == first
        assert await log.ask_review(first._replace(player_id=uuid4(), seconds=90)) == first
        assert await log.ask_review(first._replace(game_id=uuid4())) == first
        assert await log.review_job(first.game_id) == first
        await log.end_review(first.game_id)
        assert await log.review_job(first.game_id) is None
        again = first._replace(game_id=uuid4())
        assert await log.ask_review(again) == again
        await log.end_review(again.game_id)

    async def test_a_job_belongs_to_one_server_until_its_claim_ends(self, log: Log) -> None:
        first, second = job(1), job(0)
        for each in (first, second):
            await log.ask_review(each)
        now = NOON + 5 * MINUTE

        async def waiting(at: datetime) -> list[ReviewJob]:
            return [
                each for each in await log.waiting_reviews(at, 1000) if each.game_id in (first.game_id, second.game_id)
            ]

        assert await waiting(now) == [second, first]
        until = now + MINUTE
        assert await log.claim_review(second, until)
        assert not await log.claim_review(second, until)
        assert await waiting(now) == [first]
        mine = second._replace(attempts=1, claimed_until=until)
        assert await log.review_job(second.game_id) == mine
        assert await log.extend_claim(mine._replace(done=0.5, attempts=0), until + MINUTE)
        assert not await log.extend_claim(mine, until + MINUTE)  # that claim is over
        assert await waiting(until + MINUTE) == [first]
        found = await log.review_job(second.game_id)
        assert found == mine._replace(done=0.5, attempts=0, claimed_until=until + MINUTE)
        assert await waiting(until + 2 * MINUTE) == [found, first]
        for each in (first, second):
            await log.end_review(each.game_id)
        assert not await log.extend_claim(found, until + 3 * MINUTE)
