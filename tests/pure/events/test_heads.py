"""A query for the head of a game gets a result that is no older than the query, and queries are shared."""

import asyncio
import gc
from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest

from mcmulti.events.log.envelope import Head
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import LogUnavailable, UnknownGame
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.store.heads import HeadLoader
from tests.games import random_game

GAME = random_game(2, 5)
ID = GAME[0].game_id


class SlowLog(MemoryLog):
    """Takes a while for each query, and counts the games in it."""

    def __init__(self) -> None:
        super().__init__()
        self.queries: list[int] = []
        self.under_way = asyncio.Event()
        self.away = False
        self.fault: Exception | None = None

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        self.queries.append(len(game_ids))
        self.under_way.set()
        found = await super().heads(game_ids)
        await asyncio.sleep(0.01)
        if self.away:
            raise LogUnavailable("the database does not answer")
        if self.fault is not None:
            raise self.fault
        return found


async def begun() -> SlowLog:
    """A log with the first ten events of a game."""
    log = SlowLog()
    await log.create(ID, "mcmulti", 1, TableRow("running"), bytes(32), GAME[:10])
    return log


async def test_all_who_ask_at_once_are_answered_by_one_query() -> None:
    log = await begun()
    loader = HeadLoader(log)
    heads = await asyncio.gather(*(loader.head(ID) for _ in range(50)))
    assert heads == [Head(10, GAME[9].hash)] * 50
    assert log.queries == [1]


async def test_who_asks_while_a_query_is_under_way_is_told_what_was_appended_before_the_question() -> None:
    log = await begun()
    loader = HeadLoader(log)
    early = asyncio.create_task(loader.head(ID))
    await log.under_way.wait()
    await log.append(ID, Head(10, GAME[9].hash), GAME[10:12], TableRow("running"))
    late = await asyncio.gather(*(loader.head(ID) for _ in range(3)))
    assert (await early).seq == 10
    assert late == [Head(12, GAME[11].hash)] * 3
    assert log.queries == [1, 1]


async def test_who_asks_again_at_once_comes_along_with_who_asked_meanwhile() -> None:
    log = await begun()
    loader = HeadLoader(log)

    async def asking(times: int) -> None:
        for _ in range(times):
            assert (await loader.head(ID)).seq == 10

    early = asyncio.create_task(asking(4))
    await log.under_way.wait()
    await asyncio.gather(early, asking(3))
    assert log.queries == [1] * 4


async def test_an_unknown_game_is_told_to_who_asked_for_it_alone() -> None:
    log = await begun()
    loader = HeadLoader(log)
    known, unknown = await asyncio.gather(loader.head(ID), loader.head(uuid4()), return_exceptions=True)
    assert known == Head(10, GAME[9].hash)
    assert isinstance(unknown, UnknownGame)
    assert log.queries == [2]


async def test_an_outage_is_told_to_all_and_the_next_question_is_asked_afresh() -> None:
    log = await begun()
    loader = HeadLoader(log)
    log.away = True
    failed = await asyncio.gather(*(loader.head(ID) for _ in range(3)), return_exceptions=True)
    assert [type(error) for error in failed] == [LogUnavailable] * 3
    assert {str(error) for error in failed} == {"the database does not answer"}
    assert len({id(error) for error in failed}) == 3, "each is raised on a way of its own"
    log.away = False
    assert (await loader.head(ID)).seq == 10


async def test_who_stops_waiting_takes_nobody_else_along() -> None:
    log = await begun()
    loader = HeadLoader(log)
    leaving = asyncio.create_task(loader.head(ID))
    staying = asyncio.create_task(loader.head(ID))
    await log.under_way.wait()
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert (await staying).seq == 10


async def test_all_may_stop_waiting_and_the_next_question_is_asked_all_the_same() -> None:
    log = await begun()
    loader = HeadLoader(log)
    leaving = [asyncio.create_task(loader.head(ID)) for _ in range(3)]
    await log.under_way.wait()
    for task in leaving:
        task.cancel()
    await asyncio.wait(leaving)
    assert [task.cancelled() for task in leaving] == [True] * 3
    assert (await loader.head(ID)).seq == 10


@pytest.mark.parametrize("queries", [1, 2])
async def test_nobody_waits_for_ever_when_the_query_is_broken_off(queries: int) -> None:
    """As when the server stops: neither those in the query nor those waiting for the next one."""
    log = await begun()
    loader = HeadLoader(log)
    before = asyncio.all_tasks()
    waiting = [asyncio.create_task(loader.head(ID))]
    await log.under_way.wait()
    (query,) = asyncio.all_tasks() - before - set(waiting)
    waiting += [asyncio.create_task(loader.head(ID)) for _ in range(queries - 1)]
    await asyncio.sleep(0)
    query.cancel()
    told = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 1)
    assert [type(error) for error in told] == [LogUnavailable] * queries
    assert (await loader.head(ID)).seq == 10


async def test_nobody_waits_for_ever_when_the_log_has_a_fault() -> None:
    log = await begun()
    loader = HeadLoader(log)
    log.fault = RuntimeError("a fault")
    faults: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: faults.append(context["exception"]))
    try:
        with pytest.raises(LogUnavailable):
            await loader.head(ID)
        gc.collect()
    finally:
        loop.set_exception_handler(None)
    assert faults == [log.fault]
    log.fault = None
    assert (await loader.head(ID)).seq == 10
