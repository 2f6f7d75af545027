"""Registering, including lost responses."""

import asyncio
from hashlib import sha256
from uuid import UUID, uuid4

import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.app import application
from mcmulti.events.memory.log import MemoryLog
from tests.api.guests import Guest, Table, problem


async def register(table: Table, name: str, key: str) -> Response:
    return await table.client.post("/v1/players", json={"name": name}, headers={"Idempotency-Key": key})


async def test_a_registration_is_repeated_with_its_key(table: Table) -> None:
    key = str(uuid4())
    first = await register(table, "Ada", key)
    again = await register(table, "Ada", key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    opened = await Guest(table.client, "Ada", first.json()["token"]).post("/v1/games", json={"ruleset": "mcmulti"})
    assert opened.status_code == 201


async def test_the_key_of_a_registration_with_another_name_is_refused(table: Table) -> None:
    key = str(uuid4())
    assert (await register(table, "Ada", key)).status_code == 201
    problem(await register(table, "Ben", key), 422, "key_reused")
    assert (await register(table, "Ben", str(uuid4()))).status_code == 201, "the refused request registered nobody"


async def test_a_name_is_not_given_to_who_comes_with_another_key(table: Table) -> None:
    assert (await register(table, "Ada", str(uuid4()))).status_code == 201
    problem(await register(table, "Ada", str(uuid4())), 409, "name_taken")


@pytest.mark.parametrize(
    "key", ["1", "register-ada", "x" * 31, "x" * 255, "12" * 16, "00000000-0000-0000-0000-000000000001"]
)
async def test_a_key_that_could_be_guessed_is_refused(table: Table, key: str) -> None:
    problem(await register(table, "Ada", key), 422, "weak_key")


async def test_a_player_says_what_it_is_and_everybody_may_look_that_up(table: Table) -> None:
    registered = {}
    for name, said, kind in (
        ("Ada", {}, "human"),
        ("Ben", {"kind": "human"}, "human"),
        ("Zed", {"kind": "bot"}, "bot"),
    ):
        registered[name] = (await table.client.post("/v1/players", json={"name": name, **said})).json()
        assert registered[name]["kind"] == kind
        looked_up = await table.client.get(f"/v1/players/{registered[name]['player']}")
        found = looked_up.json()
        assert (found["player"], found["name"], found["kind"]) == (registered[name]["player"], name, kind)
    assert registered["Zed"]["token"] not in looked_up.text
    problem(await table.client.post("/v1/players", json={"name": "Eve", "kind": "cat"}), 400, "invalid_body")
    for nobody in (uuid4(), "zed", f"{uuid4()}x"):
        problem(await table.client.get(f"/v1/players/{nobody}"), 404, "unknown_player")


async def test_the_key_of_a_registration_as_something_else_is_refused(table: Table) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    for _ in range(2):
        bot = await table.client.post("/v1/players", json={"name": "Zed", "kind": "bot"}, headers=key)
        assert (bot.status_code, bot.json()["kind"]) == (201, "bot")
    problem(await table.client.post("/v1/players", json={"name": "Zed"}, headers=key), 422, "key_reused")


async def test_two_requests_with_one_key_at_the_same_time_register_one_player(table: Table) -> None:
    key = str(uuid4())
    answers = await asyncio.gather(*(register(table, "Ada", key) for _ in range(8)))
    assert {answered.status_code for answered in answers} == {201}
    assert len({answered.content for answered in answers}) == 1


async def test_the_token_does_not_follow_from_the_key_alone(table: Table) -> None:
    """Nor is the key, or anything derived from it, in the database."""
    key = str(uuid4())
    token = (await register(table, "Ada", key)).json()["token"]
    assert key not in token
    holder = await table.log.holder(sha256(token.encode()).digest())
    assert holder is not None
    assert await table.log.holder(sha256(key.encode()).digest()) is None


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [("192.0.2.1", "192.0.2.1", True), ("192.0.2.1", "192.0.2.2", False), ("2001:db8::1", "2001:db8::2", True)],
)
async def test_who_registers_at_one_address_has_one_origin_which_nobody_is_shown(
    one: str, other: str, together: bool
) -> None:
    log = MemoryLog()
    app = application(log)
    answers: list[Response] = []
    for name, address in (("Ada", one), ("Ben", other)):
        transport = ASGITransport(app, client=(address, 1))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            answers.append(await client.post("/v1/players", json={"name": name}))
            answers.append(await client.get(f"/v1/players/{answers[-1].json()['player']}"))
    ada, ben = (UUID(answers[number].json()["player"]) for number in (0, 2))
    found = await log.players([ada, ben])
    assert found[ada].origin is not None
    assert (found[ada].origin == found[ben].origin) is together
    assert not any("origin" in answer.text or address in answer.text for answer in answers for address in (one, other))
