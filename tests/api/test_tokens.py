"""Accounts: your identity, and the tokens that a player creates, lends, and revokes."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.app import application
from mcmulti.api.operations.accounts import MOST_TOKENS
from mcmulti.api.streams.items import NDJSON
from mcmulti.events.ports.accounts import Holder
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.stores.tokens import REVOKED
from tests.api.guests import Guest, Json, Table, problem
from tests.api.stream_client import StreamClient
from tests.api.stream_server import served

TOKENS = "/v1/players/me/tokens"


async def make(guest: Guest, name: str = "bot", scopes: tuple[str, ...] = ("read", "play"), **more: Any) -> Response:
    headers = {"Idempotency-Key": more.pop("key")} if "key" in more else {}
    return await guest.post(TOKENS, json={"name": name, "scopes": list(scopes), **more}, headers=headers)


async def holder_of(guest: Guest, name: str = "bot", scopes: tuple[str, ...] = ("read", "play")) -> tuple[Guest, str]:
    """The same player with another token, and the token's id."""
    made = await make(guest, name, scopes)
    assert made.status_code == 201, made.text
    return Guest(guest.client, guest.name, made.json()["token"]), made.json()["about"]["id"]


async def revoke(guest: Guest, token: str) -> Response:
    return await guest.client.delete(f"{TOKENS}/{token}", headers={"Authorization": f"Bearer {guest.token}"})


ALL = ("read", "play", "account")


async def id_of(guest: Guest) -> str:
    """The id of the token that a player sends."""
    found: str = (await me(guest)).json()["token"]["id"]
    return found


async def me(guest: Guest) -> Response:
    return await guest.get("/v1/players/me")


async def test_who_one_is(table: Table) -> None:
    """A newly registered player gets a token that allows everything."""
    ada = await table.guest("Ada")
    told = await me(ada)
    assert told.headers["Cache-Control"] == "no-store"
    found = told.json()
    assert (found["name"], found["token"]["name"]) == ("Ada", "first")
    assert found["token"]["scopes"] == ["read", "play", "account"]
    assert found["token"]["expires"] is None
    problem(await table.client.get("/v1/players/me"), 401, "unauthenticated")


async def test_a_further_token_acts_for_the_same_player(table: Table) -> None:
    """The game belongs to the player, whichever token is sent."""
    game = await table.market_phase()
    bot, _ = await holder_of(table.guests[0])
    assert (await me(bot)).json()["player"] == (await me(table.guests[0])).json()["player"]
    assert (await bot.get(f"/v1/games/{game}/offers")).status_code == 200
    assert (await bot.send(game, {"type": "EndPurchases"})).status_code in (200, 409)


async def test_the_token_is_shown_once_and_kept_nowhere(table: Table) -> None:
    ada = await table.guest("Ada")
    made = (await make(ada)).json()
    assert made["token"].startswith("mcm_")
    listed = (await ada.get(TOKENS)).json()["tokens"]
    assert listed[1] == made["about"]
    assert made["token"] not in str(listed)
    assert await table.log.holder(sha256(made["token"].encode()).digest()) is not None


@pytest.mark.parametrize("scopes", [("read",), ("play",), ("read", "play")])
async def test_only_account_makes_and_revokes_tokens(table: Table, scopes: tuple[str, ...]) -> None:
    """So that a thief of a token for play leaves no successor behind."""
    ada = await table.guest("Ada")
    thief, token = await holder_of(ada, scopes=scopes)
    problem(await make(thief), 403, "missing_scope")
    problem(await thief.get(TOKENS), 403, "missing_scope")
    problem(await revoke(thief, token), 403, "missing_scope")
    assert len((await ada.get(TOKENS)).json()["tokens"]) == 2


async def test_a_token_that_reads_does_not_play_and_the_other_way_round(table: Table) -> None:
    game = await table.market_phase()
    reader, _ = await holder_of(table.guests[0], "reader", ("read",))
    player, _ = await holder_of(table.guests[0], "player", ("play",))
    assert (await reader.get(f"/v1/games/{game}")).status_code == 200
    refused = problem(await reader.send(game, {"type": "EndPurchases"}), 403, "missing_scope")
    assert "'play'" in refused["detail"]
    assert "read" in refused["detail"]
    problem(await player.get(f"/v1/games/{game}"), 403, "missing_scope")


