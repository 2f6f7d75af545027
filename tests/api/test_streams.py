"""Streams of a game: the same events whatever happens to the connection, and no client delays another."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID

import pytest

from mcmulti.api.streams import game as stream_game
from mcmulti.api.streams import items as stream
from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.ports.errors import LogUnavailable
from tests.api.guests import Json, Table
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import finished_game, served

RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
Server = tuple[str, Table]


@pytest.fixture
async def server(database: str) -> AsyncIterator[Server]:
    """A server's address, and a table there."""
    async with served(database) as found:
        yield found


async def _log(table: Table, game: object) -> list[Json]:
    """The log, page by page."""
    events: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = (await table.client.get(f"/v1/games/{game}/events?after={after}&limit=1000")).json()
        events += page["events"]
        after = page["next"]
    return events


async def _read(server: str, path: str, accept: str, **headers: Any) -> list[Json]:
    async with StreamClient.open(server, path, accept, **headers) as reader:
        assert reader.status == 200
        return [item async for item in reader.items()]


async def _read_with_cuts(server: str, game: str, accept: str, dice: random.Random) -> tuple[list[Json], int]:
    """What a client receives that is repeatedly cut off at any moment and resumes, and how often it was."""
    events: list[Json] = []
    cuts = 0
    while True:
        last = events[-1]["seq"] if events else 0
        path = f"/v1/games/{game}/events"
        headers: dict[str, Any] = {"Last_Event_ID": last}
        if accept == NDJSON:
            path, headers = f"{path}?after={last}", {}
        async with StreamClient.open(server, path, accept, **headers) as reader:
            if reader.status == 204:
                return events, cuts
            take = dice.randrange(40)
            cutting = asyncio.get_running_loop().call_later(dice.random() / 2, reader.abort)
            try:
                async for item in reader.items():
                    if "prev_hash" in item:
                        events.append(item)
                        take -= 1
                    if take < 0:
                        break
                else:
                    return events, cuts
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                cutting.cancel()
            cuts += 1


async def test_a_client_that_is_killed_and_resumes_sees_the_same_as_one_that_reads_in_peace(server: Server) -> None:
    address, table = server
    async with Client(address) as one, Client(address) as two:
        await one.register("One")
        await two.register("Two")
        game = str((await one.open_game("mcmulti", seats=2))["game"])
        await one.take_seat(game)
        await two.take_seat(game)
        path = f"/v1/games/{game}/events"
        async with asyncio.TaskGroup() as group:
            calm = [group.create_task(_read(address, path, accept)) for accept in (SSE, NDJSON)]
            cut = [
                group.create_task(_read_with_cuts(address, game, accept, random.Random(seed)))
                for seed, accept in enumerate([SSE, NDJSON] * 3)
            ]
            for client in (one, two):
                group.create_task(play(client, game, tycoon))
    events = await _log(table, game)
    assert events[-1]["type"] in ("GameFinished", "SeedRevealed")
    for reading in calm:
        head, *streamed = reading.result()
        assert head["type"] == "StreamHead"
        assert streamed == events
    for task in cut:
        streamed, cuts = task.result()
        assert streamed == events
        assert cuts > 3


@pytest.mark.parametrize("ruleset", CURRENT)
@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_the_stream_of_a_finished_game_replays_it_and_ends(server: Server, accept: str, ruleset: str) -> None:
    address, table = server
    game = await finished_game(table.log, ruleset=ruleset)
    events = await _log(table, game)
    head, *streamed = await _read(address, f"/v1/games/{game}/events", accept)
    last = events[-1]
    assert head == {
        "type": "StreamHead",
        "game": str(game),
        "seq": last["seq"],
        "hash": last["hash"],
        "status": "finished",
        "present": [],
        "table": (await table.client.get(f"/v1/games/{game}")).json()["table"],
    }
    assert streamed == events


