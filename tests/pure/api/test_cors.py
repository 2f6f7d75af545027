"""Pages of other origins."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.admission.gate import Admission, network_of, origin_of
from mcmulti.api.app import application
from mcmulti.events.memory.log import MemoryLog
from tests.api.guests import problem

PAGE = {"Origin": "https://page.example"}
OURS = ("Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Accept")


@asynccontextmanager
async def server(origins: tuple[str, ...] | None = None, rate_limit: str | None = None) -> AsyncIterator[AsyncClient]:
    """A server for pages of these origins."""
    transport = ASGITransport(application(MemoryLog(), Admission(rate_limit, (), origins)))  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        yield client


def members(header: str) -> set[str]:
    return {member.strip().lower() for member in header.split(",")}


async def test_a_browser_that_asks_beforehand() -> None:
    paths = ("/v1/players", "/v1/games", "/v1/games/x/commands", "/v1/stream", "/nowhere")
    async with server() as client:
        for path, method in product(paths, ("GET", "POST", "HEAD", "DELETE")):
            asking = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": ",".join(OURS).lower()}
            told = await client.options(path, headers={**PAGE, **asking})
            assert told.status_code == 204, (path, method)
            assert told.headers["access-control-allow-origin"] == "*"
            assert method.lower() in members(told.headers["access-control-allow-methods"])
            assert {name.lower() for name in OURS} <= members(told.headers["access-control-allow-headers"])
            assert int(told.headers["access-control-max-age"]) > 0
            assert "vary" not in told.headers
            assert "access-control-allow-credentials" not in told.headers


async def test_answers_and_problems_can_be_read() -> None:
    async with server(rate_limit="4/hour") as client:
        answers = [
            await client.get("/v1/rulesets", headers=PAGE),
            await client.post("/v1/players", json={"name": "Ada"}, headers=PAGE),
            problem_of := await client.post("/v1/players", json={"name": ""}, headers=PAGE),
            await client.get("/nowhere", headers=PAGE),
            await client.delete("/v1/games", headers=PAGE),
            await client.get("/v1/stream", headers=PAGE),
            limited := await client.get("/v1/rulesets", headers=PAGE),
        ]
    problem(problem_of, 400, "invalid_body")
    problem(limited, 429, "too_many_requests")
    for answered in answers:
        assert answered.headers["access-control-allow-origin"] == "*"
        assert answered.headers["access-control-expose-headers"] == "*"


async def test_what_is_kept_for_another_page_can_be_read_too() -> None:
    """A cache may store a response to a request without an origin, so every response allows all origins."""
    async with server() as client:
        assert (await client.get("/v1/rulesets")).headers["access-control-allow-origin"] == "*"


async def test_options_of_an_address_are_told_to_who_is_no_browser() -> None:
    async with server() as client:
        told = await client.options("/v1/games", headers=PAGE)
    assert told.status_code == 204
    assert {"get", "head", "post", "options"} <= members(told.headers["allow"])


async def test_only_pages_of_origins_that_are_named() -> None:
    async with server(("https://page.example", "http://localhost:3000")) as client:
        asking = {"Access-Control-Request-Method": "POST"}
        for path, method in (("/v1/games", "OPTIONS"), ("/v1/games", "GET"), ("/nowhere", "GET")):
            more = asking if method == "OPTIONS" else {}
            named = await client.request(method, path, headers={**PAGE, **more})
            assert named.headers["access-control-allow-origin"] == "https://page.example"
            assert "origin" in members(named.headers["vary"])
            for other in ({"Origin": "https://other.example"}, {"Origin": "null"}, {}):
                refused = await client.request(method, path, headers={**other, **more})
                assert "access-control-allow-origin" not in refused.headers
                assert "origin" in members(refused.headers["vary"])


async def test_no_page_at_all() -> None:
    async with server(()) as client:
        for method in ("GET", "OPTIONS"):
            answered = await client.request(
                method, "/v1/games", headers={**PAGE, "Access-Control-Request-Method": "GET"}
            )
            assert not [name for name in answered.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    "text", ["*", "page.example", "https://page.example/", "https://a@b", "ftp://b", "https://b:443", "null", ""]
)
def test_origins_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"origin|port"):
        origin_of(text)


def test_origins_and_networks_as_they_are_compared() -> None:
    assert origin_of("HTTPS://Page.Example:8443") == "https://page.example:8443"
    assert network_of("10.1.2.3/8") == "10.0.0.0/8"
    assert network_of("::1") == "::1/128"
    with pytest.raises(ValueError, match="proxy"):
        network_of("proxy.example")
