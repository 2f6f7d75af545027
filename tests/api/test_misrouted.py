"""Requests without a route, and malformed requests."""

import json
from collections.abc import AsyncIterator

import pytest
import structlog
from httpx import ASGITransport, AsyncClient

from mcmulti.api.admission.gate import Admission
from mcmulti.api.app import application
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.connection import answers, said
from tests.api.guests import problem

PAGE = "https://page.example"
NOWHERE = [("GET", "/nowhere", 404, "not_found"), ("DELETE", "/v1/games", 405, "method_not_allowed")]


@pytest.fixture
async def limited() -> AsyncIterator[AsyncClient]:
    """A server that allows three requests a minute, and logs them all."""
    app = application(MemoryLog(), Admission("3/hour"), access_log=True)
    async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
        yield client


@pytest.mark.parametrize(("method", "path", "status", "code"), NOWHERE)
async def test_they_count_and_are_logged_under_their_id(
    limited: AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    with structlog.testing.capture_logs() as lines:
        for left in (2, 1, 0):
            answered = await limited.request(method, path)
            problem(answered, status, code)
            assert len(answered.headers["x-request-id"]) == 32
            assert answered.headers["ratelimit"].startswith(f'"requests";r={left};')
        over = await limited.request(method, path)
        problem(over, 429, "too_many_requests")
        assert len(over.headers["x-request-id"]) == 32
        assert over.headers.get_list("ratelimit") == [over.headers["ratelimit"]]
    logged = [(line["method"], line["path"], line["status"]) for line in lines if line["event"] == "request"]
    assert logged == [(method, path, status)] * 3 + [(method, path, 429)]
    problem(await limited.get("/v1/rulesets"), 429, "too_many_requests")


async def test_who_may_be_asked_instead_is_told(limited: AsyncClient) -> None:
    answered = await limited.delete("/v1/games")
    assert {"GET", "POST"} <= set(answered.headers["allow"].replace(" ", "").split(","))


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"nonsense\r\n\r\n", id="no request"),
        pytest.param(f"GET / HTTP/1.1\r\nOrigin: {PAGE}\r\n\r\n".encode(), id="no host"),
        pytest.param(
            f"GET /{'x' * 70_000} HTTP/1.1\r\nHost: a\r\nOrigin: {PAGE}\r\n\r\n".encode(), id="target too long"
        ),
    ],
)
async def test_pages_can_read_the_problem_of_what_is_no_request(sent: bytes) -> None:
    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener) as address:
            (answered,) = answers(await said(address, sent))
    assert 400 <= answered.status_code < 500
    assert json.loads(answered.content)["status"] == answered.status_code
    assert answered.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(("origin", "read"), [(PAGE, True), ("https://other.example", False)])
async def test_only_pages_that_are_named_can_read_it(origin: str, read: bool) -> None:
    with bound("127.0.0.1", 0) as listener:
        async with answering(MemoryLog(), listener, Admission(origins=(PAGE,))) as address:
            (answered,) = answers(await said(address, f"GET / HTTP/1.1\r\nOrigin: {origin}\r\n\r\n".encode()))
    assert answered.headers.get("access-control-allow-origin") == (PAGE if read else None)
    assert answered.headers["vary"] == "Origin"
