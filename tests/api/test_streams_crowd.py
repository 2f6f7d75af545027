"""Many streams at once, and slow readers."""

import asyncio
import gc
import os
import random
import resource
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from uuid import UUID

import pytest

from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.referee.feed import POLL
from tests.api.guests import Table
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import finished_game, served

RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
CROWD = 1000
SLOW = 40
Server = tuple[str, Table]


@pytest.fixture
async def crowded_server(many_files: None, database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A server with a high limit of files, which it reads at the start. Its scrubber reads no games meanwhile."""
    monkeypatch.setattr("mcmulti.referee.scrubber.PERIOD", 3600.0)
    async with served(database) as found:
        yield found


@pytest.fixture
async def server(database: str) -> AsyncIterator[Server]:
    """A server's address, and a table there."""
    async with served(database) as found:
        yield found


@pytest.fixture
def many_files() -> Iterator[None]:
    """Both ends of all connections are files of this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * CROWD + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"{wanted} open files are too many here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _memory() -> int:
    """Bytes of memory used by this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _counted(log: PostgresLog, monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The games about which the log is queried from now on, each as often as it is."""
    read, heads = log.read, log.heads
    queries: list[UUID] = []

    async def reading(game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        queries.append(game_id)
        return await read(game_id, after, limit)

    async def looking(game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        queries.extend(game_ids)
        return await heads(game_ids)

    monkeypatch.setattr(log, "read", reading)
    monkeypatch.setattr(log, "heads", looking)
    return queries


async def test_a_thousand_streams_all_see_a_new_event_without_a_look_of_their_own(
    crowded_server: Server,
    record_property: Callable[[str, object], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, table = crowded_server
    loop = asyncio.get_running_loop()
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    gc.collect()
    memory = _memory()
    async with AsyncExitStack() as connections:
        readers = []
        for number in range(CROWD):
            accept = SSE if number % 2 else NDJSON
            opening = StreamClient.open(address, f"/v1/games/{game}/events?after={seq}", accept)
            readers.append(await connections.enter_async_context(opening))
        for reader in readers:
            assert (await reader.next())["type"] == "StreamHead"
        record_property("kilobytes a stream and its client", (_memory() - memory) // CROWD // 1024)

        async def arrival(reader: StreamClient) -> float:
            assert (await reader.next())["seq"] == seq + 1
            return loop.time()

        arrivals = [asyncio.create_task(arrival(reader)) for reader in readers]
        queries, counted = _counted(table.log, monkeypatch), loop.time()
        await asyncio.sleep(2.5 * POLL)
        assert 1 <= len(queries) <= (loop.time() - counted) / POLL + 1, "one look a second for all of them"
        sent = loop.time()
        assert (await table.guests[0].send(game, RIG)).status_code == 200
        answered = loop.time()
        delays = sorted(moment - sent for moment in await asyncio.gather(*arrivals))
        delay = {"answer": answered - sent, "median": delays[CROWD // 2], "last": delays[-1]}
        record_property("seconds to the answer, to half and to all of the streams", delay)
        assert len(queries) <= (loop.time() - counted) / POLL + 7, "nobody had to ask the log for the event"
        assert (await table.client.get("/healthz")).status_code == 200
    async with StreamClient.open(address, f"/v1/games/{game}/events", NDJSON) as reader:
        assert (await reader.next())["seq"] == seq + 1


async def _settled() -> int:
    """Bytes of traced memory, once they hardly grow: all buffers are full."""
    before, taken = 0, 1
    while taken > 1.05 * before:
        before = taken
        await asyncio.sleep(1)
        taken, _ = tracemalloc.get_traced_memory()
    return max(before, taken)


async def test_readers_that_take_nothing_delay_nobody_and_cost_little(server: Server) -> None:
    address, table = server
    over = await finished_game(table.log)
    page = await table.client.get(f"/v1/games/{over}/events?limit=1000")
    assert len(page.content) > 4 * 100_000, "more than a connection holds"
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    async with AsyncExitStack() as connections:
        tracemalloc.start()
        connections.callback(tracemalloc.stop)
        for _ in range(SLOW):
            slow = StreamClient.open(address, f"/v1/games/{over}/events", buffer=4096)
            await connections.enter_async_context(slow)
        taken = await _settled()
        assert taken / SLOW < len(page.content) / 2
        quick = await connections.enter_async_context(
            StreamClient.open(address, f"/v1/games/{game}/events?after={seq}")
        )
        await quick.next()
        await table.guests[0].send(game, RIG)
        assert (await quick.next())["seq"] == seq + 1


async def test_a_reader_that_is_slow_gets_everything_in_the_end(server: Server) -> None:
    address, table = server
    over = await finished_game(table.log)
    head = (await table.client.get(f"/v1/games/{over}")).json()["seq"]
    async with StreamClient.open(address, f"/v1/games/{over}/events", buffer=4096) as reader:
        seqs = []
        async for item in reader.items():
            seqs.append(item["seq"])
            if len(seqs) % 200 == 0:
                await asyncio.sleep(0.02)
    assert seqs == [head, *range(1, head + 1)]


async def test_readers_that_leave_at_any_moment_leave_nothing_behind(
    server: Server, capfd: pytest.CaptureFixture[str]
) -> None:
    address, table = server
    over = await finished_game(table.log)
    game = await table.start()
    dice = random.Random(5)

    async def leave(path: str) -> None:
        opening = asyncio.create_task(_held(StreamClient.open(address, path, token=table.guests[0].token, buffer=4096)))
        await asyncio.sleep(dice.random() / 20)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)

    for _ in range(20):
        paths = [f"/v1/games/{over}/events", f"/v1/games/{game}/events", "/v1/stream"]
        await asyncio.gather(*(leave(path) for path in 5 * paths))
    async with asyncio.timeout(60):
        while True:
            async with StreamClient.open(address, f"/v1/games/{game}/events") as reader:
                if (await reader.next())["present"] == []:
                    break
    assert (await table.client.get("/readyz")).status_code == 200
    log = "".join(capfd.readouterr())
    assert "Traceback" not in log
    assert "error" not in log


async def _held(opening: AbstractAsyncContextManager[StreamClient]) -> None:
    async with opening as reader:
        async for _ in reader.messages():
            pass
        await asyncio.Event().wait()
