"""`mcmulti serve` is killed while a neighbor is asked. The next server lets the neighbor's instruction answer, once."""

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx

from mcmulti.bots.strategies.registry import strategy_for
from tests.cli.command import PATIENCE, running
from tests.cli.table_of_two import Headers, proven, send, started

SECONDS = 3
SETUP = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0, "instructions": SECONDS}}
INSTRUCT = {"type": "Instruct", "orders": {}}
"""Operate nothing."""


async def test_an_instruction_answers_though_the_server_was_killed_that_asked(
    empty_database: str, tmp_path: Path
) -> None:
    await asyncio.to_thread(_killed, empty_database, tmp_path)


def _killed(database: str, tmp_path: Path) -> None:
    options = ("serve", "--port", "0", "--log-format", "json")
    with running(*options, temporary=tmp_path, DATABASE_URL=database) as first:
        with httpx.Client(base_url=first.line("Serving at "), timeout=30, trust_env=False) as client:
            game, players = _begun(client)
            seq = _until_asked(client, game, players)
            _until_answered(client, game, seq)
            seq = _until_asked(client, game, players)
        first.close()
    with (
        running(*options, temporary=tmp_path, DATABASE_URL=database) as one,
        running(*options, temporary=tmp_path, DATABASE_URL=database) as two,
    ):
        one.line("Serving at ")
        with httpx.Client(base_url=two.line("Serving at "), timeout=30, trust_env=False) as client:
            first_event = _until_answered(client, game, seq)
            assert first_event["command"] == {"type": "EndProduction"}
            assert proven(client, game, players[0])


def _begun(client: httpx.Client) -> tuple[str, list[Headers]]:
    """A game in which both players have set an instruction."""
    game, players = started(client, SETUP)
    for player in players:
        send(client, game, player, INSTRUCT)
        told = client.get(f"/v1/games/{game}/offers", headers=player).json()["instruction"]
        assert told == {"command": INSTRUCT, "off": None}
    return game, players


def _until_asked(client: httpx.Client, game: str, players: list[Headers]) -> int:
    """Play at random until a neighbor is asked. Return the number of the event that asks."""
    choose = strategy_for("mcmulti", "random")(3)
    while True:
        shown = client.get(f"/v1/games/{game}").json()
        view = shown["view"]
        (seat,) = view["to_move"]
        if view["phase"] == "neighbours":
            return int(shown["seq"])
        offers = client.get(f"/v1/games/{game}/offers", headers=players[seat]).json()["offers"]
        send(client, game, players[seat], *choose(view, offers))


def _until_answered(client: httpx.Client, game: str, seq: int) -> dict[str, Any]:
    """The first event after this one that nobody sent."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = client.get(f"/v1/games/{game}/events", params={"after": seq, "wait": 5}).json()["events"]
        if found:
            first: dict[str, Any] = found[0]
            return first
    raise AssertionError("nothing answered")
