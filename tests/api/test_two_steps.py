"""Irreversible actions take two steps, with time in between to notice and to cancel."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.admission.gate import Admission
from mcmulti.api.app import application
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from tests.api.guests import Guest, Json, Table, problem

ME = "/v1/players/me"
PENDING = f"{ME}/pending"
OWNER = f"{ME}/owner-token"
ALL = ["read", "play", "account"]
DELAY = timedelta(hours=72)
WINDOW = timedelta(days=7)


class Clock:
    """A clock that can be moved."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class Server(NamedTuple):
    """A server with a clock that tests move, and a player there."""

    clock: Clock
    ada: Guest

    async def holder(self, name: str, scopes: list[str], expires: timedelta | None = None) -> Guest:
        """The same player with another token."""
        until = None if expires is None else (self.clock() + expires).isoformat()
        made = await self.ada.post(f"{ME}/tokens", json={"name": name, "scopes": scopes, "expires": until})
        assert made.status_code == 201, made.text
        return Guest(self.ada.client, "Ada", made.json()["token"])


@asynccontextmanager
async def starting(log: Log, clock: Clock, hours: int = 72) -> AsyncIterator[AsyncClient]:
    """A server on a log, as after a start."""
    app = application(log, Admission(second_step=hours))
    service = app.state["service"]
    service.clock = service.callers._clock = clock
    transport = ASGITransport(app)  # type: ignore[arg-type]
    async with service.callers.listening(), AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        yield client


@pytest.fixture(params=["PostgreSQL", "memory"])
async def log(request: pytest.FixtureRequest, database: str) -> AsyncIterator[Log]:
    if request.param == "memory":
        yield MemoryLog()
    else:
        async with PostgresLog.open(database, pool_size=4, patience=30) as log:
            yield log


@pytest.fixture
async def server(log: Log) -> AsyncIterator[Server]:
    clock = Clock()
    async with starting(log, clock) as client:
        told = await client.post("/v1/players", json={"name": "Ada"})
        yield Server(clock, Guest(client, "Ada", told.json()["token"]))


async def announce(guest: Guest, action: str = "erase") -> Response:
    return await guest.post(PENDING, json={"action": action})


async def announced(guest: Guest) -> Json | None:
    """The pending action that the player sees."""
    told: Json | None = (await guest.get(ME)).json()["pending"]
    return told


async def test_one_is_erased_in_two_steps_three_days_apart(server: Server) -> None:
    ada, clock = server.ada, server.clock
    problem(await ada.delete(ME), 409, "not_announced")
    before = clock()
    told = (await announce(ada)).json()
    due = datetime.fromisoformat(told["due"])
    assert before + DELAY <= due <= clock() + DELAY
    assert datetime.fromisoformat(told["until"]) == due + WINDOW
    assert (told["action"], told["token"]) == ("erase", (await ada.get(ME)).json()["token"]["id"])
    assert await announced(ada) == told
    early = problem(await ada.delete(ME), 409, "too_early")
    assert 72 * 3600 - 60 < early["retry_after"] <= 72 * 3600
    clock.ahead = DELAY - timedelta(seconds=60)
    problem(await ada.delete(ME), 409, "too_early")
    assert (await announce(ada)).json() == told, "announced again, it does not start anew"
    clock.ahead = DELAY
    assert (await ada.delete(ME)).status_code == 204
    problem(await ada.get(ME), 401, "unauthenticated")


async def test_what_is_announced_lapses(server: Server) -> None:
    """It must then be announced again."""
    ada, clock = server.ada, server.clock
    first = (await announce(ada)).json()
    clock.ahead = DELAY + WINDOW
    assert await announced(ada) is None
    problem(await ada.delete(ME), 409, "not_announced")
    again = (await announce(ada)).json()
    assert datetime.fromisoformat(again["due"]) - datetime.fromisoformat(first["due"]) >= DELAY + WINDOW


async def test_every_token_of_the_account_sees_it_and_cancels_it(server: Server) -> None:
    ada, clock = server.ada, server.clock
    phone = await server.holder("phone", ALL)
    reader = await server.holder("reader", ["read", "play"])
    told = (await announce(ada)).json()
    assert await announced(reader) == await announced(phone) == told
    problem(await reader.delete(PENDING), 403, "missing_scope")
    problem(await announce(reader), 403, "missing_scope")
    assert (await phone.delete(PENDING)).status_code == 204
    assert (await phone.delete(PENDING)).status_code == 204, "sent again"
    assert await announced(ada) is None
    clock.ahead = DELAY
    problem(await ada.delete(ME), 409, "not_announced")


