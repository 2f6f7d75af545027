"""HEAD wherever there is GET: the same headers, and no body."""

import re
from collections.abc import AsyncIterator

import pytest
from httpx import AsyncClient

from mcmulti.api.app import ROUTES
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.connection import answers, said
from tests.api.guests import Table

PATHS = sorted({path for handler in ROUTES if "GET" in handler.http_methods for path in handler.paths})
for _endless in ("/v1/stream", "/v1/games/stream"):
    PATHS.remove(_endless)
OF_THE_MOMENT = ("date", "x-request-id", "transfer-encoding")


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[tuple[str, Table, dict[str, str]]]:
    """A server, its guests, and a game of each rule set."""
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(MemoryLog(), listener) as address,
            AsyncClient(base_url=address, timeout=30, trust_env=False) as client,
        ):
            table = Table(client, None)  # type: ignore[arg-type]
            yield address, table, {ruleset: await table.start(4, ruleset) for ruleset in CURRENT}


def _filled(path: str, game: str, ruleset: str) -> str:
    """The path with a game of this rule set in it, and a chart of money."""
    for part, value in (("game", game), ("ruleset", ruleset), ("chart", "cash"), ("round", "1")):
        path = re.sub(rf"{{{part}(:str)?}}", value, path)
    return path


@pytest.mark.parametrize(
    ("path", "ruleset"),
    [
        (path, ruleset)
        for path in (*PATHS, "/openapi.json")
        for ruleset in (CURRENT if "{game" in path or "{ruleset" in path else ("mcmulti",))
    ],
)
async def test_head_tells_what_get_would(server: tuple[str, Table, dict[str, str]], path: str, ruleset: str) -> None:
    _, table, games = server
    filled = _filled(path, games[ruleset], ruleset)
    got = await table.guests[0].get(filled)
    assert got.status_code in {200, 404, 409}, (filled, got.text)
    headers = {"Authorization": f"Bearer {table.guests[0].token}"}
    told = await table.client.head(filled, headers=headers)
    assert (told.status_code, told.content) == (got.status_code, b"")
    for found in (told, got):
        for name in OF_THE_MOMENT:
            found.headers.pop(name, None)
    assert told.headers == got.headers


@pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
async def test_the_head_of_a_stream_ends(server: tuple[str, Table, dict[str, str]], accept: str) -> None:
    """On one connection, which goes on with the next request: there was no body after the head."""
    address, table, games = server
    asked = "".join(
        f"HEAD {path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\nAuthorization: Bearer {table.guests[0].token}\r\n\r\n"
        for path in (f"/v1/games/{games['mcmulti']}/events", "/v1/stream", "/v1/games/stream")
    )
    last = "HEAD /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    found = (await said(address, (asked + last).encode())).decode()
    assert found.count("HTTP/1.1 200 OK") == 3
    assert found.count(f"content-type: {accept}") == 3
    assert found.count("HTTP/1.1 404") == 1
    assert "StreamHead" not in found


async def test_an_unknown_address_has_a_head_too(server: tuple[str, Table, dict[str, str]]) -> None:
    sent = b"HEAD /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    top, _, rest = (await said(server[0], sent)).partition(b"\r\n\r\n")
    assert top.startswith(b"HTTP/1.1 404")
    assert rest == b""
    assert answers(await said(server[0], sent.replace(b"HEAD", b"GET")))[0].json()["code"] == "not_found"
