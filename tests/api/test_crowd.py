"""Many expensive requests at once: everything else is answered between their pieces."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.admission.gate import Admission
from mcmulti.api.admission.unsent import Unsent
from mcmulti.api.app import application
from mcmulti.api.http.apart import Apart
from mcmulti.events.memory.log import MemoryLog
from tests.api.guests import Table
from tests.api.stream_server import finished_game

CROWD = 24
LINES = {"Accept": "application/x-ndjson"}


class Pieces:
    """How many pieces of work ran outside the event loop, and the most at a time."""

    def __init__(self) -> None:
        self.done = self.now = self.most = 0
        self.begun = asyncio.Event()
        self._lock = threading.Lock()

    def doing(self, work: Callable[..., Any], *args: Any, **named: Any) -> Any:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            return work(*args, **named)
        finally:
            with self._lock:
                self.now -= 1
                self.done += 1


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> Pieces:
    counted, call = Pieces(), Apart.__call__

    async def counting(self: Apart, work: Callable[..., Any], *args: Any, **named: Any) -> Any:
        done = await call(self, counted.doing, work, *args, **named)
        if counted.done >= 5:
            counted.begun.set()
        return done

    monkeypatch.setattr(Apart, "__call__", counting)
    return counted


async def test_many_replays_leave_health_and_commands_alone(table: Table, pieces: Pieces) -> None:
    """Each of many spectators requests a different part of a game, turn by turn; another game goes on meanwhile.

    Five hundred events are at least four pieces, each of which is encoded in another, so all the replays have more than
    a hundred.
    """
    finished, game = await finished_game(table.log), await table.start()
    asked = [
        asyncio.create_task(table.client.get(f"/v1/games/{finished}/replay?by=turn&after={after}", headers=LINES))
        for after in range(CROWD)
    ]
    await pieces.begun.wait()
    before = pieces.done
    assert (await table.client.get("/readyz")).status_code == 200
    assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
    assert (await table.guests[0].get(f"/v1/games/{game}/offers")).status_code == 200
    meanwhile = pieces.done - before
    assert not any(replay.done() for replay in asked)
    answered = await asyncio.gather(*asked)
    assert {replay.status_code for replay in answered} == {200}
    assert pieces.done > 5 * CROWD
    assert meanwhile < pieces.done / 3
    assert pieces.most == 1


async def test_another_address_does_not_wait_for_a_crowd_at_one(pieces: Pieces) -> None:
    """Two addresses take turns, though one has many requests and the other one.

    On a busy machine, the crowd also works while the other's request does not wait: the best of a few tries counts.
    """
    for _ in range(5):
        if await _crowded(pieces) <= CROWD // 2:
            return
    pytest.fail("the crowd has more than its turns")


async def _crowded(pieces: Pieces) -> int:
    """How many pieces are worked on while a request waits for a ledger beside a crowd at another address."""
    log = MemoryLog()
    finished = await finished_game(log)
    app = application(log, Admission("1000000/hour"))
    app.state.service.unsent = Unsent(patience=300)  # a busy machine takes long for all replays
    crowd, other = (ASGITransport(app, client=(address, 1)) for address in ("192.0.2.6", "192.0.2.1"))  # type: ignore[arg-type]
    async with (
        AsyncClient(transport=crowd, base_url="http://mcmulti") as many,
        AsyncClient(transport=other, base_url="http://mcmulti") as one,
    ):
        game = f"/v1/games/{finished}"
        pieces.begun.clear()
        asked = [
            asyncio.create_task(many.get(f"{game}/replay?by=turn&after={after}", headers=LINES))
            for after in range(CROWD // 2)
        ]
        await pieces.begun.wait()
        before = pieces.done
        assert (await one.get(f"{game}/ledger")).status_code == 200
        meanwhile = pieces.done - before
        assert not any(replay.done() for replay in asked)
        assert {replay.status_code for replay in await asyncio.gather(*asked)} == {200}
    return meanwhile


async def test_a_page_that_was_told_is_told_again_without_work(table: Table, pieces: Pieces) -> None:
    page = f"/v1/games/{await finished_game(table.log)}/replay?by=turn&limit=3"
    first = await table.client.get(page)
    done = pieces.done
    assert done > 0
    again = await table.client.get(page)
    assert (again.content, pieces.done) == (first.content, done)
    assert (await table.client.get(f"{page}&language=de")).content != first.content
    assert pieces.done > done


async def test_a_page_reads_no_more_of_the_log_than_it_tells(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three turns of a game of 1,494 events need only the first pieces of a hundred events."""
    game, read = await finished_game(table.log), table.log.read
    asked: list[int] = []

    async def noted(game_id: Any, after: int = 0, limit: int | None = None) -> Any:
        asked.append(10_000 if limit is None else limit)
        return await read(game_id, after, limit)

    assert (await table.client.get(f"/v1/games/{game}")).status_code == 200  # the server knows where the game stands
    monkeypatch.setattr(table.log, "read", noted)
    assert (await table.client.get(f"/v1/games/{game}/replay?by=turn&limit=3")).status_code == 200
    assert asked
    assert sum(asked) <= 300
