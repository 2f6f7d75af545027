import asyncio
from collections.abc import Sequence
from uuid import UUID

import pytest

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.store.group_commit import MOST, GroupCommit, QueuedWrite


def game(number: int) -> UUID:
    return UUID(int=number)


class Desk:
    """Accepts batches, and lets each wait until it may continue. Writes to all games but those in `refused`."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.refused: set[UUID] = set()
        self.failure: Exception | None = None
        self._go = asyncio.Semaphore(0)

    async def write(self, batch: Sequence[QueuedWrite]) -> set[UUID]:
        self.batches.append([queued.what for queued in batch])
        await self._go.acquire()
        if self.failure is not None:
            raise self.failure
        return {queued.game_id for queued in batch} - self.refused

    def go_on(self) -> None:
        self._go.release()


class Crowd:
    """Callers who wait for their write."""

    def __init__(self, commits: GroupCommit) -> None:
        self._commits = commits

    async def ask(self, what: str, number: int) -> "asyncio.Task[bool]":
        task = asyncio.create_task(self._commits.commit(game(number), what))
        await self.look()
        return task

    async def look(self) -> None:
        """Let everybody continue as far as possible without waiting."""
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def commits(desk: Desk) -> GroupCommit:
    return GroupCommit(desk.write)


@pytest.fixture
def crowd(commits: GroupCommit) -> Crowd:
    return Crowd(commits)


async def test_the_first_is_written_at_once_and_who_comes_meanwhile_goes_together(desk: Desk, crowd: Crowd) -> None:
    first = await crowd.ask("a", 1)
    assert desk.batches == [["a"]]
    second, third = await crowd.ask("b", 2), await crowd.ask("c", 3)
    assert desk.batches == [["a"]]

    desk.go_on()
    assert await first
    await crowd.look()
    assert desk.batches == [["a"], ["b", "c"]]
    assert not second.done()
    desk.go_on()
    assert await second
    assert await third

    fourth = await crowd.ask("d", 1)
    assert desk.batches[2:] == [["d"]]
    desk.go_on()
    assert await fourth


async def test_a_batch_holds_a_game_once_and_keeps_the_order_within_games(desk: Desk, crowd: Crowd) -> None:
    asked = [await crowd.ask("first", 9)]
    for what, number in (("a1", 1), ("a2", 1), ("b1", 2), ("a3", 1), ("b2", 2)):
        asked.append(await crowd.ask(what, number))
    for _ in range(4):
        desk.go_on()

    assert await asyncio.gather(*asked) == [True] * 6
    assert desk.batches == [["first"], ["a1", "b1"], ["a2", "b2"], ["a3"]]


async def test_a_batch_is_bounded(desk: Desk, crowd: Crowd) -> None:
    asked = [await crowd.ask("first", 0)]
    asked += [await crowd.ask(str(number), number) for number in range(1, MOST + 3)]
    for _ in range(3):
        desk.go_on()

    await asyncio.gather(*asked)
    assert [len(batch) for batch in desk.batches] == [1, MOST, 2]
    assert desk.batches[2] == [str(MOST + 1), str(MOST + 2)]


async def test_everybody_learns_whether_their_own_was_written(desk: Desk, crowd: Crowd) -> None:
    asked = [await crowd.ask(str(number), number) for number in range(4)]
    desk.refused = {game(0), game(2)}
    desk.go_on()
    desk.go_on()

    assert await asyncio.gather(*asked) == [False, True, False, True]


async def test_a_failure_is_that_of_its_batch_alone(desk: Desk, crowd: Crowd) -> None:
    first, second = await crowd.ask("a", 1), await crowd.ask("b", 2)
    desk.failure = LogUnavailable("gone")
    desk.go_on()
    with pytest.raises(LogUnavailable, match="gone"):
        await first
    await crowd.look()
    desk.failure = None
    desk.go_on()
    assert await second


async def test_who_gives_up_in_the_queue_is_not_written(desk: Desk, crowd: Crowd) -> None:
    first, second, third = [await crowd.ask(str(number), number) for number in range(3)]
    second.cancel()
    desk.go_on()
    desk.go_on()

    assert await first
    assert await third
    assert second.cancelled()
    assert desk.batches == [["0"], ["2"]]


async def test_who_gives_up_under_way_disturbs_nobody(desk: Desk, crowd: Crowd) -> None:
    first, second, third = [await crowd.ask(str(number), number) for number in range(3)]
    desk.go_on()
    await first
    await crowd.look()
    second.cancel()
    await crowd.look()
    assert second.cancelled()
    assert not third.done()
    desk.go_on()
    assert await third

    fourth = await crowd.ask("3", 1)
    desk.go_on()
    assert await fourth
    assert desk.batches == [["0"], ["1", "2"], ["3"]]


async def test_closing_finishes_what_was_taken_and_takes_nothing(
    desk: Desk, commits: GroupCommit, crowd: Crowd
) -> None:
    first, second = await crowd.ask("a", 1), await crowd.ask("b", 2)
    closing = asyncio.create_task(commits.close())
    await crowd.look()
    with pytest.raises(LogUnavailable, match="closed"):
        await commits.commit(game(3), "c")
    assert not closing.done()
    desk.go_on()
    desk.go_on()

    await closing
    assert await first
    assert await second
    assert desk.batches == [["a"], ["b"]]


async def test_one_that_is_idle_closes_at_once(commits: GroupCommit) -> None:
    await commits.close()


async def test_one_that_is_stopped_lets_nobody_wait(desk: Desk, commits: GroupCommit, crowd: Crowd) -> None:
    asked = [await crowd.ask(str(number), number) for number in range(3)]
    closing = asyncio.create_task(commits.close())
    await crowd.look()
    closing.cancel()

    outcomes = await asyncio.gather(*asked, closing, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [LogUnavailable] * 3 + [asyncio.CancelledError]
    assert desk.batches == [["0"]]
