"""What is counted for a request, and what is not."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from tests.guard.counting import Tally, counted, counting

HERE = Path(__file__).parent


def leaf() -> None:
    """Something to call."""


async def waiting(times: int) -> None:
    for _ in range(times):
        await asyncio.sleep(0)
    leaf()


async def numbers() -> AsyncIterator[int]:
    for number in range(5):
        yield number
        await asyncio.sleep(0)


def names(tally: Tally) -> dict[str, int]:
    return {code.co_name: calls for code, calls in tally.calls.items()}


async def test_a_coroutine_counts_once_however_often_it_waits() -> None:
    async def request() -> None:
        await waiting(3)
        await waiting(0)
        assert [number async for number in numbers()] == [0, 1, 2, 3, 4]

    with counting():
        tally = await counted(request, HERE)
    assert names(tally) == {"request": 1, "waiting": 2, "leaf": 2, "numbers": 1}


async def test_tasks_and_threads_of_a_request_count_and_those_of_others_do_not() -> None:
    await asyncio.to_thread(leaf)  # leaves a thread that is not counted in
    stop = asyncio.Event()

    async def heartbeat() -> None:
        while not stop.is_set():
            leaf()
            await asyncio.sleep(0)

    async def request() -> None:
        await asyncio.create_task(waiting(10))
        await asyncio.to_thread(leaf)

    with counting():
        beside = asyncio.create_task(heartbeat())
        tally = await counted(request, HERE)
        stop.set()
        await beside
    assert names(tally) == {"request": 1, "waiting": 1, "leaf": 2}


async def test_calls_outside_of_the_folder_do_not_count() -> None:
    async def request() -> None:
        await waiting(1)

    with counting():
        tally = await counted(request)
    assert not tally.calls
    assert not tally.files