async def test_only_the_token_that_announced_it_does_it(server: Server) -> None:
    """And another announcement replaces it, with its own delay."""
    ada, clock = server.ada, server.clock
    phone = await server.holder("phone", ALL)
    await announce(ada)
    clock.ahead = DELAY
    problem(await phone.delete(ME), 409, "not_announced")
    problem(await ada.post(OWNER), 409, "not_announced")
    await announce(phone)
    problem(await ada.delete(ME), 409, "not_announced")
    problem(await phone.delete(ME), 409, "too_early")


@pytest.mark.parametrize("action", ["erase", "replace_owner_token"])
async def test_a_token_for_five_minutes_announces_nothing(server: Server, action: str) -> None:
    """It once created an unlimited one, and erased the player."""
    thief = await server.holder("thief", ["account"], timedelta(minutes=5))
    problem(await announce(thief, action), 403, "exceeds_token")
    problem(await thief.delete(ME), 409, "not_announced")
    problem(await thief.post(OWNER), 403, "exceeds_token")
    await announce(server.ada, action)
    server.clock.ahead = DELAY
    problem(await thief.delete(ME), 401, "unauthenticated")
    assert await announced(server.ada) is not None


async def test_what_a_thief_announced_ends_with_the_token(server: Server) -> None:
    thief = await server.holder("thief", ALL)
    await announce(thief)
    ada = server.ada
    seen = await announced(ada)
    assert seen is not None
    assert (await ada.delete(f"{ME}/tokens/{seen['token']}")).status_code == 200
    assert await announced(ada) is None
    await announce(await server.holder("another", ALL))
    await ada.delete(f"{ME}/tokens")
    assert await announced(ada) is None


async def test_another_token_becomes_the_owner_token(server: Server) -> None:
    """The holder of the first one is locked out, with everything created from it."""
    ada, clock = server.ada, server.clock
    heir, bot = await server.holder("heir", ALL), await server.holder("bot", ["read"])
    problem(await heir.post(OWNER), 409, "not_announced")
    await announce(heir, "replace_owner_token")
    problem(await heir.post(OWNER), 409, "too_early")
    clock.ahead = DELAY
    left = (await heir.post(OWNER)).json()["tokens"]
    assert [(one["name"], one["made_by"]) for one in left] == [("heir", None)]
    assert (await heir.get(ME)).json()["token"]["made_by"] is None
    for gone in (ada, bot):
        problem(await gone.get(ME), 401, "unauthenticated")
    assert [one["id"] for one in (await heir.post(OWNER)).json()["tokens"]] == [left[0]["id"]], "sent again"
    assert await announced(heir) is None
    problem(await heir.delete(f"{ME}/tokens/{left[0]['id']}"), 409, "last_token")


@pytest.mark.parametrize("scopes", [["account"], ["read", "account"], ["play", "account"]])
async def test_no_limited_token_becomes_the_owner_token(server: Server, scopes: list[str]) -> None:
    thief = await server.holder("thief", scopes)
    problem(await announce(thief, "replace_owner_token"), 403, "exceeds_token")
    problem(await thief.post(OWNER), 403, "exceeds_token")


async def test_it_survives_a_restart_and_is_the_same_at_every_server(log: Log) -> None:
    """One server receives it, and another one, which starts later with a longer delay, carries it out."""
    clock = Clock()
    async with starting(log, clock, hours=1) as client:
        token = (await client.post("/v1/players", json={"name": "Ada"})).json()["token"]
        told = (await announce(Guest(client, "Ada", token))).json()
    async with starting(log, clock, hours=500) as client:
        ada = Guest(client, "Ada", token)
        assert await announced(ada) == told
        clock.ahead = timedelta(hours=1)
        assert (await ada.delete(ME)).status_code == 204


async def test_a_server_that_did_not_hear_of_a_cancellation_does_not_erase(log: Log) -> None:
    """The log has the last word."""
    clock = Clock()
    async with starting(log, clock) as client, starting(log, clock) as other:
        token = (await client.post("/v1/players", json={"name": "Ada"})).json()["token"]
        ada, there = Guest(client, "Ada", token), Guest(other, "Ada", token)
        await announce(ada)
        assert await announced(there) is not None
        service = other._transport.app.state["service"]  # type: ignore[attr-defined]
        held = await service.callers.holder(f"Bearer {token}")

        async def deaf(_: str) -> object:
            return held

        service.callers.holder = deaf
        await ada.delete(PENDING)
        clock.ahead = DELAY
        problem(await there.delete(ME), 409, "not_announced")
        assert (await ada.get(ME)).json()["name"] == "Ada"


@pytest.mark.parametrize("body", [{}, {"action": "dance"}, {"action": "erase", "now": True}, {"action": None}])
async def test_what_is_no_action_is_refused(table: Table, body: Json) -> None:
    problem(await (await table.guest("Ada")).post(PENDING, json=body), 400, "invalid_body")
