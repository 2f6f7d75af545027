"""Processor time and events, counted for the request that they are for."""

import asyncio
from collections.abc import Iterator

import pytest

from mcmulti import metering
from mcmulti.metering import Meter, Payer, begin, end, events_read, metered, stepped

ADA = Payer("192.0.2.1", "ada")


class Processor:
    """A clock of processor time that advances when somebody works."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def work(self, seconds: float) -> None:
        self.seconds += seconds


@pytest.fixture
def processor(monkeypatch: pytest.MonkeyPatch) -> Processor:
    processor = Processor()
    monkeypatch.setattr("mcmulti.metering.time.thread_time", lambda: processor.seconds)
    return processor


@pytest.fixture
def meter() -> Iterator[Meter]:
    meter = Meter(ADA)
    begun = begin(meter)
    yield meter
    end(begun)


async def test_steps_are_counted_and_not_what_others_do_between_them(processor: Processor, meter: Meter) -> None:
    others = asyncio.Event()

    async def request() -> str:
        processor.work(2)
        await others.wait()
        processor.work(3)
        assert meter.taken == 5
        return "done"

    async def another() -> None:
        processor.work(100)
        others.set()

    done, _ = await asyncio.gather(stepped(request()), another())
    assert (done, meter.seconds) == ("done", 5)


async def test_a_request_that_is_canceled_is_told_and_its_work_until_then_counts(
    processor: Processor, meter: Meter
) -> None:
    async def request() -> None:
        try:
            processor.work(1)
            await asyncio.Event().wait()
        finally:
            processor.work(2)

    task = asyncio.create_task(stepped(request()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert meter.seconds == 3


async def test_what_fails_is_raised_and_counts(processor: Processor, meter: Meter) -> None:
    async def request() -> None:
        await asyncio.sleep(0)
        processor.work(1)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await stepped(request())
    assert meter.seconds == 1


async def test_work_in_a_thread_and_in_a_task_is_for_who_began_it(processor: Processor, meter: Meter) -> None:
    async def task() -> None:
        await asyncio.to_thread(metered, processor.work, 4)
        events_read(7)

    await asyncio.create_task(task())
    assert (meter.seconds, meter.events, metering.payer()) == (4, 7, ADA)


async def test_outside_of_requests_nothing_is_counted(processor: Processor) -> None:
    async def work() -> int:
        events_read(7)
        return metered(lambda: 5)

    assert (await stepped(work()), metering.payer()) == (5, metering.NOBODY)
