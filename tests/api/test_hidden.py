"""Two games that differ in what is sealed alone: who may not see it gets the same bytes of both.

The other tests look for what they know of a sheet. These find whatever an answer says of it, in whatever words: a sheet
and the seed are exchanged, all else stays as it is, and every operation of the contract is asked by every kind of
reader. Hashes, signatures, digests and the reader's own salts differ, as they must: they are set aside, and nothing
else.
"""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import patch
from uuid import UUID

import pytest
from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.app import application
from mcmulti.events.memory import MemoryLog
from tests.api.guests import Json, Table
from tests.api.readings import moments, readings
from tests.api.sealed_game import OTHER, SECRET, submit

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MODERATE: Json = {"pumps": {"type": "SellAtPumps", "not_below": 4}}
"""Another sheet than `SECRET`, of another length, whose lines are of other kinds."""

_DIGESTS = re.compile(r"[0-9a-f]{128}|[0-9a-f]{64}|(?<=\"salt\":\")[0-9a-f]{32}|(?<=-)[0-9a-f]{16}(?=\b)")


class Asked(NamedTuple):
    """One request: who sends it, and what."""

    reader: str
    method: str
    path: str
    media_type: str
    body: Json | None = None


@asynccontextmanager
async def playing(sheet: Json, seed: bytes, rounds: int) -> AsyncIterator[tuple[Table, str]]:
    """A game by post on a server of its own, whose ids and moments are always the same.

    So many rounds are over, in which all sent the same sheets; in the next Ada sent this one, and Dan's is missing.
    """
    ids = _ids()
    with patch("mcmulti.events.memory.to_the_second", lambda _: NOON):
        log = MemoryLog()
    await log.signing_key(bytes(32))
    app = application(log)
    app.state.service.referee.clock = lambda: NOON
    with (
        patch("mcmulti.referee.referee.uuid4", lambda: next(ids)),
        patch("mcmulti.referee.ruling.uuid4", lambda: next(ids)),
        patch("mcmulti.api.players.uuid4", lambda: next(ids)),
        patch("mcmulti.referee.referee.secrets", SimpleNamespace(token_bytes=lambda count: seed[:count])),
    ):
        async with AsyncClient(transport=ASGITransport(app), base_url="http://mcmulti") as client:  # type: ignore[arg-type]
            table = Table(client, log)  # type: ignore[arg-type]
            game = await table.start(4, ruleset="postal")
            await table.guest("Eve")
            for number in range(1, rounds + 1):
                for guest in table.guests[:4]:
                    assert (await guest.send(game, submit(OTHER, number))).status_code == 200
            for guest, sent in zip(table.guests[:3], (sheet, OTHER, OTHER), strict=True):
                assert (await guest.send(game, submit(sent, rounds + 1))).status_code == 200
            yield table, game


def _ids() -> Iterator[UUID]:
    number = 0
    while True:
        number += 1
        yield UUID(int=number, version=4)


def _asked(seq: int, round: int) -> Iterator[Asked]:
    """Every reading of the contract, now and in the past, and what others may send.

    It is asked by another seat, a stranger and nobody.
    """
    for reader in ("Ben", "Eve", "nobody"):
        for path, media_type in readings():
            for query in moments(path, seq):
                yield Asked(reader, "GET", path + query, media_type)
        for path in ("/v1/games", "/v1/games?mine=true", "/v1/keys"):
            yield Asked(reader, "GET", path, "application/json")
        yield Asked(reader, "HEAD", "/v1/stream", "application/x-ndjson")
        commands = "/v1/games/{game}/commands?dry_run=true"
        for command in (
            submit(OTHER, round),
            {"type": "HoldRound", "round": round, "hold": True},
            {"type": "WithdrawOrders", "round": round},
        ):
            yield Asked(reader, "POST", commands, "application/json", {"commands": [command]})
        yield Asked(reader, "POST", "/v1/games/{game}/forecast", "application/json", OTHER)
        yield Asked(reader, "POST", "/v1/games/{game}/seats", "application/json", {})


async def _told(table: Table, game: str, asked: Asked) -> str:
    """The whole answer: status, headers, content; without what is a digest, and what is of this request alone."""
    headers = {"Accept": asked.media_type, "Accept-Encoding": "identity"}
    for guest in table.guests:
        if guest.name == asked.reader:
            headers["Authorization"] = f"Bearer {guest.token}"
    path = asked.path.replace("{game}", game)
    answered: Response = await table.client.request(asked.method, path, headers=headers, json=asked.body)
    told = {name: value for name, value in answered.headers.items() if name not in ("x-request-id", "date")}
    return _DIGESTS.sub("digest", f"{answered.status_code} {sorted(told.items())}\n{answered.text}")


async def _all_told(sheet: Json, seed: bytes, rounds: int) -> list[tuple[Asked, str]]:
    async with playing(sheet, seed, rounds) as (table, game):
        seq = (await table.client.get(f"/v1/games/{game}")).json()["seq"]
        return [(asked, await _told(table, game, asked)) for asked in _asked(seq, rounds + 1)]


@pytest.mark.parametrize(
    ("other", "other_seed", "rounds"),
    [(MODERATE, b"b", 0), (MODERATE, b"a", 1)],
    ids=["another sheet and another seed", "another sheet in the second round"],
)
async def test_nobody_else_gets_other_bytes(other: Json, other_seed: bytes, rounds: int) -> None:
    """With another seed the first round only: its dice are open afterwards."""
    one = await _all_told(SECRET, b"a" * 32, rounds)
    same = await _all_told(other, other_seed * 32, rounds)
    assert len(one) > 3 * 40
    for (asked, told), (again, told_again) in zip(one, same, strict=True):
        assert asked == again
        assert told == told_again, asked


async def test_her_own_answers_tell_them_apart() -> None:
    """So that what is compared is not the same anyway: Ada's view and her events are others."""
    answers = []
    for sheet in (SECRET, MODERATE):
        async with playing(sheet, b"a" * 32, 0) as (table, game):
            paths = ("/v1/games/{game}", "/v1/games/{game}/events?until=99")
            answers.append([await _told(table, game, Asked("Ada", "GET", path, "application/json")) for path in paths])
    assert answers[0][0] != answers[1][0]
    assert answers[0][1] != answers[1][1]


async def test_what_is_over_tells_them_apart_for_everybody() -> None:
    """Once the round is refereed, what was reached of a sheet is open: then the same requests find the difference."""
    answers = []
    for sheet in (SECRET, MODERATE):
        async with playing(sheet, b"a" * 32, 0) as (table, game):
            assert (await table.guests[3].send(game, submit(OTHER))).status_code == 200
            path = "/v1/games/{game}/rounds/1"
            answers.append(await _told(table, game, Asked("nobody", "GET", path, "application/json")))
    assert answers[0] != answers[1]
