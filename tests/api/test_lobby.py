"""The stream of the lobby: tables as they are opened, change, and disappear."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

import pytest

from mcmulti.api.service import Service
from mcmulti.api.streams import items as stream
from mcmulti.api.streams import lobby
from mcmulti.client.client import Client
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import ALL_GAMES, Game
from mcmulti.referee.feed import POLL
from tests.api.guests import Table
from tests.api.stream_client import NDJSON, SSE, Json, StreamClient
from tests.api.stream_server import served

LOBBY = "/v1/games/stream"
Server = tuple[str, Table]


@pytest.fixture
async def server(database: str) -> AsyncIterator[Server]:
    """A server's address, and a table there."""
    async with served(database) as found:
        yield found


async def _until(reader: StreamClient, wanted: Callable[[Json], Any]) -> Json:
    """The first item for which this is true."""
    while not wanted(item := await reader.next()):
        pass
    return item


def _of(game: str, type_: str = "TableListed") -> Callable[[Json], bool]:
    return lambda item: item["type"] == type_ and (item.get("game") or item["table"]["game"]) == game


async def _table(table: Table, game: str) -> Json:
    return dict((await table.client.get(f"/v1/games/{game}")).json()["table"])


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_it_begins_with_the_tables_that_fit_and_tells_what_comes_changes_and_goes(
    server: Server, accept: str
) -> None:
    """A table is free until the second of two sits down."""
    address, table = server
    ada, ben = await table.guest("Ada"), await table.guest("Ben")

    async def opened() -> str:
        body = {"ruleset": "mcmulti", "setup": {"seats": 2}}
        return str((await ada.post("/v1/games", json=body)).json()["game"])

    first = await opened()
    async with StreamClient.open(address, f"{LOBBY}?free=true", accept) as reader:
        assert await reader.next() == {"type": "LobbyHead", "rows": 1}
        assert await reader.next() == {"type": "TableListed", "table": await _table(table, first), "ratings": []}
        second = await opened()
        assert await reader.next() == {"type": "TableListed", "table": await _table(table, second), "ratings": []}
        await ada.post(f"/v1/games/{second}/seats", json={})
        assert (await reader.next())["table"]["seats"][0]["name"] == "Ada"
        await ben.post(f"/v1/games/{second}/seats", json={})
        assert await reader.next() == {"type": "TableGone", "game": second}


async def test_what_another_server_appends_is_told(database: str) -> None:
    async with (
        served(database) as (_, here),
        served(database) as (there, _),
        StreamClient.open(there, f"{LOBBY}?status=running") as reader,
    ):
        assert await reader.next() == {"type": "LobbyHead", "rows": 0}
        game = await here.start()
        assert (await reader.next())["table"]["to_move"] == [0]
        await here.guests[0].send(game, {"type": "EndPurchases"})
        assert (await _until(reader, _of(game)))["table"]["to_move"] == [1]


async def test_a_table_that_is_not_listed_is_told_to_whom_it_concerns_alone(server: Server) -> None:
    """To the opener and to invited players, as long as they are invited."""
    address, table = server
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    async with (
        StreamClient.open(address, LOBBY) as anybody,
        StreamClient.open(address, LOBBY, token=ada.token) as to_ada,
        StreamClient.open(address, LOBBY, token=ben.token) as to_ben,
    ):
        readers = (anybody, to_ada, to_ben)
        assert {(await reader.next())["rows"] for reader in readers} == {0}
        body: Json = {"ruleset": "mcmulti", "setup": {"seats": 2}}
        hidden = str((await ada.post("/v1/games", json={**body, "listed": False, "invited": []})).json()["game"])
        assert _of(hidden)(await to_ada.next())
        token = {"Authorization": f"Bearer {ada.token}"}
        invited = await table.client.patch(f"/v1/games/{hidden}/invitations", json={"invite": ["Ben"]}, headers=token)
        assert invited.status_code < 300, invited.text
        assert _of(hidden)(await to_ben.next())
        no_longer = await table.client.patch(
            f"/v1/games/{hidden}/invitations", json={"uninvite": ["Ben"]}, headers=token
        )
        assert no_longer.status_code < 300, no_longer.text
        assert await to_ben.next() == {"type": "TableGone", "game": hidden}
        shown = str((await ada.post("/v1/games", json=body)).json()["game"])
        for reader in (anybody, to_ben):
            assert _of(shown)(await reader.next())


async def test_names_are_told_anew(server: Server) -> None:
    address, table = server
    game = await table.open(2)
    token = {"Authorization": f"Bearer {table.guests[0].token}"}
    async with StreamClient.open(address, LOBBY) as reader:
        assert (await reader.next())["rows"] == 1
        assert (await reader.next())["table"]["seats"][0]["name"] == "Ada"
        await table.client.patch("/v1/players/me", json={"name": "Countess"}, headers=token)
        told = await _until(reader, lambda item: item["table"]["seats"][0]["name"] != "Ada")
        assert told == {"type": "TableListed", "table": await _table(table, game), "ratings": []}


