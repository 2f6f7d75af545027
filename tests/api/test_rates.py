"""Rate limits, and what clients may keep."""

from collections.abc import AsyncIterator

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.app import application
from mcmulti.api.rates import limit_of
from mcmulti.events.memory import MemoryLog
from tests.api.guests import Guest, Table, problem


@pytest.fixture
async def limited() -> AsyncIterator[AsyncClient]:
    """A server that allows three requests a minute."""
    transport = ASGITransport(application(MemoryLog(), limit_of("3/minute")))  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        yield client


async def test_the_fourth_request_of_three_is_told_when_to_come_back(limited: AsyncClient) -> None:
    for left in (2, 1, 0):
        answered = await limited.get("/v1/rulesets")
        assert answered.status_code == 200
        assert answered.headers["ratelimit-policy"] == '"requests";q=3;w=60'
        assert answered.headers["ratelimit"].startswith(f'"requests";r={left};t=')
    refused = await limited.get("/v1/rulesets")
    problem(refused, 429, "too_many_requests")
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.headers["ratelimit"].startswith('"requests";r=0;t=')


async def test_each_token_has_its_own_limit(limited: AsyncClient) -> None:
    for _ in range(3):
        await limited.get("/v1/rulesets")
    token = Guest(limited, "Ada", "some-token")
    assert (await token.get("/v1/rulesets")).status_code == 200
    problem(await limited.get("/v1/rulesets"), 429, "too_many_requests")


async def test_the_state_of_health_is_always_told(limited: AsyncClient) -> None:
    for _ in range(5):
        answered = await limited.get("/healthz")
        assert answered.status_code == 200
        assert "ratelimit" not in answered.headers


@pytest.mark.parametrize("text", ["", "many", "10", "10/fortnight", "-1/second"])
def test_a_limit_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        limit_of(text)


async def test_what_the_client_has_already_is_not_sent_again(table: Table) -> None:
    game = await table.start()
    for path in ("", "/offers", "?at=2"):
        first = await table.guests[0].get(f"/v1/games/{game}{path}")
        again = await table.guests[0].get(f"/v1/games/{game}{path}", headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 304
        assert again.content == b""
        assert again.headers["etag"] == first.headers["etag"]
    await table.guests[0].send(game, {"type": "EndPurchases"})
    tag = first.headers["etag"]
    assert (await table.guests[0].get(f"/v1/games/{game}", headers={"If-None-Match": tag})).status_code == 200


async def test_the_past_may_be_kept_for_ever_and_the_present_not(table: Table) -> None:
    game = await table.start()
    past = await table.client.get(f"/v1/games/{game}?at=2")
    assert past.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (await table.guests[0].get(f"/v1/games/{game}?at=2")).headers["cache-control"].startswith("private, ")
    now = await table.client.get(f"/v1/games/{game}")
    assert now.headers["cache-control"] == "public, no-cache"
    assert now.headers["vary"] == "Authorization"


async def test_a_replayed_answer_has_the_tag_of_the_first(table: Table) -> None:
    game = await table.start()
    first = await table.guests[0].send(game, {"type": "EndPurchases"}, Idempotency_Key="k")
    again = await table.guests[0].send(game, {"type": "EndPurchases"}, Idempotency_Key="k")
    assert again.headers["etag"] == first.headers["etag"]
