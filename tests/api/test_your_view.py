"""The reader's view and offers in the stream of a game: always what the server shows to whoever asks."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from jsonpatch import apply_patch

from tests.api.guests import Guest, Json, Table
from tests.api.sealed_game import SECRET, submit
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import served

Server = tuple[str, Table]


@pytest.fixture
async def server(database: str) -> AsyncIterator[Server]:
    """A server's address, and a table there."""
    async with served(database) as found:
        yield found


async def seen(stream: StreamClient, after: int = 0) -> Json:
    """The next view, about a later event."""
    while (item := await stream.next())["type"] != "YourView" or item["seq"] <= after:
        pass
    return item


async def shown(table: Table, game: str, guest: Guest | None = None) -> Any:
    """The view as it is when it is asked for."""
    reader = guest or table.client
    return (await reader.get(f"/v1/games/{game}")).json()["view"]


@pytest.mark.parametrize("accept", [SSE, NDJSON])
async def test_the_view_comes_complete_or_as_changes_with_the_offers(server: Server, accept: str) -> None:
    address, table = server
    game = await table.start(2)
    ada = table.guests[0]
    path = f"/v1/games/{game}/events"
    async with (
        StreamClient.open(address, f"{path}?view=patch&offers=true&language=de", accept, ada.token) as to_ada,
        StreamClient.open(address, f"{path}?view=whole", accept) as to_all,
        StreamClient.open(address, f"{path}?offers=true", accept, ada.token) as offers_only,
    ):
        mine: Any = None
        last = 0
        for go in range(4):
            item, other, third = await seen(to_ada, last), await seen(to_all, last), await seen(offers_only, last)
            assert ("view" in item, "changes" in item) == (go == 0, go > 0)
            mine = item["view"] if go == 0 else apply_patch(mine, item["changes"])
            assert mine == await shown(table, game, ada)
            asked = await ada.get(f"/v1/games/{game}/offers?language=de")
            assert item["offers"] == asked.json()
            assert asked.headers["ETag"].startswith(item["etag"][:-1])  # which goes on with language, seat, and coding
            assert other["view"] == await shown(table, game)
            assert other.keys() == {"type", "seq", "etag", "view"}
            assert third.keys() == {"type", "seq", "etag", "offers"}
            last = item["seq"]
            ended = await table.guests[go % 2].send(game, {"type": "EndPurchases"}, If_Match=item["etag"])
            assert ended.status_code == 200, ended.text


async def test_a_stream_that_is_resumed_begins_with_a_complete_view(server: Server) -> None:
    """Also where nothing has happened since."""
    address, table = server
    game = await table.start(2)
    seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
    for after in (seq, seq - 1):
        async with StreamClient.open(address, f"/v1/games/{game}/events?after={after}&view=patch", NDJSON) as stream:
            item = await seen(stream)
            assert (item["seq"], item["view"]) == (seq, await shown(table, game))
    async with StreamClient.open(address, f"/v1/games/{game}/events?view=patch", SSE, Last_Event_ID=str(seq)) as stream:
        assert (await seen(stream))["view"] == await shown(table, game)


async def test_it_says_nothing_to_others_of_a_sealed_sheet(server: Server) -> None:
    address, table = server
    game = await table.start(4, ruleset="postal")
    ada, ben = table.guests[:2]
    path = f"/v1/games/{game}/events?view=patch&offers=true"
    async with (
        StreamClient.open(address, path, NDJSON, ada.token) as to_ada,
        StreamClient.open(address, path, NDJSON, ben.token) as to_ben,
    ):
        firsts = [await seen(to_ada), await seen(to_ben)]
        assert (await ada.send(game, submit(SECRET))).status_code == 200
        for guest, stream, first in zip((ada, ben), (to_ada, to_ben), firsts, strict=True):
            item = await seen(stream, first["seq"])
            assert apply_patch(first["view"], item["changes"]) == await shown(table, game, guest)
            assert item["offers"] == (await guest.get(f"/v1/games/{game}/offers")).json()
    assert await shown(table, game, ada) != await shown(table, game, ben)


async def test_it_ends_with_the_game_and_a_page_has_none(server: Server) -> None:
    address, table = server
    game = await table.start(2)
    async with StreamClient.open(address, f"/v1/games/{game}/events?view=whole", NDJSON) as stream:
        first = await seen(stream)
        await table.guests[0].send(game, {"type": "Resign"})
        last = await seen(stream, first["seq"])
        assert last["view"]["status"] == "finished"
        assert last["view"] == await shown(table, game)
        assert [item async for item in stream.items()] == []
    page = await table.client.get(f"/v1/games/{game}/events?view=whole&offers=true")
    assert page.json().keys() == {"game", "seq", "hash", "events", "next"}


async def test_other_forms_are_refused(server: Server) -> None:
    address, table = server
    game = await table.start(2)
    async with StreamClient.open(address, f"/v1/games/{game}/events?view=most", NDJSON) as stream:
        assert (stream.status, await stream.problem()) == (400, "invalid_query")