async def test_it_ends_after_so_many_tables_and_asks_for_a_token_where_it_takes_one(server: Server) -> None:
    address, table = server
    for _ in range(3):
        await table.open(2)
    async with StreamClient.open(address, f"{LOBBY}?limit=2", NDJSON) as reader:
        assert [item["type"] async for item in reader.items()] == ["LobbyHead", "TableListed", "TableListed"]
    for query, token, accept, status, code in (
        ("?mine=true", None, SSE, 401, "unauthenticated"),
        ("?my_turn=true", None, SSE, 401, "unauthenticated"),
        ("?invited=true", None, SSE, 401, "unauthenticated"),
        ("", "mcm_stale", SSE, 401, "unauthenticated"),
        ("", None, "application/json", 406, "not_acceptable"),
        ("?order=moved", None, SSE, 400, "invalid_query"),
        ("?limit=0", None, SSE, 400, "invalid_query"),
    ):
        async with StreamClient.open(address, f"{LOBBY}{query}", accept, token) as reader:
            assert (reader.status, await reader.problem()) == (status, code)


async def test_it_ends_when_its_token_is_revoked(server: Server) -> None:
    address, table = server
    ada = await table.guest("Ada")
    made = await ada.post("/v1/players/me/tokens", json={"name": "screen", "scopes": ["read"]})
    assert made.status_code == 201, made.text
    async with StreamClient.open(address, LOBBY, token=made.json()["token"]) as reader:
        await reader.next()
        token = {"Authorization": f"Bearer {ada.token}"}
        await table.client.delete(f"/v1/players/me/tokens/{made.json()['about']['id']}", headers=token)
        async with asyncio.timeout(60):
            assert [item async for item in reader.items()] == []


async def test_it_shows_that_it_is_alive_and_outlives_an_outage(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT", 0.05)
    address, table = server
    game = await table.open(2)
    games, away = table.log.games, [True]

    async def failing(*args: Any, **more: Any) -> Any:
        if away:
            raise LogUnavailable("away")
        return await games(*args, **more)

    monkeypatch.setattr(table.log, "games", failing)
    async with StreamClient.open(address, LOBBY, NDJSON) as reader:
        messages = reader.messages()
        assert (await asyncio.wait_for(anext(messages), 60)).data == {"type": "Heartbeat"}
        away.clear()
        while (told := (await asyncio.wait_for(anext(messages), 60)).data) == {"type": "Heartbeat"}:
            pass
        assert told == {"type": "LobbyHead", "rows": 1}
        listed = (await asyncio.wait_for(anext(messages), 60)).data
        assert listed is not None
        assert _of(game)(listed)
        assert (await asyncio.wait_for(anext(messages), 60)).data == {"type": "Heartbeat"}


async def test_who_reads_slowly_is_told_the_latest_and_no_more_rows_than_there_may_be(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two rows at most: the third pushes out the one that moved longest ago."""
    monkeypatch.setattr(lobby, "ROWS", 2)
    address, table = server
    games = [await table.open(2) for _ in range(3)]
    async with StreamClient.open(address, LOBBY) as reader:
        assert [(await reader.next())["rows"]] == [2]
        assert [(await reader.next())["table"]["game"] for _ in range(2)] == games[1:]
        await table.guests[0].send(games[0], {"type": "StartGame"})
        told = [await reader.next() for _ in range(2)]
        assert told[0] == {"type": "TableGone", "game": games[1]}
        assert told[1]["table"] == await _table(table, games[0])


async def test_games_that_are_looked_at_anew_push_out_none_that_moved_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server occasionally checks all games that moved recently, whoever moved in them."""
    monkeypatch.setattr(lobby, "ROWS", 2)
    service = Service(MemoryLog())
    for _ in range(4):
        await service.referee.open(CURRENT["mcmulti"], CURRENT["mcmulti"].setup())
    fourth, third, *_ = [game.game_id for game in await service.log.games(4, order="moved", away=set())]
    async with service.lobby.feed(ALL_GAMES) as feed:
        assert [*feed.rows] == [third, fourth]
        async with asyncio.timeout(60):
            while len(service.lobby._seen) < 4:
                await feed.rung(0.1)
        async with service.lobby._turn:
            assert [*feed.rows] == [third, fourth]


async def test_while_nobody_follows_nothing_is_kept() -> None:
    service = Service(MemoryLog())
    ruleset = CURRENT["mcmulti"]
    asked = 0

    async def games(*args: Any, **more: Any) -> list[Game]:
        nonlocal asked
        asked += 1
        return await MemoryLog.games(service.log, *args, **more)  # type: ignore[arg-type]

    service.log.games = games  # type: ignore[method-assign]
    async with service.lobby.feed(ALL_GAMES) as feed:
        await service.referee.open(ruleset, ruleset.setup())
        assert await feed.rung(5)
        assert len(feed.rows) == 1
    await asyncio.sleep(POLL + 0.5)
    before = asked
    await service.referee.open(ruleset, ruleset.setup())
    await asyncio.sleep(POLL + 0.5)
    assert asked == before
    assert not service.lobby._touched
    async with service.lobby.feed(ALL_GAMES) as feed:
        assert len(feed.rows) == 2


async def test_the_client_follows_the_lobby(server: Server) -> None:
    address, table = server
    game = await table.open(2)
    async with Client(address) as client:
        items = client.lobby(status="open")
        assert await anext(items) == {"type": "LobbyHead", "rows": 1}
        assert (await anext(items))["table"]["game"] == game
        await table.guests[0].send(game, {"type": "StartGame"})
        assert await asyncio.wait_for(anext(items), 60) == {"type": "TableGone", "game": game}
        await items.aclose()
    assert UUID(game)