async def test_a_revoked_token_is_nobodys(table: Table) -> None:
    ada = await table.guest("Ada")
    bot, token = await holder_of(ada)
    assert (await me(bot)).status_code == 200
    revoked = await revoke(ada, token)
    assert (revoked.status_code, revoked.json()["id"]) == (200, token)
    problem(await me(bot), 401, "unauthenticated")
    problem(await revoke(ada, token), 404, "unknown_token")


async def test_the_token_of_somebody_else_is_not_revoked(table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    bot, token = await holder_of(ada)
    for wrong in (token, token.upper(), "x" * 2000, str(uuid4())):
        problem(await revoke(ben, wrong), 404, "unknown_token")
    assert (await me(bot)).status_code == 200


async def test_the_owner_token_stays(table: Table) -> None:
    """All others are revoked with it, so that none would be left, whichever of them asks."""
    ada = await table.guest("Ada")
    first = await id_of(ada)
    problem(await revoke(ada, first), 409, "last_token")
    spare, _ = await holder_of(ada, "spare", ALL)
    problem(await revoke(spare, first), 409, "last_token")
    assert (await me(ada)).status_code == 200


async def test_a_token_makes_none_that_allows_more_or_lasts_longer(table: Table) -> None:
    """A thief of a token for five minutes gains nothing that the token is not."""
    ada, soon = await table.guest("Ada"), datetime.now(UTC) + timedelta(minutes=5)
    made = (await make(ada, "thief", ("account",), expires=soon.isoformat())).json()
    thief = Guest(table.client, "Ada", made["token"])
    for scopes, expires in (
        (("account",), None),
        (("account",), (soon + timedelta(microseconds=1)).isoformat()),
        (("read", "account"), soon.isoformat()),
        (("play",), soon.isoformat()),
    ):
        problem(await make(thief, "heir", scopes, expires=expires), 403, "exceeds_token")
    heir = (await make(thief, "heir", ("account",), expires=soon.isoformat())).json()
    assert heir["about"]["made_by"] == made["about"]["id"]
    assert [one["name"] for one in (await ada.get(TOKENS)).json()["tokens"]] == ["first", "thief", "heir"]


async def test_a_key_gives_no_token_that_another_one_made(table: Table) -> None:
    """Keys are easily guessed: with the same one, each token creates its own."""
    ada = await table.guest("Ada")
    thief, _ = await holder_of(ada, "thief", ("account",))
    strong = (await make(ada, "strong", ("account",), key="1")).json()
    weak = (await make(thief, "strong", ("account",), key="1")).json()
    assert weak["token"] != strong["token"]


async def test_a_token_is_revoked_with_all_that_come_from_it(table: Table) -> None:
    ada = await table.guest("Ada")
    phone, token = await holder_of(ada, "phone", ALL)
    bot, _ = await holder_of(phone)
    other, _ = await holder_of(ada, "other")
    assert (await me(bot)).status_code == 200
    assert (await revoke(ada, token)).status_code == 200
    for gone in (phone, bot):
        problem(await me(gone), 401, "unauthenticated")
    assert (await me(other)).status_code == 200


async def test_a_token_revokes_none_that_allows_more_or_lasts_longer(table: Table) -> None:
    ada, soon = await table.guest("Ada"), datetime.now(UTC) + timedelta(minutes=5)
    _, phone = await holder_of(ada, "phone", ALL)
    _, lasting = await holder_of(ada, "lasting", ("account",))
    made = (await make(ada, "thief", ("account",), expires=soon.isoformat())).json()
    thief = Guest(table.client, "Ada", made["token"])
    for token in (phone, lasting, await id_of(ada)):
        problem(await revoke(thief, token), 403, "exceeds_token")
    assert [one["name"] for one in (await thief.delete(TOKENS)).json()["tokens"]] == [
        "first",
        "phone",
        "lasting",
        "thief",
    ]
    assert (await revoke(thief, made["about"]["id"])).status_code == 200
    problem(await me(thief), 401, "unauthenticated")


async def test_all_others_are_revoked_but_those_it_comes_from(table: Table) -> None:
    ada = await table.guest("Ada")
    phone, _ = await holder_of(ada, "phone", ALL)
    bot, _ = await holder_of(phone, "bot")
    thief, _ = await holder_of(ada, "thief", ALL)
    left = await phone.delete(TOKENS)
    assert left.headers["Cache-Control"] == "no-store"
    assert [one["name"] for one in left.json()["tokens"]] == ["first", "phone"]
    for gone in (bot, thief):
        problem(await me(gone), 401, "unauthenticated")
    assert [one["name"] for one in (await ada.delete(TOKENS)).json()["tokens"]] == ["first"]
    assert (await ada.delete(TOKENS)).status_code == 200, "sent again"
    problem(await me(phone), 401, "unauthenticated")


async def test_a_token_expires(table: Table) -> None:
    """A time in the past is refused; after that time the token is invalid."""
    ada = await table.guest("Ada")
    now = datetime.now(UTC)
    problem(await make(ada, expires=(now - timedelta(seconds=1)).isoformat()), 422, "past_expiry")
    problem(await make(ada, expires="2030-01-01T00:00:00"), 400, "invalid_body")
    bots = []
    for lasts in (timedelta(seconds=5), timedelta(hours=1)):
        made = await make(ada, expires=(datetime.now(UTC) + lasts).isoformat())
        assert made.status_code == 201, made.text
        bots.append(Guest(table.client, "Ada", made.json()["token"]))
    problem(await until_refused(bots[0]), 401, "unauthenticated")
    assert (await me(bots[1])).status_code == 200


async def until_refused(guest: Guest) -> Response:
    """The first response that is not what the guest asked for."""
    async with asyncio.timeout(60):
        while (answered := await me(guest)).status_code == 200:  # noqa: ASYNC110 - what is waited for has no bell
            await asyncio.sleep(0.1)
    return answered


async def test_it_is_told_when_a_token_was_used(table: Table) -> None:
    ada = await table.guest("Ada")
    bot, _ = await holder_of(ada)
    assert (await ada.get(TOKENS)).json()["tokens"][1]["used"] is None
    before = datetime.now(UTC)
    await me(bot)
    used = None
    while used is None:
        used = (await ada.get(TOKENS)).json()["tokens"][1]["used"]
    assert before <= datetime.fromisoformat(used) <= datetime.now(UTC)


async def test_a_token_is_made_once_under_a_key(table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    answers = await asyncio.gather(*(make(ada, key="1") for _ in range(6)))
    assert len({answered.json()["token"] for answered in answers}) == 1
    assert len((await ada.get(TOKENS)).json()["tokens"]) == 2
    problem(await make(ada, "another", key="1"), 422, "key_reused")
    assert (await make(ben, key="1")).json()["token"] != answers[0].json()["token"]
    await revoke(ada, answers[0].json()["about"]["id"])
    problem(await make(ada, key="1"), 422, "key_reused")


async def test_so_many_tokens_and_no_more(table: Table) -> None:
    ada = await table.guest("Ada")
    for number in range(MOST_TOKENS - 1):
        assert (await make(ada, f"bot {number}")).status_code == 201
    problem(await make(ada), 409, "too_many_tokens")
    await revoke(ada, (await ada.get(TOKENS)).json()["tokens"][1]["id"])
    assert (await make(ada)).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "bot"},
        {"name": "bot", "scopes": []},
        {"name": "bot", "scopes": ["admin"]},
        {"name": "", "scopes": ["read"]},
        {"name": "x" * 41, "scopes": ["read"]},
        {"name": "bot", "scopes": ["read"], "player": str(uuid4())},
    ],
)
async def test_what_is_no_token_is_refused(table: Table, body: Json) -> None:
    ada = await table.guest("Ada")
    problem(await ada.post(TOKENS, json=body), 400, "invalid_body")


