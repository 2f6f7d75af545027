"""Two `mcmulti serve` on one database referee rounds whose deadline has passed, each exactly once."""

import asyncio
import json
import signal
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import psycopg

from mcmulti.api.telling.wire import Events
from mcmulti.events.log.item import open_data, recorded
from mcmulti.projections.proof.proof import verify
from tests.cli.command import PATIENCE, running

ROUNDS = 6


async def test_two_servers_on_one_database_referee_every_round_once(empty_database: str, tmp_path: Path) -> None:
    """No deadline is shorter than an hour, so the owner of the database sets it back."""
    await asyncio.to_thread(_referee, empty_database, tmp_path)


def _referee(database: str, tmp_path: Path) -> None:
    options = ("serve", "--port", "0", "--log-format", "json")
    with (
        running(*options, temporary=tmp_path, DATABASE_URL=database) as first,
        running(*options, temporary=tmp_path, DATABASE_URL=database) as second,
    ):
        addresses = first.line("Serving at "), second.line("Serving at ")
        with (
            httpx.Client(base_url=addresses[0], timeout=30, trust_env=False) as client,
            psycopg.connect(database, autocommit=True) as owner,
        ):
            game = _started(client)
            for number in range(1, ROUNDS + 1):
                owner.execute("UPDATE game SET deadline_at = now() - interval '1 hour' WHERE id = %s", (game,))
                _wait_for(client, game, number + 1)
            content = client.get(f"/v1/games/{game}/events", params={"limit": 1000}).content
        log = msgspec.json.decode(content, type=Events)
        closed = [json.loads(open_data(item))["round"] for item in log.events if item.type == "RoundClosed"]
        assert closed == list(range(1, ROUNDS + 1))
        assert verify([recorded(log.game, item) for item in log.events]).fault is None
        for server in (first, second):
            assert server.interrupt(signal.SIGINT) == 0
            assert server.stopped
            assert "Traceback" not in server.said
        told = [json.loads(line) for line in (first.said + second.said).splitlines() if line.startswith("{")]
        refereed = [
            line for line in told if line["event"] == "a deadline is reached" and "RoundClosed" in line["events"]
        ]
        assert [line["game_id"] for line in refereed] == [game] * ROUNDS


def _started(client: httpx.Client) -> str:
    """A game by post that waits for its first sheets."""
    players = []
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        token = client.post("/v1/players", json={"name": name}).json()["token"]
        players.append({"Authorization": f"Bearer {token}"})
    opened = client.post("/v1/games", json={"ruleset": "postal", "setup": {"round_hours": 1}}, headers=players[0])
    game = str(opened.json()["game"])
    for player in players:
        assert client.post(f"/v1/games/{game}/seats", json={}, headers=player).status_code == 201
    start: dict[str, Any] = {"commands": [{"type": "StartGame"}]}
    assert client.post(f"/v1/games/{game}/commands", json=start, headers=players[0]).status_code == 200
    return game


def _wait_for(client: httpx.Client, game: str, number: int) -> None:
    """Wait until that round has begun."""
    until = time.monotonic() + PATIENCE
    while client.get(f"/v1/games/{game}").json()["view"]["round"] < number:
        assert time.monotonic() < until
        time.sleep(0.05)