async def test_sse_says_how_to_resume_and_stops_a_client_that_has_everything(server: Server) -> None:
    address, table = server
    game = await table.start()
    path = f"/v1/games/{game}/events"
    async with StreamClient.open(address, f"{path}?after=1&limit=2") as reader:
        assert reader.headers["content-type"].startswith("text/event-stream")
        assert reader.headers["cache-control"] == "no-store"
        messages = [message async for message in reader.messages()]
    assert messages[0].text == b"retry: 1000"
    hashes = [event["hash"] for event in await _log(table, game)]
    assert [message.id for message in messages] == [None, "1", f"2-{hashes[1]}", f"3-{hashes[2]}"]
    assert [message.data and message.data["seq"] for message in messages[2:]] == [2, 3]
    over = await finished_game(table.log)
    last = (await _log(table, over))[-1]["seq"]
    async with StreamClient.open(address, f"/v1/games/{over}/events", Last_Event_ID=str(last)) as reader:
        assert reader.status == 204
    async with StreamClient.open(address, f"{path}?until=2", Last_Event_ID="2") as reader:
        assert reader.status == 204


async def test_last_event_id_wins_over_after_and_limit_and_until_end_the_stream(server: Server) -> None:
    address, table = server
    game = await table.start()
    path = f"/v1/games/{game}/events"

    async def seqs(query: str, accept: str = NDJSON, **headers: str) -> list[int]:
        _, *streamed = await _read(address, path + query, accept, **headers)
        return [event["seq"] for event in streamed]

    assert await seqs("?after=1&limit=1", Last_Event_ID="3") == [4]
    assert await seqs("?after=1&limit=1", SSE, Last_Event_ID="2") == [3]
    assert await seqs("?limit=3") == [1, 2, 3]
    assert await seqs("?after=1&until=3") == [2, 3]
    assert await seqs("?after=1&until=3&limit=1") == [2]
    assert await seqs("?after=3&until=1") == []
    page = (await table.client.get(path + "?after=1&until=3")).json()
    assert [event["seq"] for event in page["events"]] == [2, 3]
    assert page["next"] is None


