"""Signed heads, dice and whole games over HTTP."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.app import application
from mcmulti.api.caching import folds
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.signing import is_signed, key_id
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.store.game_file import lines, read, record_of
from mcmulti.projections.proof.proof import verify
from tests.api.guests import Json, Table, problem
from tests.golden.games import FILES, load, seed_of

GAME = load(next(file for file in FILES if file.stem == "two-players"))
HERE = f"/v1/games/{GAME[0].game_id}"


@pytest.fixture
async def client() -> AsyncIterator[AsyncClient]:
    """A server with a golden game, all over."""
    log = MemoryLog()
    await log.create(GAME[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), seed_of(GAME), GAME)
    transport = ASGITransport(application(log))  # type: ignore[arg-type]
    async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
        yield client


async def _key(client: AsyncClient) -> Json:
    (key,) = (await client.get("/v1/keys")).json()["keys"]
    found: Json = key
    return found


async def test_the_key_is_published_and_stays_the_same(table: Table) -> None:
    """Another server on the same database signs with the same key."""
    key = await _key(table.client)
    assert key["key"] == key_id(key["public"])
    assert key["algorithm"] == "Ed25519"
    other = ASGITransport(application(table.log))  # type: ignore[arg-type]
    async with AsyncClient(transport=other, base_url="http://other") as client:
        assert await _key(client) == key


@pytest.mark.parametrize("at", [1, 57, len(GAME)])
async def test_any_moment_is_signed(client: AsyncClient, at: int) -> None:
    """The signature holds without the server, for this head only."""
    key = await _key(client)
    answered = await client.get(f"{HERE}/proof?at={at}")
    proof = answered.json()
    head = Head(at, GAME[at - 1].hash)
    assert (proof["seq"], proof["hash"], proof["key"]) == (at, head.hash.hex(), key["key"])
    assert answered.headers["ETag"].startswith(f'"{at}-{head.hash.hex()}')
    assert "immutable" in answered.headers["Cache-Control"]
    assert is_signed(key["public"], proof["signature"], GAME[0].game_id, head)
    assert not is_signed(key["public"], proof["signature"], GAME[0].game_id, Head(at + 1, head.hash))
    assert not is_signed(key["public"], proof["signature"], UUID(int=1), head)


async def test_the_seed_is_told_when_it_is_revealed_and_not_before(client: AsyncClient) -> None:
    before = (await client.get(f"{HERE}/proof?at={len(GAME) - 1}")).json()
    after = (await client.get(f"{HERE}/proof")).json()
    assert before["seed"] is None
    assert f'"seed":"{after["seed"]}"'.encode() in GAME[-1].data
    assert f'"commitment":"{after["commitment"]}"'.encode() in GAME[0].data


async def test_all_dice_come_page_by_page(client: AsyncClient) -> None:
    """Numbered from 1 without gaps, as many as `verify` draws again."""
    found: list[Json] = []
    after: int | None = 0
    pages = 0
    while after is not None:
        page = (await client.get(f"{HERE}/proof?after={after}&limit=100")).json()
        found += page["draws"]
        after = page["next"]
        pages += 1
    drawn = verify(GAME).draws
    assert page["drawn"] == drawn
    assert [draw["number"] for draw in found] == list(range(1, drawn + 1))
    assert pages == -(-drawn // 100)
    assert all(1 <= draw["value"] <= draw["sides"] for draw in found)
    assert all(GAME[draw["seq"] - 1].rule == draw["rule"] for draw in found)


async def test_what_the_client_has_is_not_sent_again(client: AsyncClient) -> None:
    known = (await client.get(f"{HERE}/proof")).headers["ETag"]
    assert (await client.get(f"{HERE}/proof", headers={"If-None-Match": known})).status_code == 304


@pytest.mark.parametrize("size", [7, 475, 500, 2000])
async def test_the_file_holds_the_whole_game(client: AsyncClient, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the size of the pages in which it is read."""
    monkeypatch.setattr(folds, "PAGE", size)
    answered = await client.get(f"{HERE}/file")
    assert answered.headers["Content-Type"] == "application/x-ndjson"
    assert answered.headers["Content-Disposition"] == f'attachment; filename="{GAME[0].game_id}.mcmulti.jsonl"'
    record = read(answered.content.splitlines(keepends=True))
    assert record.events == GAME
    assert record.file.key == (await _key(client))["public"]
    assert is_signed(str(record.file.key), str(record.file.signature), GAME[0].game_id, record.file.head)
    assert answered.content.splitlines()[1:] == b"".join(lines(record_of(GAME))).splitlines()[1:]


async def test_the_file_of_a_game_that_is_played_ends_at_its_head(table: Table) -> None:
    game = await table.market_phase()
    record = read((await table.client.get(f"/v1/games/{game}/file")).content.splitlines())
    assert record.events == await table.log.read(UUID(game))
    assert verify(record.events).fault is None


async def test_what_is_asked_for_wrongly(client: AsyncClient) -> None:
    problem(await client.get(f"/v1/games/{UUID(int=5)}/proof"), 404, "unknown_game")
    problem(await client.get(f"/v1/games/{UUID(int=5)}/file"), 404, "unknown_game")
    problem(await client.get(f"{HERE}/proof?at=749"), 404, "unknown_moment")
    problem(await client.get(f"{HERE}/proof?limit=1001"), 400, "invalid_query")
    problem(await client.get(f"{HERE}/file?at=1"), 400, "invalid_query")
    assert (await client.get(f"{HERE}/file", headers={"Accept": "application/json"})).status_code == 200
