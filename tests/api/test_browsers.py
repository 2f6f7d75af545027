"""Headers for browsers in every response: of each operation, in each way that a response can be made."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from httpx import ASGITransport, AsyncClient, Response
from litestar.types import Message, Receive, Scope, Send

from mcmulti.api.admission.gate import Admission
from mcmulti.api.app import application
from mcmulti.api.http.browsers import for_browsers
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.connection import answers, said
from tests.api.guests import Guest, Json, Table, problem
from tests.api.published import OPERATIONS, documented, told
from tests.api.readings import PATHS
from tests.api.sealed_game import OTHER, submit
from tests.server.readings import somebody_polls

SAID = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "cross-origin",
}
PAGE = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may load and run: nothing inline, and nothing from elsewhere."""
NO_GAME = "00000000-0000-4000-8000-000000000000"
BODIES: dict[str, Json] = {
    "registerPlayer": {"name": "Nova"},
    "openGame": {"ruleset": "postal", "setup": {}},
    "makeToken": {"name": "bot", "scopes": ["play"]},
    "addWebhook": {"url": "https://example.org/hook"},
    "announceAction": {"action": "erase"},
    "setNotifications": {"topics": ["game.turn"]},
    "setGameNotifications": {"topics": []},
    "renameMe": {"name": "Ada"},
    "changeInvitations": {"invite": ["Nova"]},
    "openBranch": {"at": 7},
    "openSeries": {"ruleset": "postal", "tables": 2},
    "askForReview": {"seconds": 60},
    "askForHint": {"seconds": 3},
    "say": {"room": "players", "text": "Hello"},
    "flagMessage": {},
    "confirmEmail": {"token": "A" * 64},
    "takeSeat": {},
    "sendCommands": {"commands": [submit(OTHER, 2)]},
    "forecastOrders": OTHER,
    "forecastText": {"text": "pumps: hold"},
}

REFUSED = (
    "addWebhook",
    "askForHint",
    "askForReview",
    "confirmEmail",
    "drawPuzzle",
    "flagMessage",
    "getReview",
    "getSeries",
    "openRematch",
    "removeMessage",
    "removeWebhook",
    "revokeToken",
    "rotateWebhookSecret",
    "say",
    "takeSeat",
    "testWebhook",
    "unsubscribeEmail",
)
"""What is refused here: there is no such token, webhook, message, puzzle, series, or link in an email, the table has no
chat, the game is not over, and the server sends no messages.
"""
LAST = {"announceAction": 1, "eraseMe": 2}
"""Operations that come after all others, in this order."""


def guarded(answered: Response, *statuses: int) -> Response:
    """The response, which must have each of these headers once."""
    assert not statuses or answered.status_code in statuses, answered.text
    is_page = answered.headers.get("content-type", "").startswith("text/html")
    for name, value in (SAID | ({"content-security-policy": PAGE} if is_page else {})).items():
        assert answered.headers.get_list(name) == [value], (name, answered.request.url, answered.headers)
    assert "set-cookie" not in answered.headers
    return answered


def requests(game: str, player: str = NO_GAME) -> Iterator[tuple[str, str, str, list[str]]]:
    """Every operation of the contract: its id, method, address in this game, and possible responses."""
    for path, methods in PATHS.items():
        for method, declared in methods.items():
            address = path.replace("{game}", game).replace("{player}", player)
            address = address.replace("{ruleset}", "postal").replace("{chart}", "cash").replace("{series}", NO_GAME)
            success = next(answer for status, answer in declared["responses"].items() if status.startswith("2"))
            yield (
                declared["operationId"],
                method.upper(),
                address.replace("{round}", "1"),
                [*success.get("content", {"application/json": None})],
            )


@pytest.fixture
async def game(table: Table) -> str:
    """A game by post in its second round, of four guests."""
    begun = await table.start(4, ruleset="postal")
    for guest in table.guests:
        assert (await guest.send(begun, submit(OTHER))).status_code == 200
    return begun


