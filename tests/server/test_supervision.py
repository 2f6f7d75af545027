"""Background tasks: an unexpected error in any of them is counted and logged, and ends nothing."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID, uuid4

import pytest
from httpx import AsyncClient

from mcmulti import supervision
from mcmulti.api import app as app_module
from mcmulti.api import readiness
from mcmulti.api.admission import callers
from mcmulti.api.service import Service
from mcmulti.api.streams import lobby, player
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import GamesWanted
from mcmulti.events.store import expiry
from mcmulti.metrics import TASK_RESTARTS
from mcmulti.referee import clock, feed, scrubber
from mcmulti.server import process, sampling
from mcmulti.server.children import house
from mcmulti.server.children.house import HouseCounts, house_bots
from mcmulti.server.process import answering, bound
from tests.api.owner import Owner
from tests.api.stream_client import NDJSON, StreamClient
from tests.api.stream_server import served

SOON = 0.02
LONG = 60.0

BROKEN = {
    "clock": "now",
    "expiry": "over",
    "game_streams": "heads",
    "lobby_streams": "games",
    "player_streams": "games",
    "readiness": "writable",
    "revocations": "revocations",
    "sampling": "pool",
    "scrubber": "faults",
    "token_expiry": "forget_tokens",
}
"""For each task, a method of the log that it calls."""


class FaultyLog(MemoryLog):
    """A log of which the method named in `broken` raises an unexpected error."""

    def __init__(self) -> None:
        super().__init__()
        self.broken: str | None = None
        self.sound = dict.fromkeys(BROKEN.values(), 0)

    def _work(self, name: str) -> None:
        if self.broken == name:
            raise RuntimeError("nobody expected this")
        self.sound[name] += 1


def _faulty(name: str) -> Callable[..., Any]:
    original = getattr(MemoryLog, name)
    if name == "pool":

        def pool(self: FaultyLog) -> Any:
            self._work(name)
            return original(self)

        return pool
    if name == "revocations":

        async def revocations(self: FaultyLog) -> AsyncGenerator[Any, None]:
            self._work(name)
            async for each in original(self):
                self._work(name)
                yield each

        return revocations

    async def called(self: FaultyLog, *args: Any, **named: Any) -> Any:
        self._work(name)
        return await original(self, *args, **named)

    return called


for _name in set(BROKEN.values()):
    setattr(FaultyLog, _name, _faulty(_name))


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not true():  # noqa: ASYNC110 - what is waited for has no bell
            await asyncio.sleep(SOON)


def restarts(task: str) -> float:
    return float(TASK_RESTARTS.labels(task)._value.get())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Periodic tasks run often here."""
    for module, name in (
        (supervision, "FIRST_PAUSE"),
        (feed, "POLL"),
        (player, "POLL"),
        (lobby, "POLL"),
        (lobby, "GATHER"),
        (callers, "POLL"),
        (clock, "PERIOD"),
        (expiry, "PERIOD"),
        (expiry, "TOKEN_PERIOD"),
        (scrubber, "PERIOD"),
        (readiness, "PERIOD"),
        (sampling, "PERIOD"),
    ):
        monkeypatch.setattr(module, name, SOON)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("task", BROKEN)
async def test_a_task_with_an_unexpected_error_begins_again(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    log = FaultyLog()
    services: list[Service] = []

    def application(*args: Any, **named: Any) -> Any:
        app = app_module.application(*args, **named)
        services.append(app.state.service)
        return app

    monkeypatch.setattr(process, "application", application)
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(answering(log, stack.enter_context(bound("127.0.0.1", 0))))
        service: Service = services[0]
        game = (await service.referee.open(RULESET, Setup(seats=2))).position.game_id
        await stack.enter_async_context(service.referee.feed(game))
        await stack.enter_async_context(service.turns.feed(UUID(int=1)))
        await stack.enter_async_context(service.lobby.feed(GamesWanted()))
        before, method = restarts(task), BROKEN[task]
        log.broken = method
        if task == "revocations":  # it waits for the next one
            service.callers.forget()
            for queue in log._listening:
                queue.put_nowait(None)
        await until(lambda: restarts(task) > before)
        await until(lambda: task in supervision.failing())
        if task != "readiness":
            async with AsyncClient(base_url=address) as client:
                told = (await client.get("/readyz")).json()
            assert set(told["failing"]) <= set(BROKEN)
        log.broken = None
        sound = log.sound[method]
        await until(lambda: task not in supervision.failing() and log.sound[method] > sound)
    assert supervision.failing() == ()


@pytest.mark.usefixtures("quick")
async def test_house_bots_whose_keeper_has_an_unexpected_error_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    async def once_wrong(*_: object) -> int:
        played.append(len(played))
        if len(played) == 1:
            raise ValueError("nobody expected this")
        await asyncio.Event().wait()
        return 0

    monkeypatch.setattr(house, "_let_bots_play", once_wrong)
    before = restarts("house_bots")
    async with house_bots(MemoryLog(), "http://127.0.0.1:1", HouseCounts(1)):
        await until(lambda: len(played) == 2)
    assert restarts("house_bots") == before + 1


async def test_streams_go_on_when_rights_were_gone_for_a_while(database: str) -> None:
    """The rights on `game` are revoked and granted again, while somebody reads a stream of another server."""
    owner = Owner(database)
    async with served(database) as (_, one), served(database) as (address, _):
        game = await one.start()
        async with StreamClient.open(address, f"/v1/games/{game}/events", NDJSON) as reader:
            await reader.next()
            before = restarts("game_streams")
            owner.do("REVOKE SELECT ON game FROM mcmulti_server")
            await until(lambda: restarts("game_streams") > before)
            owner.do("GRANT SELECT ON game TO mcmulti_server")
            assert (await one.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
            async with asyncio.timeout(LONG):
                while "EndPurchases" not in str(await reader.next()):
                    pass


async def test_work_that_ends_is_not_begun_again_and_a_long_one_is_not_punished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pause doubles with each failure soon after the previous one, up to the maximum."""
    pauses: list[float] = []
    monkeypatch.setattr(supervision, "FIRST_PAUSE", 1.0)
    sleep = asyncio.sleep

    async def counted(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", counted)
    runs = iter(range(5))

    async def work() -> None:
        if next(runs) < 4:
            raise RuntimeError("nobody expected this")

    name = str(uuid4())
    await supervision.supervised(name, work)
    assert pauses == [1.0, 2.0, 4.0, 5.0]
    assert restarts(name) == 4
    assert supervision.failing() == ()
