"""Games of both versions of the fair, of a stranger, and of McMulti at one server."""

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.app import application
from mcmulti.bots.strategy import RandomMoves
from mcmulti.domain.rulesets import BY_VERSION, CURRENT
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.projections.proof.proof import verify
from tests.api.guests import Guest, Table, problem


@pytest.fixture
async def in_memory() -> AsyncIterator[Table]:
    """A server that keeps games in memory."""
    log = MemoryLog()
    async with _client(log) as client:
        yield Table(client, log)  # type: ignore[arg-type]


@pytest.fixture
async def in_postgres(database: str) -> AsyncIterator[Table]:
    """A server that keeps games in Postgres."""
    async with PostgresLog.open(database) as log, _client(log) as client:
        yield Table(client, log)


@pytest.fixture(params=["in_memory", "in_postgres"])
def table(request: pytest.FixtureRequest, in_memory: Table, in_postgres: Table) -> Table:
    """A server on each kind of log."""
    return {"in_memory": in_memory, "in_postgres": in_postgres}[request.param]


def _client(log: Log) -> AsyncClient:
    return AsyncClient(transport=ASGITransport(application(log)), base_url="http://mcmulti")  # type: ignore[arg-type]


async def _first_version(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    """A fair that began while the first version was current. It is Ada's turn."""
    with monkeypatch.context() as then:
        then.setitem(CURRENT, "wool_fair", BY_VERSION["wool_fair", 1])
        return await table.start(2, "wool_fair", days=2)


async def _offered(guest: Guest, game: str) -> list[dict[str, Any]]:
    answered = await guest.get(f"/v1/games/{game}/offers")
    offers: list[dict[str, Any]] = answered.json()["offers"]
    return offers


async def _to_the_end(table: Table, game: str) -> None:
    """Every player sends random offers until nobody is waited for."""
    moves = RandomMoves(Random(game).randrange(1000))
    while waiting := (await table.client.get(f"/v1/games/{game}")).json()["view"]["to_move"]:
        guest = table.guests[waiting[0]]
        sent = await guest.send(game, *moves({}, await _offered(guest, game)))
        assert sent.status_code == 200, sent.text


async def test_a_game_of_the_first_version_goes_on_when_the_second_is_current(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is played by the version it began with. Both are proven."""
    old = await _first_version(table, monkeypatch)
    new = await table.start(2, "wool_fair", days=2)
    versions = [(await table.client.get(f"/v1/games/{game}")).json()["table"]["version"] for game in (old, new)]
    assert versions == [1, 2]
    bought = await table.guests[0].send(old, {"type": "BuyWool", "sacks": 3})
    assert bought.json()["events"][0]["data"] == {"type": "WoolBought", "seat": 0, "sacks": 3, "paid": 15}
    bought = await table.guests[0].send(new, {"type": "BuyWool", "sacks": 1, "pen": "west"})
    assert bought.json()["events"][0]["data"] == {
        "type": "WoolBought",
        "seat": 0,
        "sacks": 1,
        "pen": "west",
        "paid": 4,
    }
    for game in (old, new):
        await _to_the_end(table, game)
        [known] = [row for row in await table.log.games(10) if str(row.game_id) == game]
        assert verify(await table.log.read(known.game_id)).fault is None


async def test_what_the_first_version_offers_is_accepted_by_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await _first_version(table, monkeypatch)
    ada = table.guests[0]
    for offer in await _offered(ada, game):
        fields = {name: field["max"] for name, field in offer.get("fields", {}).items()}
        tried = await ada.send(game, {"type": offer["command"], **fields}, dry_run=True)
        assert tried.status_code == 200, tried.text


async def test_a_command_of_the_second_version_says_nothing_to_the_first(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = await _first_version(table, monkeypatch), await table.start(2, "wool_fair")
    sent = await table.guests[0].send(old, {"type": "BuyWool", "sacks": 1, "pen": "east"})
    assert "pen" in problem(sent, 400, "invalid_body")["detail"]
    sent = await table.guests[0].send(new, {"type": "BuyWool", "sacks": 1})
    assert "pen" in problem(sent, 400, "invalid_body")["detail"]


async def test_a_game_with_a_start_of_its_own_breaks_nobody(table: Table) -> None:
    for ruleset in ("stranger", "wool_fair", "mcmulti"):
        game = await table.start(2, ruleset)
        assert (await table.client.get(f"/v1/games/{game}")).json()["view"]["status"] == "running"


async def test_a_move_of_another_game_is_refused_in_words(table: Table) -> None:
    game = await table.start(2, "wool_fair")
    sent = await table.guests[0].send(game, {"type": "RollDice"})
    assert "RollDice" in problem(sent, 409, "other_ruleset")["detail"]
