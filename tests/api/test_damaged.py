"""Games that were damaged below the server: they report it, accept no commands, are not signed, and delay no others."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any
from uuid import UUID

import pytest
from httpx import RemoteProtocolError

from mcmulti.api.caching.folds import Folds
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.game_index import TableRow
from tests.api.guests import Guest, Table
from tests.api.owner import DAMAGES, Owner
from tests.api.stream_client import NDJSON, StreamClient
from tests.api.stream_server import served
from tests.games import random_game

READS = (
    "",
    "/events",
    "/events?after=1",
    "/file",
    "/proof",
    "/replay",
    "/ledger",
    "/balances",
    "/board.svg",
    "/board.txt",
    "/board.png",
    "/charts/cash",
    "/statistics",
    "?at=6",
)


@pytest.fixture
async def table(database: str) -> AsyncIterator[Table]:
    async with served(database) as (_, table):
        yield table


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_a_fresh_server_tells_of_a_damaged_game_and_takes_nothing_for_it(
    damage: str, table: Table, database: str
) -> None:
    damaged, sound = await table.start(), await table.start()
    Owner(database).do(damage, game=UUID(damaged))
    async with served(database) as (address, fresh):
        for read in READS:
            answered = await fresh.client.get(f"/v1/games/{damaged}{read}")
            assert (answered.status_code, answered.json()["code"]) == (409, "damaged_game"), read
        ada = Guest(fresh.client, "Ada", table.guests[0].token)
        for dry_run in (False, True):
            refused = await ada.send(damaged, {"type": "EndPurchases"}, dry_run=dry_run)
            assert (refused.status_code, refused.json()["code"]) == (409, "damaged_game")
        refused = await (await fresh.guest("Zoe")).post(f"/v1/games/{damaged}/seats", json={})
        assert (refused.status_code, refused.json()["code"]) == (409, "damaged_game")

        listed = (await ada.get("/v1/games")).json()["games"]
        assert {game["game"] for game in listed} == {damaged, sound}
        assert (await ada.send(sound, {"type": "EndPurchases"})).status_code == 200
        async with StreamClient.open(address, "/v1/stream", NDJSON, table.guests[1].token) as reader:
            told = await reader.next()
            assert (told["type"], told["game"], told["seat"]) == ("YourTurn", sound, 1)
        async with StreamClient.open(address, f"/v1/games/{damaged}/events", NDJSON) as reader:
            assert await reader.problem() == "damaged_game"


async def test_damage_before_a_snapshot_is_found_before_anything_is_signed(table: Table, database: str) -> None:
    """A snapshot carries what was checked before it, so the game is shown; but the chain from event 1 on is broken."""
    events = random_game(4, 7)
    game = events[0].game_id
    await table.log.create(game, "mcmulti", 1, TableRow("finished"), bytes(32), events)
    for _ in range(2):  # the first read stores snapshots
        async with served(database) as (_, reader):
            assert (await reader.client.get(f"/v1/games/{game}")).status_code == 200
            await reader.client.get(f"/v1/games/{game}/replay?limit=1")
    Owner(database).do(DAMAGES["an event was changed"], game=game)
    async with served(database) as (_, fresh):
        assert (await fresh.client.get(f"/v1/games/{game}")).status_code == 200
        for read in ("/proof", "/file", "?at=6"):
            answered = await fresh.client.get(f"/v1/games/{game}{read}")
            assert (answered.status_code, answered.json()["code"]) == (409, "damaged_game"), read


EVIDENCE = ("/file", "/ledger.journal", "/ledger.beancount")


async def test_what_is_taken_away_as_evidence_is_checked_each_time(table: Table, database: str) -> None:
    """An auditor downloads a game, its events are damaged, and the auditor asks the same server again."""
    game = await table.start()
    for read in (*EVIDENCE, "/proof", "/ledger"):
        assert (await table.client.get(f"/v1/games/{game}{read}")).status_code == 200, read
    Owner(database).do(DAMAGES["an event was changed"], game=UUID(game))
    for read in EVIDENCE:
        answered = await table.client.get(f"/v1/games/{game}{read}")
        assert (answered.status_code, answered.json()["code"]) == (409, "damaged_game"), read


async def test_damage_that_comes_after_the_check_cuts_the_answer_short(
    table: Table, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response has begun, so its status stays; but it never ends like a complete one."""
    game = await table.start()
    for read in EVIDENCE:
        assert (await table.client.get(f"/v1/games/{game}{read}")).status_code == 200, read

    sound = await table.log.read(UUID(game))

    async def passes(_: Folds, now: Position, look: Callable[[Sequence[Recorded]], Any] = len) -> None:
        look(sound)
        Owner(database).do(DAMAGES["an event was changed"], game=now.game_id)

    monkeypatch.setattr(Folds, "check", passes)
    for read in EVIDENCE:
        with pytest.raises(RemoteProtocolError, match="incomplete"):
            await table.client.get(f"/v1/games/{game}{read}")


async def test_a_damaged_game_that_is_mended_is_played_on(table: Table, database: str) -> None:
    game = await table.start()
    owner = Owner(database)
    owner.do("UPDATE game SET head_hash = sha256(head_hash) WHERE id = %(game)s", game=UUID(game))
    async with served(database) as (_, fresh):
        assert (await fresh.client.get(f"/v1/games/{game}")).json()["code"] == "damaged_game"
        owner.do(
            """UPDATE game SET head_hash = (SELECT hash FROM event WHERE game_id = %(game)s AND seq = head_seq)
            WHERE id = %(game)s""",
            game=UUID(game),
        )
        ada = Guest(fresh.client, "Ada", table.guests[0].token)
        assert (await ada.send(game, {"type": "EndPurchases"})).status_code == 200
