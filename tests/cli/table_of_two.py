"""A game of two people over HTTP, at a server in a process of its own."""

from typing import Any

import httpx
import msgspec

from mcmulti.api.telling.wire import Events
from mcmulti.events.log.item import recorded
from mcmulti.projections.proof.proof import verify

Headers = dict[str, str]


def started(client: httpx.Client, setup: dict[str, Any]) -> tuple[str, list[Headers]]:
    """A game that has begun, and its players."""
    players = []
    for name in ("Ada", "Ben"):
        token = client.post("/v1/players", json={"name": name}).json()["token"]
        players.append({"Authorization": f"Bearer {token}"})
    game = str(client.post("/v1/games", json=setup, headers=players[0]).json()["game"])
    for player in players:
        assert client.post(f"/v1/games/{game}/seats", json={}, headers=player).status_code == 201
    send(client, game, players[0], {"type": "StartGame"})
    return game, players


def send(client: httpx.Client, game: str, player: Headers, *commands: dict[str, Any]) -> dict[str, Any]:
    sent = client.post(f"/v1/games/{game}/commands", json={"commands": commands}, headers=player)
    assert sent.status_code == 200, sent.text
    told: dict[str, Any] = sent.json()
    return told


def proven(client: httpx.Client, game: str, player: Headers) -> bool:
    """Whether the game passes its proof so far."""
    content = client.get(f"/v1/games/{game}/events", params={"limit": 1000}, headers=player).content
    log = msgspec.json.decode(content, type=Events)
    return verify([recorded(log.game, item) for item in log.events]).fault is None
