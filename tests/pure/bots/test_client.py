"""The client: what it sends again, and what it raises."""

import time
from collections.abc import Callable

import httpx
import pytest

from mcmulti.client.client import Client, HttpProblem, ServerAway

Answer = Callable[[httpx.Request], httpx.Response]


class Net(httpx.AsyncBaseTransport):
    """Responds to each request with the next of these responses, which may be an exception. The last one repeats."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def _client(net: Net, patience: float = 30.0) -> Client:
    return Client("http://server", token="mcm_x", patience=patience, transport=net)


def _away() -> httpx.Response:
    return httpx.Response(503, headers={"Retry-After": "0"}, json={"code": "database_away", "detail": "Try again."})


@pytest.mark.parametrize(
    "failure",
    [
        _away(),
        httpx.Response(502),
        httpx.Response(504),
        httpx.ReadError("cut"),
        httpx.ConnectError("no"),
        httpx.RemoteProtocolError("closed"),
    ],
)
async def test_commands_are_sent_again_under_the_same_key(failure: httpx.Response | Exception) -> None:
    net = Net(failure, failure, httpx.Response(200, json={"seq": 5}))
    async with _client(net) as client:
        assert await client.send("g", [{"type": "EndTurn"}], '"4-ab"') == {"seq": 5}
    assert len(net.requests) == 3
    assert len({request.headers["Idempotency-Key"] for request in net.requests}) == 1
    assert {request.headers["If-Match"] for request in net.requests} == {'"4-ab"'}
    assert {request.headers["Authorization"] for request in net.requests} == {"Bearer mcm_x"}


async def test_two_commands_have_two_keys() -> None:
    net = Net(httpx.Response(200, json={}))
    async with _client(net) as client:
        await client.send("g", [{"type": "EndTurn"}])
        await client.send("g", [{"type": "EndTurn"}])
    assert len({request.headers["Idempotency-Key"] for request in net.requests}) == 2


async def test_a_player_is_registered_again_under_the_same_key() -> None:
    """The server answers with the same token, instead of the name being taken."""
    net = Net(httpx.ReadError("cut"), httpx.Response(201, json={"player": "p", "token": "t"}))
    async with Client("http://server", transport=net) as client:
        assert (await client.register("Ada"))["player"] == "p"
        assert client.token == "t"
    [key] = {request.headers["Idempotency-Key"] for request in net.requests}
    assert (len(net.requests), len(key)) == (2, 32)


async def test_a_game_that_is_opened_is_asked_for_again_under_the_same_key() -> None:
    net = Net(httpx.ReadError("cut"), httpx.Response(201, json={"game": "g"}))
    async with _client(net) as client:
        assert await client.open_game("mcmulti") == {"game": "g"}
    assert len({request.headers["Idempotency-Key"] for request in net.requests}) == 1


async def test_a_problem_carries_what_the_server_said() -> None:
    net = Net(httpx.Response(409, json={"code": "cash", "detail": "No credit.", "rule": "purchase/cash-only"}))
    async with _client(net) as client:
        with pytest.raises(HttpProblem, match=r"No credit\.") as raised:
            await client.send("g", [{"type": "EndTurn"}])
    assert (raised.value.status, raised.value.code) == (409, "cash")
    assert raised.value.members["rule"] == "purchase/cash-only"


@pytest.mark.parametrize("content", [b"<html>", b"[]", b""])
async def test_an_error_that_is_no_problem_document_is_a_problem_still(content: bytes) -> None:
    async with _client(Net(httpx.Response(500, content=content))) as client:
        with pytest.raises(HttpProblem, match=r"The server answered with status 500\.") as raised:
            await client.view("g")
    assert raised.value.code == "unknown"


async def test_a_client_that_asks_too_much_waits_as_long_as_it_is_told() -> None:
    slow_down = httpx.Response(429, headers={"Retry-After": "1"}, json={"code": "too_many_requests"})
    net = Net(slow_down, httpx.Response(200, json={}))
    started = time.monotonic()
    async with _client(net) as client:
        await client.view("g")
    assert time.monotonic() - started >= 1


async def test_patience_ends() -> None:
    async with _client(Net(_away()), patience=0.2) as client:
        with pytest.raises(HttpProblem, match=r"Try again\."):
            await client.view("g")
    async with _client(Net(httpx.ConnectError("no")), patience=0.2) as client:
        with pytest.raises(ServerAway):
            await client.view("g")


@pytest.mark.parametrize("server", ["server", "ftp://server", "http://a:b"])
async def test_an_address_that_is_none_is_said_to_be_none(server: str) -> None:
    with pytest.raises(ServerAway, match="is not the address of a server"):
        async with Client(server, patience=0) as client:
            await client.view("g")