async def test_every_operation_in_every_media_type_with_and_without_a_body(table: Table, game: str) -> None:
    """`HEAD` where `GET` is; 304 where there is a tag; `OPTIONS` everywhere, including preflight requests."""
    ada, seen = table.guests[0], set()
    table.client.headers["Authorization"] = f"Bearer {ada.token}"
    player = (await table.client.post("/v1/players", json={"name": "Finn"})).json()["player"]
    for operation, method, address, media_types in sorted(
        requests(game, player), key=lambda each: LAST.get(each[0], 0)
    ):
        seen.add(operation)
        for media_type in media_types:
            accept = {"Accept": media_type}
            endless = operation in ("followGames", "followLobby") or (
                operation == "listEvents" and media_type != "application/json"
            )
            if not endless:
                answered = guarded(
                    await table.client.request(method, address, headers=accept, json=BODIES.get(operation))
                )
                assert answered.status_code < 300 or operation in REFUSED, (operation, answered.text)
                documented(operation, answered)
                if "etag" in answered.headers and method == "GET":
                    known = {**accept, "If-None-Match": answered.headers["etag"]}
                    again = await table.client.get(address, headers=known)
                    documented(operation, guarded(again, 304 if "304" in OPERATIONS[operation]["responses"] else 200))
            if method == "GET":
                expected = {"getReview": 409, "drawPuzzle": 404, "getSeries": 404}.get(operation, 200)
                documented(operation, guarded(await table.client.head(address, headers=accept), expected))
        guarded(await table.client.options(address), 204)
        asking = {"Origin": "https://page.example", "Access-Control-Request-Method": method}
        guarded(await table.client.options(address, headers=asking), 204)
    assert seen == {*OPERATIONS}


async def test_every_operation_that_refuses(table: Table) -> None:
    """An unknown parameter, everywhere; and an unknown game, where there is a game in the path."""
    for operation, method, address, _ in requests(NO_GAME):
        refused = await table.client.request(method, f"{address}?cheat=1", json=BODIES.get(operation))
        guarded(refused, 400, 401)
        told(operation, refused)
        if NO_GAME in address:
            guarded(await table.client.request(method, address, json=BODIES.get(operation)), 404, 401)
    for method, address in (("GET", "/nowhere"), ("DELETE", "/v1/games"), ("PATCH", "/")):
        guarded(await table.client.request(method, address), 404, 405)


async def test_streams_and_what_is_compressed(table: Table, game: str) -> None:
    """A stream goes on until the test leaves it, so it is read over the application itself."""
    for media_type in ("application/x-ndjson", "text/event-stream"):
        async with table.client.stream(
            "GET", f"/v1/games/{game}/events?until=3", headers={"Accept": media_type}
        ) as answered:
            assert documented("listEvents", guarded(answered, 200)).headers["x-accel-buffering"] == "no"
    packed = guarded(await table.client.get("/openapi.json", headers={"Accept-Encoding": "gzip"}), 200)
    assert packed.headers["content-encoding"] == "gzip"
    replay = await table.client.get(f"/v1/games/{game}/replay", headers={"Accept": "application/x-ndjson"})
    guarded(replay, 200)


