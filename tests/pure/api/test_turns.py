"""Turns: the client that had the least is next, address by address."""

import asyncio
from contextlib import suppress

import pytest

from mcmulti.api.http.apart import FairTurns
from mcmulti.metering import Meter, Payer, begin

EVE = Payer("192.0.2.6", "192.0.2.6")
ADA = Payer("192.0.2.1", "ada")
BEN = Payer("192.0.2.1", "ben")


class Queue:
    """Pieces of work, which take a second each unless given, and the order in which they are done."""

    def __init__(self) -> None:
        self.now = 0.0
        self.done: list[str] = []
        self.turns = FairTurns(lambda: self.now)
        self.begun, self.six = asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def asks(self, who: Payer, name: str, pieces: int = 1, seconds: float = 1) -> asyncio.Task[None]:
        """A client asks for pieces of work, which are done one after the other."""

        async def work() -> None:
            begin(Meter(who))
            for _ in range(pieces):
                async with self.turns:
                    await self.begun.wait()
                    self.now += seconds
                    self.done.append(name)
                    if len(self.done) == 6:
                        self.six.set()

        task = asyncio.create_task(work())
        self._tasks.append(task)
        await asyncio.sleep(0)
        return task

    async def order(self) -> str:
        """Let everything that was requested so far finish."""
        self.begun.set()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        return "".join(self.done)


@pytest.fixture
def queue() -> Queue:
    return Queue()


async def test_who_comes_behind_many_of_another_address_waits_for_one_piece(queue: Queue) -> None:
    for _ in range(8):
        await queue.asks(EVE, "e")
    await queue.asks(ADA, "a")
    assert await queue.order() == "eaeeeeeee"


async def test_addresses_take_turns_however_many_players_one_has(queue: Queue) -> None:
    for number in range(4):
        await queue.asks(Payer(EVE.address, f"eve {number}"), "e", 2)
    await queue.asks(ADA, "a", 4)
    assert (await queue.order())[:8] == "eaeaeaea"


async def test_players_of_an_address_take_turns(queue: Queue) -> None:
    for _ in range(3):
        await queue.asks(ADA, "a")
    await queue.asks(BEN, "b")
    assert await queue.order() == "abaa"


async def test_whose_pieces_take_longer_has_fewer_of_them(queue: Queue) -> None:
    for _ in range(3):
        await queue.asks(EVE, "e", seconds=3)
    for _ in range(6):
        await queue.asks(ADA, "a")
    assert await queue.order() == "eaaaeaaae"


async def test_nobody_makes_up_for_the_time_when_it_wanted_nothing(queue: Queue) -> None:
    await queue.asks(EVE, "e", 6)
    await queue.asks(BEN, "b", 6)
    queue.begun.set()
    await queue.six.wait()
    for _ in range(3):
        await queue.asks(Payer("192.0.2.9", "cid"), "c")
    assert "cc" not in await queue.order()


async def test_who_is_gone_before_its_turn_keeps_nobody_waiting(queue: Queue) -> None:
    await queue.asks(EVE, "e")
    gone = await queue.asks(ADA, "a")
    await queue.asks(BEN, "b")
    gone.cancel()
    assert await queue.order() == "eb"
    await queue.asks(ADA, "a")
    assert await queue.order() == "eba"


async def test_who_is_gone_at_the_moment_of_its_turn_does_not_get_it(queue: Queue) -> None:
    turns = queue.turns
    await turns.__aenter__()
    waiting = [await queue.asks(ADA, "a"), await queue.asks(BEN, "b")]
    waiting[0].cancel()
    await turns.__aexit__()  # before the departed client could notice
    assert await queue.order() == "b"


async def test_who_is_gone_when_its_turn_comes_passes_it_on(queue: Queue) -> None:
    turns = queue.turns
    await turns.__aenter__()
    waiting = [await queue.asks(ADA, "a"), await queue.asks(BEN, "b")]
    await turns.__aexit__()  # it is Ada's turn from here on
    waiting[0].cancel()
    assert await queue.order() == "b"
    async with asyncio.timeout(60), turns:
        pass