async def test_a_name_that_cannot_be_seen_is_refused(table: Table) -> None:
    problem(await make(await table.guest("Ada"), "bo\u202et"), 422, "unprintable_name")


@pytest.fixture
async def two(database: str) -> AsyncIterator[list[tuple[str, Table]]]:
    """Two servers on one database."""
    async with served(database) as first, served(database) as second:
        yield [first, second]


async def test_a_token_is_revoked_at_every_server_and_its_streams_end(
    two: list[tuple[str, Table]], database: str
) -> None:
    """Both servers know the token; it is revoked at one, and the other one refuses it and ends its streams."""
    (_, here), (address, there) = two
    game = await here.market_phase()
    made = (await make(here.guests[0])).json()
    bot = Guest(there.client, "Ada", made["token"])
    assert (await me(bot)).status_code == 200
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(StreamClient.open(address, path, NDJSON, bot.token))
            for path in ("/v1/stream", f"/v1/games/{game}/events")
        ]
        reading = [asyncio.create_task(read_whole(stream)) for stream in streams]
        await asyncio.sleep(0.1)
        assert not any(task.done() for task in reading)
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(f"NOTIFY {REVOKED}, 'no hash at all'")
        assert (await revoke(here.guests[0], made["about"]["id"])).status_code == 200
        async with asyncio.timeout(60):
            while (await me(bot)).status_code == 200:
                pass
            await asyncio.gather(*reading)
    problem(await me(bot), 401, "unauthenticated")


