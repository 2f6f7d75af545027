"""Webhooks over the API."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from mcmulti.api.messages.webhooks import MOST
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from tests.api.guests import Guest, Json, Table, problem
from tests.api.hooks import HOOKS, URL, added, listed, served
from tests.notify.subscriber import AUTH, Subscriber, text


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    async with PostgresLog.open(database) as log:
        yield log


@pytest.fixture
async def table(log: PostgresLog) -> AsyncIterator[Table]:
    async with served(log) as table:
        yield table


async def due(log: Log) -> list[str]:
    return [notice.kind for notice in await log.notices_due(await log.now(), 100, 9)]


async def test_a_webhook_is_added_listed_and_removed_by_its_player_alone(table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    made = await added(ada, service="ntfy", topics=["game.over", "game.over"], language="de")
    about = made["about"]
    assert made["secret"].startswith("whsec_")
    assert {
        name: about[name] for name in ("url", "service", "topics", "language", "gone", "previous_secret_until")
    } == {
        "url": URL,
        "service": "ntfy",
        "topics": ["game.over"],
        "language": "de",
        "gone": None,
        "previous_secret_until": None,
    }
    assert await listed(ada) == [about]
    assert await listed(ben) == []
    for path in (f"{HOOKS}/{about['id']}", f"{HOOKS}/none"):
        problem(await ben.delete(path), 404, "unknown_webhook")
        problem(await ben.post(f"{path}/secret"), 404, "unknown_webhook")
        problem(await ben.post(f"{path}/test"), 404, "unknown_webhook")
    removed = await ada.delete(f"{HOOKS}/{about['id']}")
    assert removed.json() == about
    assert await listed(ada) == []
    problem(await ada.delete(f"{HOOKS}/{about['id']}"), 404, "unknown_webhook")


async def test_a_repeated_request_adds_nothing(table: Table) -> None:
    """Nor does another player get the secret by the same key."""
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    key = {"Idempotency-Key": '"once"'}
    first = await added(ada, key)
    again = await ada.post(HOOKS, json={"url": URL}, headers=key)
    assert (again.status_code, again.json()) == (201, first)
    assert again.headers["idempotent-replayed"] == "true"
    problem(await ada.post(HOOKS, json={"url": f"{URL}2"}, headers=key), 422, "key_reused")
    other = await added(ben, key)
    assert other["secret"] != first["secret"]
    assert other["about"]["id"] != first["about"]["id"]
    assert len(await listed(ada)) == 1
    await ada.post(f"{HOOKS}/{first['about']['id']}/secret")
    problem(await ada.post(HOOKS, json={"url": URL}, headers=key), 422, "key_reused")


async def test_a_secret_is_rotated(table: Table) -> None:
    ada = await table.guest("Ada")
    first = await added(ada)
    rotated = await ada.post(f"{HOOKS}/{first['about']['id']}/secret")
    assert rotated.status_code == 201
    assert rotated.json()["secret"] != first["secret"]
    assert rotated.json()["about"]["previous_secret_until"] is not None
    assert await listed(ada) == [rotated.json()["about"]]


async def test_a_test_message_is_put_into_the_outbox_once_a_minute_at_most(table: Table, log: PostgresLog) -> None:
    ada = await table.guest("Ada")
    made = await added(ada)
    answered = await ada.post(f"{HOOKS}/{made['about']['id']}/test")
    assert (answered.status_code, answered.json()) == (200, made["about"])
    assert await due(log) == ["test"]
    [waiting] = await log.notices_due(await log.now(), 100, 9)
    await log.settle_notice(waiting, await log.now())
    await ada.post(f"{HOOKS}/{made['about']['id']}/test")
    assert len(await due(log)) <= 1  # none, unless a minute ended in between


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://user@example.org/",
        "https://example.org:25/",
        "https://example.org/#x",
        "https://",
    ],
)
async def test_urls_that_no_message_goes_to(table: Table, url: str) -> None:
    ada = await table.guest("Ada")
    found = problem(await ada.post(HOOKS, json={"url": url}), 422, "refused_url")
    assert found["field"] == "url"
    assert await listed(ada) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": "ftp://example.org/"},
        {"url": URL, "topics": []},
        {"url": URL, "topics": ["game.begun"]},
        {"url": URL, "service": "telegram"},
        {"url": URL, "secret": "whsec_AAAA"},
        {"url": URL, "language": "fr"},
    ],
)
async def test_what_does_not_fit_the_schema(table: Table, body: Json) -> None:
    ada = await table.guest("Ada")
    problem(await ada.post(HOOKS, json=body), 400, "invalid_body")


async def test_an_address_is_not_looked_up_when_it_is_added(table: Table) -> None:
    """So nobody learns what names mean in the network of the server; nothing is sent there either."""
    ada = await table.guest("Ada")
    await added(ada, url="https://localhost:8443/")
    await added(ada, url="https://no-such-host.invalid/")


async def test_there_are_only_so_many(table: Table) -> None:
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    for _ in range(MOST):
        made = await added(ada)
    problem(await ada.post(HOOKS, json={"url": URL}), 409, "too_many_webhooks")
    await added(ben)
    await ada.delete(f"{HOOKS}/{made['about']['id']}")
    await added(ada)


async def test_a_server_that_sends_no_messages_says_so(log: PostgresLog) -> None:
    """What was added before can be seen and removed."""
    async with served(log) as before:
        ada = await before.guest("Ada")
        made = await added(ada)
    async with served(log, None) as table:
        ada = Guest(table.client, "Ada", ada.token)
        problem(await ada.post(HOOKS, json={"url": URL}), 409, "no_messages")
        problem(await ada.post(f"{HOOKS}/{made['about']['id']}/test"), 409, "no_messages")
        assert await listed(ada) == [made["about"]]
        assert (await ada.delete(f"{HOOKS}/{made['about']['id']}")).status_code == 200


async def test_a_token_that_only_plays_sees_no_webhook(table: Table) -> None:
    ada = await table.guest("Ada")
    made = await added(ada)
    limited = await ada.post("/v1/players/me/tokens", json={"name": "bot", "scopes": ["read", "play"]})
    bot = Guest(table.client, "Ada", limited.json()["token"])
    problem(await bot.get(HOOKS), 403, "missing_scope")
    problem(await bot.post(HOOKS, json={"url": URL}), 403, "missing_scope")
    problem(await bot.delete(f"{HOOKS}/{made['about']['id']}"), 403, "missing_scope")


async def test_who_is_erased_leaves_no_webhook(table: Table, log: PostgresLog) -> None:
    ada = await table.guest("Ada")
    await added(ada)
    assert await log.any_webhooks()
    assert (await ada.erase()).status_code == 204
    assert not await log.any_webhooks()


PUSH = "https://push.example.org/send/abc"


def subscribed(browser: Subscriber) -> Json:
    return {"p256dh": text(browser.point), "auth": text(AUTH)}


async def test_a_browser_subscribes_with_the_key_of_the_server(table: Table) -> None:
    ada, browser = await table.guest("Ada"), Subscriber()
    key = (await ada.get(HOOKS)).json()["push_key"]
    assert len(key) == 87  # 65 bytes
    made = await added(ada, {"Idempotency-Key": "k" * 32}, url=PUSH, service="push", keys=subscribed(browser))
    again = await added(ada, {"Idempotency-Key": "k" * 32}, url=PUSH, service="push", keys=subscribed(browser))
    assert again == made
    other = {"url": PUSH, "service": "push", "keys": subscribed(Subscriber(2))}
    problem(await ada.post(HOOKS, json=other, headers={"Idempotency-Key": "k" * 32}), 422, "key_reused")
    me = UUID((await ada.get("/v1/players/me")).json()["player"])
    [kept] = await table.log.webhooks([me])
    assert kept.keys == browser.keys
    assert "keys" not in made["about"]
    assert (await ada.get(HOOKS)).json() == {"webhooks": [made["about"]], "push_key": key, "email": False}


async def test_keys_belong_to_push_alone_and_are_those_of_a_browser(table: Table) -> None:
    ada = await table.guest("Ada")
    keys = subscribed(Subscriber(2))
    for body, why in (
        ({"url": PUSH, "service": "push"}, "needs the keys"),
        ({"url": URL, "keys": keys}, "Only the service push has keys"),
        ({"url": PUSH, "service": "push", "keys": {**keys, "p256dh": text(bytes(65))}}, "not a point"),
        ({"url": PUSH, "service": "push", "keys": {**keys, "auth": "AAAA"}}, "must have 16 bytes, not 3"),
    ):
        refused = problem(await ada.post(HOOKS, json=body), 422, "bad_keys")
        assert why in refused["detail"]
        assert refused["field"] == "keys"
    problem(await ada.post(HOOKS, json={"url": PUSH, "service": "push", "keys": {"auth": "AAAA"}}), 400, "invalid_body")
    assert await listed(ada) == []