async def test_limits_and_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many requests, and an unexpected exception, in an operation and in the layers before it."""
    app = application(MemoryLog(), Admission("2/day"))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
        documented("listRulesets", guarded(await client.get("/v1/rulesets"), 200))
        monkeypatch.setattr(MemoryLog, "games", None)
        problem(documented("listGames", guarded(await client.get("/v1/games"))), 500, "internal")
        problem(documented("listRulesets", guarded(await client.get("/v1/rulesets"))), 429, "too_many_requests")


async def test_what_fails_before_it_has_an_answer_is_answered_with_a_problem() -> None:
    """Not by the server underneath, whose response is plain text without headers for browsers."""

    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("a layer is broken")

    transport = ASGITransport(for_browsers(broken, None))  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        answered = guarded(await client.get("/"))
    problem(answered, 500, "internal")
    assert "layer" not in answered.text


async def test_what_fails_in_the_middle_of_an_answer_is_not_answered_twice() -> None:
    sent: list[Message] = []

    async def breaking(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("a stream is broken")

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "GET", "headers": []}  # type: ignore[assignment]
    with pytest.raises(RuntimeError, match="stream"):
        await for_browsers(breaking, None)(scope, None, send)  # type: ignore[arg-type]
    assert [message["type"] for message in sent] == ["http.response.start"]


@pytest.fixture
async def address() -> AsyncIterator[str]:
    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener) as found:
            yield found


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", 405),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: " + b"x" * 70_000 + b"\r\n\r\n", 431),
        (b"POST /v1/players HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
    ],
)
async def test_what_is_refused_before_it_is_a_request(address: str, sent: bytes, status: int) -> None:
    (answered,) = answers(await said(address, sent))
    assert answered.status_code == status
    for name, value in SAID.items():
        assert answered.headers.get_list(name) == [value]


async def test_what_a_server_that_stops_cuts_short() -> None:
    """A long poll that waits for an event that does not come."""
    with bound("127.0.0.1", 0) as listener:
        async with AsyncExitStack() as stack:
            stopping = await stack.enter_async_context(AsyncExitStack())
            address = await stopping.enter_async_context(answering(MemoryLog(), listener))
            client = await stack.enter_async_context(AsyncClient(base_url=address, trust_env=False, timeout=30))
            ada = Guest(client, "Ada", (await client.post("/v1/players", json={"name": "Ada"})).json()["token"])
            game = (await ada.post("/v1/games", json={"ruleset": "mcmulti"})).json()["game"]
            waiting = asyncio.create_task(ada.get(f"/v1/games/{game}/events?after=1&wait=30"))
            await somebody_polls()
            await stopping.aclose()
            problem(guarded(await waiting), 503, "stopping")


@pytest.mark.parametrize("origins", [(), ("https://page.example",)])
async def test_where_pages_are_named_others_cannot_embed_what_they_cannot_read(origins: tuple[str, ...]) -> None:
    """A page requests an image without an origin, so the response could not be restricted to the listed ones."""
    app = application(MemoryLog(), Admission(origins=origins))
    async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
        for headers in ({}, {"Origin": "https://page.example"}, {"Origin": "https://other.example"}):
            answered = await client.get("/v1/rulesets", headers=headers)
            assert answered.headers["cross-origin-resource-policy"] == "same-origin"
            assert answered.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("origin", ["https://page.example", "https://other.example", None])
async def test_where_pages_are_named_the_headers_are_those_of_the_contract(origin: str | None) -> None:
    """Except that other pages get no permission. Everything then depends on the origin, problems too."""
    app = application(MemoryLog(), Admission(origins=("https://page.example",)))
    headers = {} if origin is None else {"Origin": origin}
    async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti", headers=headers) as client:  # type: ignore[arg-type]
        for operation, address in (("listRulesets", "/v1/rulesets"), ("getIndex", "/"), ("getMe", "/v1/players/me")):
            answered = await client.get(address)
            assert answered.headers["vary"].split(", ")[-1] == "Origin"
            read = answered.headers.get("access-control-allow-origin")
            assert read == (origin if origin == "https://page.example" else None)
            if read is None:
                answered.headers.update({"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "*"})
            documented(operation, answered)


async def test_what_tells_a_token_is_kept_nowhere(table: Table) -> None:
    key = "3f0c2b9d-8a57-4a55-9a0c-2f1f5f8f0c11"
    for _ in range(2):
        registered = await table.client.post("/v1/players", json={"name": "Ada"}, headers={"Idempotency-Key": key})
        assert registered.headers["cache-control"] == "no-store"
    ada = Guest(table.client, "Ada", registered.json()["token"])
    for _, method, address, _ in requests(NO_GAME):
        if method == "GET" and not address.endswith("/stream"):
            assert ada.token not in (await ada.get(address)).text