@pytest.mark.parametrize(("accept", "beat"), [(SSE, b": heartbeat"), (NDJSON, b'{"type":"Heartbeat"}')])
async def test_a_stream_without_news_shows_that_it_is_alive(
    server: Server, accept: str, beat: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    address, table = server
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    async with StreamClient.open(address, f"/v1/games/{game}/events?after={seq}", accept) as reader:
        messages = reader.messages()
        beats = 0
        while beats < 3:
            beats += (await asyncio.wait_for(anext(messages), 60)).text == beat
        await table.guests[0].send(game, RIG)
        while (message := await asyncio.wait_for(anext(messages), 60)).text == beat:
            pass
        assert message.data is not None
        assert message.data["seq"] == seq + 1


async def test_the_head_tells_which_seats_are_present(server: Server) -> None:
    address, table = server
    game = await table.start(3)
    path = f"/v1/games/{game}/events"
    ada, ben, cleo = (guest.token for guest in table.guests)
    stranger = (await table.guest("Stranger")).token

    async def present(token: str | None = None) -> list[int]:
        async with StreamClient.open(address, path, NDJSON, token) as reader:
            return list((await reader.next())["present"])

    async def nobody_is_left() -> None:
        async with asyncio.timeout(60):
            while await present() != []:  # noqa: ASYNC110 - what is waited for has no bell
                await asyncio.sleep(0.01)

    assert await present() == []
    assert await present(cleo) == [2]
    await nobody_is_left()
    async with StreamClient.open(address, path, token=ada) as one, StreamClient.open(address, path, token=stranger):
        await one.next()
        async with StreamClient.open(address, path, token=ada) as again:
            await again.next()
            assert await present(ben) == [0, 1]
        assert await present(ben) == [0, 1]
    await nobody_is_left()


async def test_two_servers_on_one_database_see_each_others_events(database: str) -> None:
    async with served(database) as (_, here), served(database) as (there, _):
        game = await here.start()
        seq = (await here.client.get(f"/v1/games/{game}")).json()["seq"]
        path = f"/v1/games/{game}/events?after={seq}"
        async with StreamClient.open(there, path) as sse, StreamClient.open(there, path, NDJSON) as ndjson:
            assert (await sse.next())["seq"] == (await ndjson.next())["seq"] == seq
            for number in (1, 2, 3):
                site = {"quadrant": 0, "row": 1, "column": number}
                assert (await here.guests[0].send(game, RIG | {"site": site})).status_code == 200
            await here.guests[0].send(game, {"type": "EndPurchases"})
            events = (await _log(here, game))[seq:]
            assert len(events) >= 4
            for reader in (sse, ndjson):
                assert [await reader.next() for _ in events] == events


async def test_a_client_that_leaves_does_not_end_the_others_streams(server: Server) -> None:
    address, table = server
    game = await table.start()
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    path = f"/v1/games/{game}/events?after={seq}"
    async with StreamClient.open(address, path) as stays:
        await stays.next()
        for _ in range(20):
            async with StreamClient.open(address, path):
                pass
        await table.guests[0].send(game, RIG)
        assert (await stays.next())["seq"] == seq + 1


async def test_a_stopping_server_does_not_wait_for_streams(database: str, capfd: pytest.CaptureFixture[str]) -> None:
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as readers:
        async with served(database) as (address, table):
            game = await table.start()
            reader = await readers.enter_async_context(StreamClient.open(address, f"/v1/games/{game}/events"))
            turns = await readers.enter_async_context(
                StreamClient.open(address, "/v1/stream", token=table.guests[0].token)
            )
            await reader.next()
            await turns.next()
            stopping = loop.time()
        assert loop.time() - stopping < 15  # a heartbeat is later
        assert [item async for item in turns.items()] == [{"type": "Stopping"}]
        assert [item["type"] async for item in reader.items()][-1] == "Stopping"
    assert "Traceback" not in "".join(capfd.readouterr())


async def test_a_stream_outlives_an_outage_of_the_database(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    address, table = server
    game = await finished_game(table.log)
    events = await _log(table, game)
    read = table.log.read
    outages = [LogUnavailable("away")] * 2

    async def flaky(game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        if after > 200 and limit is not None and outages:
            raise outages.pop()
        return await read(game_id, after, limit)

    monkeypatch.setattr(stream_game, "POLL", 0.05)
    monkeypatch.setattr(table.log, "read", flaky)
    _, *streamed = await _read(address, f"/v1/games/{game}/events?limit=1000", NDJSON)
    assert not outages
    assert streamed == events[:1000]


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_behind_the_last_event_that_there_is_comes_the_table(server: Server, accept: str) -> None:
    """Two existing events, then a new one: whose move it is needs no other request."""
    address, table = server
    game = await table.start()
    ada, ben = table.guests
    await ada.send(game, {"type": "EndPurchases"})

    async def now() -> dict[str, Any]:
        return dict((await table.client.get(f"/v1/games/{game}")).json()["table"])

    begun = await now()
    async with StreamClient.open(address, f"/v1/games/{game}/events?after={begun['seq'] - 2}", accept) as reader:
        messages = (message async for message in reader.messages() if message.data)
        head, *events, behind = [await asyncio.wait_for(anext(messages), 60) for _ in range(4)]
        assert head.data is not None
        assert head.data["table"] == begun
        assert [event.data and event.data["seq"] for event in events] == [begun["seq"] - 1, begun["seq"]]
        assert (behind.data, behind.id) == ({"type": "TableMoved", "table": begun}, None)
        await ben.send(game, {"type": "EndPurchases"})
        while (came := (await asyncio.wait_for(anext(messages), 60)).data) and came["type"] != "TableMoved":
            pass
        assert came == {"type": "TableMoved", "table": await now()}
        assert came["table"]["to_move"] != begun["to_move"]


async def test_a_stream_that_ends_before_the_last_event_has_no_table(server: Server) -> None:
    address, table = server
    game = await table.start()
    async with StreamClient.open(address, f"/v1/games/{game}/events?until=2", NDJSON) as reader:
        told = [message.data and message.data["type"] async for message in reader.messages()]
    assert told[0] == "StreamHead"
    assert "TableMoved" not in told
    assert len(told) == 3
