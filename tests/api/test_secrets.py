"""Secrets that must appear nowhere: tokens, the keys that they are derived from, seeds."""

from uuid import uuid4

import psycopg
import pytest
from httpx import ASGITransport, AsyncClient
from structlog.testing import capture_logs

from mcmulti.api.app import application
from mcmulti.api.service import Service
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from tests.api.guests import Guest, problem

EVIL = "Robert'); DROP TABLE player;--"
BOX = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}


def rows(database: str) -> str:
    """Everything that stands in a database."""
    found = []
    with psycopg.connect(database) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (name,) in names:
            found += connection.execute(f"SELECT {name}::text FROM {name}".encode()).fetchall()
    return "\n".join(text for (text,) in found)


async def test_tokens_keys_and_seeds_stand_in_no_row_no_line_and_no_refusal(database: str) -> None:
    """A starting game, with every way to refuse a token; the seed is only in its own table."""
    key = str(uuid4())
    said: list[str] = []
    with capture_logs() as logged:
        async with PostgresLog.open(database) as log:
            transport = ASGITransport(application(log, access_log=True))  # type: ignore[arg-type]
            async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
                guests = []
                for name, headers in (("Ada", {"Idempotency-Key": key}), ("Ben", {})):
                    registered = await client.post("/v1/players", json={"name": name}, headers=headers)
                    guests.append(Guest(client, name, registered.json()["token"]))
                game = (await guests[0].post("/v1/games", json=BOX)).json()["game"]
                for guest in guests:
                    await guest.post(f"/v1/games/{game}/seats", json={})
                await guests[0].send(game, {"type": "StartGame"})
                for credentials in ("Bearer {}x", "Basic {}", "bearer  {} ", "Bearer x{}", "{}"):
                    headers = {"Authorization": credentials.format(guests[0].token)}
                    answered = await client.get(f"/v1/games/{game}/offers", headers=headers)
                    said += [answered.text, repr(answered.headers)]
                again = await client.post("/v1/players", json={"name": "Eve"}, headers={"Idempotency-Key": key})
                said.append(problem(again, 422, "key_reused")["detail"])
                for guest in guests:
                    refused = await guest.send(game, {"type": "RollDice"}, Idempotency_Key="k")
                    said += [refused.text, repr(refused.headers), (await guest.get(f"/v1/games/{game}")).text]
    with psycopg.connect(database) as connection:
        [(seed,)] = connection.execute("SELECT seed FROM secret").fetchall()
    kept, lines = rows(database), repr(logged)
    assert f"\\x{seed.hex()}" in kept
    assert "StartGame" in kept
    assert game in lines
    for token in (*(guest.token for guest in guests), key):
        assert token not in kept
        assert token.removeprefix("mcm_") not in kept
        assert all(token not in text for text in (lines, *said))
    assert all(seed.hex() not in text for text in (lines, *said))
    assert kept.count(seed.hex()) == 1


async def test_a_token_has_256_bits() -> None:
    """32 bytes take 43 characters of base64 (RFC 4648)."""
    tokens = {(await Service(MemoryLog()).token_of("token", None))[0] for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token.removeprefix("mcm_")) for token in tokens} == {43}


@pytest.mark.parametrize("address", ["/v1/games?ruleset={}", "/v1/games?before={}", "/v1/players/{}", "/v1/games/{}"])
async def test_what_looks_like_sql_is_a_value_or_refused(database: str, address: str) -> None:
    async with PostgresLog.open(database) as log:
        transport = ASGITransport(application(log))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            registered = await client.post("/v1/players", json={"name": EVIL})
            assert (registered.status_code, registered.json()["name"]) == (201, EVIL)
            evil = Guest(client, EVIL, registered.json()["token"])
            first = (
                await evil.post("/v1/games", json=BOX, headers={"Idempotency-Key": "';DELETE/**/FROM/**/game;--"})
            ).json()
            assert (await evil.post(f"/v1/games/{first['game']}/seats", json={})).status_code == 201
            assert (await evil.get(address.format("x' OR '1'='1"))).status_code in (400, 404)
            problem(
                await client.get("/v1/games?mine=true", headers={"Authorization": "Bearer ' OR ''='"}),
                401,
                "unauthenticated",
            )
            looked_up = await client.get(f"/v1/players/{registered.json()['player']}")
            assert looked_up.json()["name"] == EVIL
            assert [game["game"] for game in (await client.get("/v1/games")).json()["games"]] == [first["game"]]
