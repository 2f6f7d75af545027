"""`mcmulti serve` is killed while a clock runs. The next server gives the lost time back, and the clock goes on."""

import asyncio
import time
from datetime import datetime
from pathlib import Path

import httpx

from tests.cli.command import PATIENCE, running
from tests.cli.table_of_two import proven, send, started

AWAY = 21.0
"""Seconds, longer than the clock allows for a move."""
SETUP = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0, "clock": {"move_seconds": 20}}}


async def test_a_clock_that_ran_while_all_servers_were_dead_gets_the_time_back(
    empty_database: str, tmp_path: Path
) -> None:
    await asyncio.to_thread(_killed, empty_database, tmp_path)


def _killed(database: str, tmp_path: Path) -> None:
    options = ("serve", "--port", "0", "--log-format", "json")
    with running(*options, temporary=tmp_path, DATABASE_URL=database) as first:
        with httpx.Client(base_url=first.line("Serving at "), timeout=30, trust_env=False) as client:
            game, players = started(client, SETUP)
            before = _deadline(client, game)
        first.close()
    time.sleep(AWAY)
    with (
        running(*options, temporary=tmp_path, DATABASE_URL=database) as one,
        running(*options, temporary=tmp_path, DATABASE_URL=database) as two,
    ):
        addresses = one.line("Serving at "), two.line("Serving at ")
        with httpx.Client(base_url=addresses[1], timeout=30, trust_env=False) as client:
            sent = send(client, game, players[0], {"type": "EndPurchases"})
            assert "MovedUnasked" not in {event["type"] for event in sent["events"]}
            assert _deadline(client, game) > before
            _until_moved(client, game)
            assert proven(client, game, players[0])
        told = [server.said.count("deadlines are moved after an outage") for server in (one, two)]
        assert sum(told) == 1


def _deadline(client: httpx.Client, game: str) -> datetime:
    (listed,) = (each for each in client.get("/v1/games").json()["games"] if each["game"] == game)
    return datetime.fromisoformat(listed["deadline"])


def _until_moved(client: httpx.Client, game: str) -> None:
    """Wait until a server has moved for the player whose time ran out."""
    until = time.monotonic() + PATIENCE
    while '"MovedUnasked"' not in client.get(f"/v1/games/{game}/events", params={"limit": 1000}).text:
        assert time.monotonic() < until
        time.sleep(0.2)
