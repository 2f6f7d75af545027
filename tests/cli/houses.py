"""Servers with house bots, and people who play there."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.cli import command
from tests.cli.command import Command, running

Json = dict[str, Any]
PATIENCE = 600.0
"""Seconds. House bots give way to everything else on a busy machine."""
OPTIONS = ("serve", "--port", "0", "--log-format", "json", "--house-bots")


ENDS = ("EndPurchases", "RollDice", "EndProduction", "EndTurn")
"""Moves that end a phase of the box game."""


class Guests:
    """People at a server, by name."""

    def __init__(self, client: httpx.Client) -> None:
        self.http = client
        self.tokens: dict[str, str] = {}

    def ask(self, name: str, method: str, path: str, **body: Any) -> Json:
        """A request of a player, who is registered on the first one."""
        if name not in self.tokens:
            self.tokens[name] = self.http.post("/v1/players", json={"name": name}).json()["token"]
        headers = {"Authorization": f"Bearer {self.tokens[name]}"}
        answered = self.http.request(method, path, headers=headers, json=body if method == "POST" else None)
        assert answered.is_success, answered.text
        told: Json = answered.json()
        return told

    def start(self, *names: str, ruleset: str = "mcmulti", **setup: Any) -> str:
        """A new game that has begun."""
        clock = {} if ruleset == "postal" else {"clock": {"move_seconds": 600}}
        setup = {"seats": len(names), "if_left": "bot", **clock, **setup}
        game = str(self.ask(names[0], "POST", "/v1/games", ruleset=ruleset, setup=setup)["game"])
        for name in names:
            self.ask(name, "POST", f"/v1/games/{game}/seats")
        self.send(names[0], game, type="StartGame")
        return game

    def send(self, name: str, game: str, **command: Any) -> Json:
        """Send a command for a player."""
        return self.ask(name, "POST", f"/v1/games/{game}/commands", commands=[command])

    def table(self, game: str) -> Json:
        """The public part of a table."""
        told: Json = self.http.get(f"/v1/games/{game}").json()["table"]
        return told

    def states(self, game: str) -> list[str]:
        """The states of the seats."""
        return [seat["state"] for seat in self.table(game)["seats"]]

    def after(self, game: str, seq: int) -> None:
        """Wait until a game has an event after this one, for at most 20 seconds."""
        self.http.get(f"/v1/games/{game}/events", params={"after": seq, "limit": 1, "wait": 20}).raise_for_status()

    def play_until(self, game: str, turn: int) -> None:
        """Ada and Cleo make the smallest legal moves until that turn has come."""
        deadline = time.monotonic() + PATIENCE
        while (told := self.http.get(f"/v1/games/{game}").json())["table"]["turn"] < turn:
            assert time.monotonic() < deadline
            if not any(self._acts(name, game) for name in ("Ada", "Cleo")):
                self.after(game, told["seq"])

    def _acts(self, name: str, game: str) -> bool:
        """Make the smallest legal move, if there is one."""
        offers = self.ask(name, "GET", f"/v1/games/{game}/offers")["offers"]
        ends = [offer for offer in offers if offer["command"] in ENDS]
        if ends:
            self.send(name, game, type=ends[0]["command"])
        return bool(ends)


def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    command.until(holds, PATIENCE)


def told(server: Command, event: str) -> list[Json]:
    """The lines of the log that report an event."""
    lines = [json.loads(line) for line in server.said.splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


def house(server: Command) -> int:
    """The process ids of the house bots that are playing."""
    until(lambda: told(server, "house bots play"))
    return int(told(server, "house bots play")[-1]["pid"])


@contextmanager
def serving(tmp_path: Path, *more: str, games: int = 3, **environment: str) -> Iterator[tuple[Command, Guests]]:
    """A server with house bots and a few people."""
    with (
        running(*OPTIONS, str(games), *more, temporary=tmp_path, **environment) as server,
        httpx.Client(base_url=server.line("Serving at "), timeout=30, trust_env=False) as client,
    ):
        yield server, Guests(client)
