"""A database with several nodes, some of which are down: what clients see of it."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api import readiness
from mcmulti.api.app import application
from mcmulti.events.cluster.spread import SpreadLog
from tests.api.guests import Table
from tests.events.cluster import fail, heal, known_away, spread


@pytest.fixture(autouse=True)
def looked_at_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readiness is checked on every request, instead of at most once a second."""
    monkeypatch.setattr(readiness, "AGE", 0.0)


@pytest.fixture
async def cluster(database: str) -> AsyncIterator[str]:
    async with spread(database) as there:
        yield there


@pytest.fixture
async def table(cluster: str) -> AsyncIterator[Table]:
    """A server on two nodes."""
    async with SpreadLog.open(cluster, pool_size=4, patience=0.6) as log:
        transport = ASGITransport(application(log))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            yield Table(client, log)


async def test_games_on_the_other_node_are_listed_and_played(cluster: str, table: Table) -> None:
    token = (await table.client.post("/v1/players", json={"name": "Ann"})).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    games: dict[int, str] = {}
    while len(games) < 2:
        opened = await table.client.post("/v1/games", json={"ruleset": "postal", "setup": {}}, headers=headers)
        games[table.log.node_of(UUID(opened.json()["game"]))] = opened.json()["game"]
    listed = (await table.client.get("/v1/games?limit=100")).json()
    assert set(games.values()) <= {game["game"] for game in listed["games"]}
    assert listed["incomplete"] is False
    assert (await table.client.get("/readyz")).json() == {"status": "ok", "away": [], "failing": []}

    fail(cluster, 2, hangs=True)
    listed = (await table.client.get("/v1/games?limit=100")).json()
    assert games[3] in {game["game"] for game in listed["games"]}
    assert games[2] not in {game["game"] for game in listed["games"]}
    assert listed["incomplete"] is True
    ready = await table.client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"status": "ok", "away": ["node 2"], "failing": []})
    assert (await table.client.post(f"/v1/games/{games[3]}/seats", json={}, headers=headers)).status_code == 201
    away = await table.client.get(f"/v1/games/{games[2]}")
    assert (away.status_code, away.json()["code"]) == (503, "database_away")
    registering = await table.client.post("/v1/players", json={"name": "Ben"})
    assert (registering.status_code, registering.json()["code"]) == (503, "database_away")

    fail(cluster, 3, hangs=False)
    assert (await table.client.get(f"/v1/games/{games[3]}")).status_code == 503
    assert (await table.client.get("/readyz")).status_code == 503

    heal(cluster)
    await known_away(table.log)
    assert (await table.client.get("/readyz")).json()["away"] == []
    assert (await table.client.get(f"/v1/games/{games[2]}")).status_code == 200
    assert (await table.client.get("/v1/games")).json()["incomplete"] is False
