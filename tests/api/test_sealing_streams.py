"""Sealed orders in streams: live events are sealed, and a stream resumed at the end is open."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import msgspec
import pytest

from mcmulti.client.sources import log_of_game, record_in
from mcmulti.events.log.envelope import broken_link
from mcmulti.events.log.item import EventItem, recorded
from tests.api.guests import Guest, Json
from tests.api.sealed_game import SECRET, SealedGame, stand_still, submit
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import served


@pytest.fixture
async def sealed(database: str) -> AsyncIterator[tuple[str, SealedGame]]:
    async with served(database) as (address, table):
        yield address, await SealedGame.open(table)


def _token(reader: Guest | None) -> str | None:
    return reader.token if reader else None


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_a_sheet_comes_live_as_a_seal_and_is_open_when_the_stream_is_resumed(
    sealed: tuple[str, SealedGame], accept: str
) -> None:
    """Ada sends her sheet again while Ben, Eve, an anonymous reader, and Ada herself follow the game."""
    server, game = sealed
    ada, ben, eve = game.table.guests[0], game.table.guests[1], game.table.guests[4]
    for reader in (ben, eve, None, ada):
        after = await game.seq()
        path = f"{game.address}/events?after={after}"
        async with StreamClient.open(server, path, accept, token=_token(reader)) as stream:
            assert (await stream.next())["type"] == "StreamHead"
            sent = (await ada.send(game.game, submit(SECRET))).json()["events"][0]
            came = await stream.next()
        assert came["seq"] == after + 1
        if reader is ada:
            assert came == sent
            continue
        assert not {"data", "command"} & came.keys()
        assert len(came["payload"]) == 64
        assert {**came, "data": 0, "command": 0, "payload": 0} == {**sent, "data": 0, "command": 0, "payload": 0}
    await game.referee()
    await stand_still(game.table, game.game)
    for reader in (ben, None):
        resumed = f"{game.address}/events?until={game.sheets[1]}"
        headers: dict[str, Any] = {"Last_Event_ID": str(game.sheets[0] - 1)} if accept == SSE else {}
        resumed += "" if headers else f"&after={game.sheets[0] - 1}"
        async with StreamClient.open(server, resumed, accept, token=_token(reader), **headers) as stream:
            assert (await stream.next())["type"] == "StreamHead"
            opened = [await stream.next() for _ in range(2)]
        assert [item["seq"] for item in opened] == game.sheets
        assert [item["data"]["salt"] for item in opened] == game.salts
        assert all(item["command"] == submit(SECRET) and "payload" not in item for item in opened)


async def test_a_stream_over_the_end_of_a_round_is_one_chain(sealed: tuple[str, SealedGame]) -> None:
    """Sheets stay sealed after it, their results are open, and each item is hashed over the one before it."""
    server, game = sealed
    items: list[Json] = []
    async with StreamClient.open(server, f"{game.address}/events", NDJSON, token=game.table.guests[1].token) as stream:
        head = await stream.next()
        while len(items) < head["seq"]:
            items.append(await stream.next())
        await game.referee()
        last = await game.seq()
        while len(items) < last:
            items.append(await stream.next())
    sheets = [item["seq"] for item in items if item["type"] == "OrdersSubmitted" and item["actor"] != 1]
    assert [item["seq"] for item in items if "payload" in item] == sheets
    assert sheets[:3] == [*game.sheets, game.sheets[1] + 2]
    assert len(sheets) == 4
    assert any(item["type"] == "RoundClosed" for item in items)
    events = [recorded(UUID(game.game), msgspec.convert(item, EventItem)) for item in map(_raw, items)]
    assert broken_link(events) is None


def _raw(item: Json) -> Json:
    """The item with data and command as the raw bytes, which JSON decoding keeps in order."""
    return item | {name: msgspec.Raw(msgspec.json.encode(item[name])) for name in ("data", "command") if name in item}


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_the_stream_of_a_player_tells_no_sheets(sealed: tuple[str, SealedGame], accept: str) -> None:
    """Dan is notified that it is his turn, and nothing else."""
    server, game = sealed
    told = b""
    async with StreamClient.open(server, "/v1/stream", accept, token=game.table.guests[3].token) as stream:
        chunks = stream.chunks()
        while b"YourTurn" not in told:
            told += await asyncio.wait_for(anext(chunks), 60)
        await game.table.guests[0].send(game.game, submit(SECRET))
        await game.table.guests[3].send(game.game, {"type": "HoldRound", "round": 1, "hold": True})
        await game.referee()
        await game.table.guests[3].send(game.game, {"type": "HoldRound", "round": 1, "hold": False})
        while told.count(b"YourTurn") < 3:
            told += await asyncio.wait_for(anext(chunks), 60)
    assert not game.tells(told)


async def test_a_log_from_a_server_is_sealed_and_follows_on_itself(sealed: tuple[str, SealedGame]) -> None:
    """By its address, page by page, and as a game file: the sources of `mcmulti` commands."""
    server, game = sealed
    events, called = await log_of_game(f"{server}/v1/games/{game.game}")
    record = await record_in(f"{server}/v1/games/{game.game}")
    assert record.events == events
    assert record.file.names == called
    assert [event.seq for event in events if event.payload][:2] == game.sheets
    assert broken_link(events) is None
