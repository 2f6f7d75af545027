"""Requests for streams: what is refused, and what Accept chooses."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.api.guests import Table
from tests.api.stream_client import NDJSON, SSE, StreamClient
from tests.api.stream_server import served

RIG = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
Server = tuple[str, Table]


@pytest.fixture
async def server(database: str) -> AsyncIterator[Server]:
    """A server's address, and a table there."""
    async with served(database) as found:
        yield found


@pytest.mark.parametrize(
    ("query", "headers", "status", "code"),
    [
        ("?after=100000", {}, 404, "unknown_moment"),
        ("", {"Last_Event_ID": "100000"}, 404, "unknown_moment"),
        ("", {"Last_Event_ID": "-1"}, 400, "invalid_header"),
        ("", {"Last_Event_ID": "x"}, 400, "invalid_header"),
        ("", {"Last_Event_ID": "9999999999"}, 404, "unknown_moment"),
        ("?limit=0", {}, 400, "invalid_query"),
        ("?after=-1", {}, 400, "invalid_query"),
        ("?follow=1", {}, 400, "invalid_query"),
        ("", {"token": "mcm_stale"}, 401, "unauthenticated"),
        ("", {"accept": "application/xml"}, 406, "not_acceptable"),
        ("", {"accept": "text/event-stream;q=0"}, 406, "not_acceptable"),
        ("", {"accept": "text/event-stream;q=1e999"}, 400, "invalid_header"),
        ("?after=100000", {"accept": "application/json"}, 404, "unknown_moment"),
    ],
)
async def test_bad_input_around_streams(
    server: Server, query: str, headers: dict[str, Any], status: int, code: str
) -> None:
    address, table = server
    game = await table.start()
    async with StreamClient.open(address, f"/v1/games/{game}/events{query}", **headers) as reader:
        assert (reader.status, await reader.problem()) == (status, code)


async def test_there_is_no_stream_of_a_game_that_is_not_there(server: Server) -> None:
    address, _ = server
    for game in ("00000000-0000-4000-8000-000000000000", "nothing"):
        async with StreamClient.open(address, f"/v1/games/{game}/events") as reader:
            assert (reader.status, await reader.problem()) == (404, "unknown_game")


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("", "application/json"),
        ("application/*", "application/json"),
        ("text/*", SSE),
        (NDJSON, NDJSON),
        ("application/json;q=0.5, application/x-ndjson", NDJSON),
        ("text/html, */*;q=0.1", "application/json"),
        ("*/*, application/json;q=0", NDJSON),
        ("application/json;q=0, application/*;q=0.1, text/event-stream;q=0.2", SSE),
    ],
)
async def test_accept_chooses_by_quality_and_then_by_the_servers_order(
    server: Server, accept: str, media_type: str
) -> None:
    address, table = server
    game = await table.start()
    async with StreamClient.open(address, f"/v1/games/{game}/events", accept) as reader:
        assert reader.headers["content-type"].partition(";")[0] == media_type


async def test_an_address_that_has_one_answer_gives_it_to_all(server: Server) -> None:
    """Generated clients may list only the media type of problems, or one that does not exist."""
    _, table = server
    game = await table.start()
    for path in ("/healthz", "/v1/rulesets", "/v1/games", f"/v1/games/{game}"):
        for accept in ("application/problem+json", "application/xml, text/html", "application/json;q=0", "nonsense"):
            answered = await table.client.get(path, headers={"Accept": accept})
            assert (answered.status_code, answered.headers["content-type"]) == (200, "application/json")
    assert (await table.guests[0].send(game, RIG, Accept="text/html")).status_code == 200
    for path in ("events", "ledger"):
        refused = await table.client.get(f"/v1/games/{game}/{path}", headers={"Accept": "text/html"})
        assert (refused.status_code, refused.json()["code"]) == (406, "not_acceptable")
