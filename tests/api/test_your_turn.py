"""The stream of all games of a player."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from mcmulti.api.service import Service
from mcmulti.api.streams import items as stream
from mcmulti.api.streams import player as stream_player
from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client
from mcmulti.events.log.envelope import Head
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import Game, TableRow
from tests.api.guests import Table
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import served
from tests.games import random_game

RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
END = {"type": "EndPurchases"}
Server = tuple[str, Table]


@pytest.fixture
async def server(database: str) -> AsyncIterator[Server]:
    """A server's address, and a table there."""
    async with served(database) as found:
        yield found


def _said(item: dict[str, Any]) -> dict[str, Any]:
    """An item without its id, and without its table."""
    return {name: value for name, value in item.items() if name not in ("id", "table")}


async def _seq(table: Table, game: str) -> int:
    return int((await table.client.get(f"/v1/games/{game}")).json()["seq"])


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_it_tells_each_player_when_it_is_their_turn(server: Server, accept: str) -> None:
    address, table = server
    game = await table.start()
    ada, ben = table.guests
    async with (
        StreamClient.open(address, "/v1/stream", accept, ada.token) as to_ada,
        StreamClient.open(address, "/v1/stream", accept, ben.token) as to_ben,
    ):
        assert to_ada.status == 200
        seq = await _seq(table, game)
        assert _said(await to_ada.next()) == {"type": "YourTurn", "game": game, "seq": seq, "seat": 0}
        await ada.send(game, RIG)
        await ada.send(game, END)
        seq = await _seq(table, game)
        assert _said(await to_ben.next()) == {"type": "YourTurn", "game": game, "seq": seq, "seat": 1}
        await ben.send(game, END)
        seq = await _seq(table, game)
        turn = {"type": "YourTurn", "game": game, "seq": seq, "seat": 0}
        assert _said(await to_ada.next()) == turn, "once a turn, however many commands it has"
        async with StreamClient.open(address, "/v1/stream", accept, ada.token) as again:
            assert _said(await again.next()) == turn, "who comes back is told what waits"


async def test_a_turn_comes_with_its_table(server: Server) -> None:
    address, table = server
    game = await table.start(clock={"move_seconds": 60, "bank_seconds": 600})
    ada, ben = table.guests
    async with StreamClient.open(address, "/v1/stream", token=ben.token) as to_ben:
        await ada.send(game, END)
        told = (await to_ben.next())["table"]
    assert told == (await table.client.get(f"/v1/games/{game}")).json()["table"]
    assert told["to_move"] == [1]
    assert told["deadline"] is not None
    assert [(seat["name"], seat["bank"]) for seat in told["seats"]] == [("Ada", 600), ("Ben", 600)]


async def test_a_turn_is_told_after_a_turn_that_nobody_saw_the_end_of(database: str) -> None:
    async with served(database) as (_, here), served(database) as (there, _):
        game = await here.start()
        ada, ben = here.guests
        async with StreamClient.open(there, "/v1/stream", token=ada.token) as reader:
            assert (await reader.next())["seq"] == await _seq(here, game)
            for guest in (ada, ben):
                assert (await guest.send(game, END)).status_code == 200
            assert (await reader.next())["seq"] == await _seq(here, game)


async def test_it_covers_all_games_and_games_begun_meanwhile(database: str) -> None:
    async with served(database) as (_, here), served(database) as (there, _):
        first = await here.start()
        ada = here.guests[0]
        async with StreamClient.open(there, "/v1/stream", token=ada.token) as reader:
            assert (await reader.next())["game"] == first
            second = await here.start()
            assert (await reader.next())["game"] == second
        async with StreamClient.open(there, "/v1/stream", token=ada.token) as reader:
            assert {(await reader.next())["game"], (await reader.next())["game"]} == {first, second}


async def test_it_tells_the_end_of_a_game(database: str) -> None:
    async with (
        served(database) as (here, table),
        served(database) as (there, _),
        Client(here) as one,
        Client(here) as two,
    ):
        await one.register("One")
        await two.register("Two")
        game = str((await one.open_game("mcmulti", seats=2))["game"])
        for client in (one, two):
            await client.take_seat(game)
        async with (
            StreamClient.open(here, "/v1/stream", token=one.token) as near,
            StreamClient.open(there, "/v1/stream", NDJSON, two.token) as far,
        ):
            view, _ = await asyncio.gather(play(one, game, tycoon), play(two, game, tycoon))
            told = []
            for reader in (near, far):
                while (item := await reader.next())["type"] == "YourTurn":
                    told.append(item["game"])
                assert _said(item) == {
                    "type": "GameOver",
                    "game": game,
                    "seq": await _seq(table, game),
                    "winners": view["winners"],
                }
        assert set(told) == {game}


async def test_it_tells_the_end_of_a_game_that_was_never_seen_to_run() -> None:
    """Bots on another server play it from start to end between two polls."""
    events = random_game(2, 5)
    game, player = events[0].game_id, UUID("00000000-0000-4000-9000-000000000001")
    log = MemoryLog()
    await log.create(game, "mcmulti", 1, TableRow("open", (player,)), bytes(32), events[:3])
    turns = Service(log).turns
    async with turns.feed(player) as feed:
        await log.append(game, Head(3, events[2].hash), events[3:], TableRow("finished"))
        assert await feed.rung(5)
        assert list(feed.ends) == [game]


async def test_it_shows_that_it_is_alive(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    address, table = server
    guest = await table.guest("Idle")
    for accept, beat in ((SSE, b": heartbeat\nid: "), (NDJSON, b'{"type":"Heartbeat","id":"')):
        async with StreamClient.open(address, "/v1/stream", accept, guest.token) as reader:
            messages = reader.messages()
            seen = [(await asyncio.wait_for(anext(messages), 60)).text for _ in range(4)]
        assert sum(text.startswith(beat) for text in seen) >= 3


async def test_it_is_only_for_players_and_only_a_stream(server: Server) -> None:
    address, table = server
    guest = await table.guest("Ada")
    for token, accept, query, status, code in (
        (None, SSE, "", 401, "unauthenticated"),
        ("mcm_stale", SSE, "", 401, "unauthenticated"),
        (guest.token, "application/json", "", 406, "not_acceptable"),
        (guest.token, SSE, "?until=1", 400, "invalid_query"),
    ):
        async with StreamClient.open(address, f"/v1/stream{query}", accept, token) as reader:
            assert (reader.status, await reader.problem()) == (status, code)
    async with StreamClient.open(address, "/v1/stream", "*/*", guest.token) as reader:
        assert reader.headers["content-type"].startswith(SSE)


async def test_it_outlives_an_outage_of_the_database(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    address, table = server
    game = await table.start()
    games = table.log.games
    outages = [LogUnavailable("away")] * 2

    async def flaky(*args: Any, **more: Any) -> list[Game]:
        if outages:
            raise outages.pop()
        return await games(*args, **more)

    monkeypatch.setattr(stream_player, "POLL", 0.05)
    monkeypatch.setattr(table.log, "games", flaky)
    async with StreamClient.open(address, "/v1/stream", NDJSON, table.guests[0].token) as reader:
        assert (await reader.next())["game"] == game
    assert not outages