async def read_whole(stream: StreamClient) -> None:
    """Return at the end of a stream; raises IncompleteReadError if it breaks off."""
    async for _ in stream.messages():
        pass


async def test_a_stream_ends_when_its_token_expires(two: list[tuple[str, Table]]) -> None:
    ((address, table), _) = two
    ada = await table.guest("Ada")
    made = (await make(ada, expires=(datetime.now(UTC) + timedelta(seconds=5)).isoformat())).json()
    async with StreamClient.open(address, "/v1/stream", NDJSON, made["token"]) as stream, asyncio.timeout(60):
        await read_whole(stream)


class SilentLog(PostgresLog):
    """Revocations cannot be sent, as in a cluster."""

    def revocations(self) -> AsyncGenerator[bytes | None, None]:
        raise LogUnavailable("the nodes of a cluster do not tell each other")


async def test_a_server_that_is_not_told_asks_each_time(database: str) -> None:
    async with SilentLog.open(database) as log, client_of(log) as client:
        table = Table(client, log)
        ada = await table.guest("Ada")
        bot, token = await holder_of(ada)
        assert (await me(bot)).status_code == 200
        assert (await revoke(ada, token)).status_code == 200
        problem(await me(bot), 401, "unauthenticated")


class SlowLog(PostgresLog):
    """The token is revoked during the lookup."""

    meanwhile: Callable[[], Awaitable[None]] | None = None

    async def holder(self, token_hash: bytes) -> Holder | None:
        found = await super().holder(token_hash)
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        return found


async def test_a_token_that_is_revoked_while_it_is_looked_up_is_not_remembered(database: str) -> None:
    async with SlowLog.open(database) as log, client_of(log) as client:
        table = Table(client, log)
        ada = await table.guest("Ada")
        bot, token = await holder_of(ada)
        assert (await me(ada)).status_code == 200
        await asyncio.sleep(0.2)

        async def meanwhile() -> None:
            await revoke(ada, token)
            await asyncio.sleep(0.2)  # so that the server is notified meanwhile, if the machine is not busy

        log.meanwhile = meanwhile
        assert (await me(bot)).status_code == 200, "asked before"
        problem(await until_refused(bot), 401, "unauthenticated")


@asynccontextmanager
async def client_of(log: PostgresLog) -> AsyncIterator[AsyncClient]:
    app = application(log)
    transport = ASGITransport(app)  # type: ignore[arg-type]
    async with (
        app.state.service.callers.listening(),
        AsyncClient(transport=transport, base_url="http://mcmulti") as client,
    ):
        yield client
