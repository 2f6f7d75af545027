"""Images are painted in a process, which may end or hang at any time and delays nobody but those who ask for images."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import AsyncClient

from mcmulti.events.memory.log import MemoryLog
from mcmulti.metering import Meter, Payer, begin, end
from mcmulti.projections.pictures.painting import painted
from mcmulti.server.children import painting
from mcmulti.server.children.painting import PaintingProcess
from mcmulti.server.process import answering, bound
from tests.api.guests import Table

PATIENCE = 30.0


def square(color: str) -> str:
    """A document that shows a square."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path fill="{color}" d="M0 0h4v4H0"/></svg>'


def painters() -> list[int]:
    """The running painters of this process, by process id."""
    children = [pid for each in Path("/proc/self/task").glob("*/children") for pid in each.read_text().split()]
    return [int(pid) for pid in children if painting.PAINTER.encode() in Path("/proc", pid, "cmdline").read_bytes()]


def environment(pid: int) -> bytes:
    """The environment of a process."""
    return Path("/proc", str(pid), "environ").read_bytes()


@pytest.fixture
async def paint() -> AsyncIterator[PaintingProcess]:
    """A painter. Its process is gone in the end."""
    async with PaintingProcess() as paint:
        yield paint
    assert not painters()


async def test_images_are_those_that_this_process_would_paint(paint: PaintingProcess) -> None:
    assert not painters()
    wanted = [square(color) for color in ("red", "green", "blue")]
    assert await asyncio.gather(*map(paint, wanted)) == [painted(each) for each in wanted]
    [pid] = painters()
    assert os.getpriority(os.PRIO_PROCESS, pid) == max(os.getpriority(os.PRIO_PROCESS, 0), painting.NICENESS)
    assert await paint(square("red")) == painted(square("red"))
    assert painters() == [pid]


async def test_the_time_of_the_process_is_charged_to_who_asked(paint: PaintingProcess) -> None:
    await paint(square("red"))
    meter = Meter(Payer("192.0.2.1", "ada"))
    begun = begin(meter)
    try:
        await paint(square("blue"))
    finally:
        end(begun)
    assert 0 < meter.seconds < 1


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
async def test_a_process_that_ends_is_replaced(paint: PaintingProcess, blow: signal.Signals) -> None:
    await paint(square("red"))
    [pid] = painters()
    os.kill(pid, blow)
    assert await paint(square("blue")) == painted(square("blue"))
    assert painters() != [pid]


async def test_a_process_that_ends_at_work_is_replaced(paint: PaintingProcess) -> None:
    await paint(square("red"))
    [pid] = painters()
    os.kill(pid, signal.SIGSTOP)
    waiting = asyncio.create_task(paint(square("blue")))
    await asyncio.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    assert await waiting == painted(square("blue"))


async def test_half_a_response_is_none(paint: PaintingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(painting, "PAINTER", "tests.server.broken_painter")
        assert await paint(square("blue")) is None
    assert await paint(square("green")) == painted(square("green"))


async def test_a_process_that_hangs_is_given_up(paint: PaintingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    await paint(square("red"))
    monkeypatch.setattr(painting, "PATIENCE", 0.05)
    [pid] = painters()
    os.kill(pid, signal.SIGSTOP)
    with monkeypatch.context() as hurried:
        hurried.setattr(painting, "TOO_LONG", 0.05)
        hurried.setattr(painting, "TRIES", 1)
        assert await paint(square("blue")) is None
    assert await paint(square("green")) == painted(square("green"))
    assert pid not in painters()


async def test_what_is_no_picture_is_not_painted_and_delays_no_other(paint: PaintingProcess) -> None:
    assert [*await asyncio.gather(paint("<svg"), paint(square("red")))] == [None, painted(square("red"))]


async def test_nobody_receives_the_image_of_one_who_left(paint: PaintingProcess) -> None:
    await paint(square("red"))
    leaving = asyncio.create_task(paint(square("blue")))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert await paint(square("green")) == painted(square("green"))


async def test_the_process_has_no_way_to_the_database(paint: PaintingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    await paint(square("red"))
    [pid] = painters()
    assert b"secret" not in environment(pid)


async def test_others_are_answered_while_an_image_hangs() -> None:
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(MemoryLog(), listener) as address,
            AsyncClient(base_url=address, timeout=PATIENCE, trust_env=False) as client,
        ):
            table = Table(client, MemoryLog())  # type: ignore[arg-type]
            game = await table.start()
            image = f"/v1/games/{game}/board.png"
            first = await client.get(image)
            assert (first.status_code, first.headers["content-type"]) == (200, "image/png")
            [pid] = painters()
            os.kill(pid, signal.SIGSTOP)
            waiting = asyncio.create_task(client.get(image, params={"language": "de"}))
            for path in ("board.svg", "board.txt", "report", "statistics"):
                assert (await client.get(f"/v1/games/{game}/{path}")).status_code == 200
            assert not waiting.done()
            os.kill(pid, signal.SIGCONT)
            german = await waiting
            assert german.status_code == 200
            assert german.content != first.content
    assert not painters()


async def test_an_image_that_nobody_can_paint_is_refused_for_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(painting, "PAINTER", "mcmulti.projections.pictures.no_such_module")
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(MemoryLog(), listener) as address,
            AsyncClient(base_url=address, timeout=PATIENCE, trust_env=False) as client,
        ):
            game = await Table(client, MemoryLog()).start()  # type: ignore[arg-type]
            told = await client.get(f"/v1/games/{game}/board.png")
    assert (told.status_code, told.json()["code"]) == (503, "busy")
    assert told.headers["retry-after"] == "1"
