"""Limits of what a client can use of a server: bytes of a head, seconds for a request, connections, and memory."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from mcmulti.api.admission.gate import Admission
from mcmulti.api.http import answers as ready_made
from mcmulti.api.http import received
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server import http_protocol
from mcmulti.server.connections import Connections
from mcmulti.server.process import answering, bound
from tests.api.connection import answers, said

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
Serve = Callable[..., Awaitable[str]]


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Starts a server with these limits; yields its address."""
    async with AsyncExitStack() as stack:

        async def started(**admission: object) -> str:
            listener = stack.enter_context(bound("127.0.0.1", 0))
            let_in = Admission(**admission)  # type: ignore[arg-type]
            return await stack.enter_async_context(answering(MemoryLog(), listener, let_in))

        yield started


def head(size: int) -> bytes:
    """A request whose head has about this many bytes, in headers of a kilobyte."""
    more = b"".join(b"X-%d: %b\r\n" % (number, b"x" * 1000) for number in range(size // 1010))
    return b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + more + b"\r\n"


@pytest.mark.parametrize("pieces", [1, 7, 200])
async def test_a_head_has_64_kib_at_most(serve: Serve, pieces: int) -> None:
    address = await serve()
    for size, status in ((60_000, 200), (70_000, 431)):
        sent = head(size)
        step = len(sent) // pieces + 1
        told = answers(await said(address, *(sent[at : at + step] for at in range(0, len(sent), step)), HEALTH))
        assert told[0].status_code == status
        assert status == 200 or told[0].json()["code"] == "head_too_large"


async def test_an_endless_header_is_cut_off(serve: Serve) -> None:
    told = await said(await serve(), b"GET /v1/games HTTP/1.1\r\nHost: x\r\nAccept: ", *[b"a" * 50_000] * 20)
    assert answers(told)[0].json()["code"] == "head_too_large"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timeouts of a fifth of a second each for a request, a head, and a body."""
    monkeypatch.setattr(http_protocol, "_SECONDS", dict.fromkeys(("request", "head", "body"), 0.2))


@pytest.mark.usefixtures("impatient")
async def test_who_says_nothing_is_left(serve: Serve) -> None:
    assert await said(await serve()) == b""


POST = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("sent", "what"),
    [
        ([b"GET /healthz HT"], "head"),
        ([b"GET /healthz HTTP/1.1\r\nX: ", *[b"XX"] * 20], "head"),
        ([POST + b"Content-Length: 17\r\n\r\n", b'{"name"'], "body"),
        ([POST + b"Content-Length: 100\r\n\r\n"] + [b"{}"] * 20, "body"),
        ([POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n{\r\n"], "body"),
    ],
)
async def test_a_request_that_does_not_come_to_its_end_is_given_up(serve: Serve, sent: list[bytes], what: str) -> None:
    """However slowly it trickles: the timeout is that of the whole head, and of the whole body."""
    (told,) = answers(await said(await serve(), *sent))
    assert (told.status_code, told.json()["code"]) == (408, "request_timeout")
    assert what in told.json()["detail"]
    assert told.headers["connection"] == "close"


@pytest.mark.usefixtures("impatient")
async def test_who_asks_in_time_has_all_the_time_for_answers_and_between_requests(serve: Serve) -> None:
    address = await serve()
    async with httpx.AsyncClient(base_url=address, trust_env=False) as client:
        player = (await client.post("/v1/players", json={"name": "Ada"})).json()
        client.headers["Authorization"] = f"Bearer {player['token']}"
        game = (await client.post("/v1/games", json={"ruleset": "mcmulti"})).json()["game"]
        await asyncio.sleep(0.5)
        waited = await client.get(f"/v1/games/{game}/events?after=1&wait=1")
    assert waited.status_code == 200


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Callable[[], Awaitable[bytes]]]:
    """A connection that stays open; yields a function that requests the server's health over it."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)

    async def ask() -> bytes:
        try:
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            return (await asyncio.wait_for(reader.readline(), 60)).strip()
        except ConnectionError:
            return b""

    try:
        yield ask
    finally:
        writer.transport.abort()
        await asyncio.sleep(0.05)


async def test_an_address_has_so_many_connections_and_gets_a_new_one_for_each_it_gives_up(serve: Serve) -> None:
    address = await serve(connections=3)
    async with AsyncExitStack() as held:
        asks = [await held.enter_async_context(connected(address)) for _ in range(2)]
        async with connected(address) as third:
            assert [await ask() for ask in (*asks, third)] == [b"HTTP/1.1 200 OK"] * 3
            async with connected(address) as fourth:
                assert await fourth() == b""
        async with connected(address) as another:
            assert await another() == b"HTTP/1.1 200 OK"


async def test_a_trusted_proxy_may_have_any_number(serve: Serve) -> None:
    address = await serve(connections=1, trusted_proxies=("127.0.0.0/8",))
    async with AsyncExitStack() as held:
        asks = [await held.enter_async_context(connected(address)) for _ in range(5)]
        assert [await ask() for ask in asks] == [b"HTTP/1.1 200 OK"] * 5


async def test_where_descriptors_run_out_connections_are_refused_and_the_operator_is_told_once(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Connections, "__init__", with_little_room(Connections.__init__))
    address = await serve()
    for _ in range(3):
        async with connected(address) as ask:
            assert await ask() == b""
    assert "".join(capfd.readouterr()).count("descriptors run out") == 1


def with_little_room(before: Callable[..., None]) -> Callable[..., None]:
    def init(held: Connections, admission: Admission, **more: bool) -> None:
        before(held, admission, **more)
        held._room = 3

    return init


async def test_nothing_that_anybody_sends_is_remembered_at_any_length(serve: Serve) -> None:
    """Each of these was once remembered at full length, hundreds or thousands of times."""
    address = await serve()
    caches = (received._negotiated, received._parameters, received._uuid, ready_made._accepted)
    before: list[int] = []
    game = "00000000-0000-4000-8000-000000000018"
    padded = f"{game[:-1]}{'-' * 5000}8"
    async with httpx.AsyncClient(base_url=address, trust_env=False) as client:
        for number in range(5):
            for path, more, code in (
                (f"/v1/games/{padded}{number}", {}, "unknown_game"),
                (f"/v1/games/{game.replace('-', '')}", {}, "unknown_game"),
                (f"/v1/games/{{{game}}}", {}, "unknown_game"),
                (f"/v1/games?{'x' * 3000}{number}=1", {}, "invalid_query"),
                (f"/v1/games/{game}/events", {"Accept": f"text/{'x' * 3000}{number}"}, "invalid_header"),
            ):
                answered = await client.get(path, headers=more)
                assert answered.json()["code"] == code, path
            coded = await client.get("/v1/rulesets", headers={"Accept-Encoding": f"gzip, {'x' * 3000}{number}"})
            assert "Content-Encoding" not in coded.headers
            before = before or [cache.cache_info().currsize for cache in caches]
    assert [cache.cache_info().currsize for cache in caches] == before
