"""A server, a person who opens tables, and bots that look for tables."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from tests.cli.command import PATIENCE, Command, processes, running

DUEL = {"ruleset": "mcmulti", "setup": {"seats": 2}}
TOWN = {"ruleset": "marracash", "setup": {"seats": 3}}


@contextmanager
def serving(folder: Path, port: str = "0") -> Iterator[tuple[Command, httpx.Client]]:
    """A server and a person."""
    folders = ("--folder", str(folder / "data"))
    with running("serve", "--port", port, *folders, "--second-step", "0", temporary=folder) as serve:
        address = serve.line("Serving at ")
        with httpx.Client(base_url=address, timeout=30) as person:
            registered = person.post("/v1/players", json={"name": f"Ada {time.monotonic_ns()}"}).json()
            person.headers["Authorization"] = f"Bearer {registered['token']}"
            yield serve, person


@contextmanager
def lobby_bot(server: str, folder: Path, name: str, *more: str) -> Iterator[Command]:
    """A bot with this name that looks for games."""
    asked = ("bot", "--lobby", "--server", server, "--keep", str(folder / f"{name}.json"), *more)
    with running(*asked, temporary=folder, XDG_CONFIG_HOME=str(folder)) as command:
        command.line("bot ")
        yield command


def opened(person: httpx.Client, what: dict[str, Any], **more: Any) -> str:
    """Open a table. Return the id of its game."""
    told = person.post("/v1/games", json={**what, **more})
    assert told.status_code == 201, told.text
    return str(told.json()["game"])


def table(person: httpx.Client, game: str) -> dict[str, Any]:
    """The public part of a table."""
    return dict(person.get(f"/v1/games/{game}").json()["table"])


def listed(person: httpx.Client, **wanted: str) -> list[str]:
    """The games that a person finds with these filters."""
    return [table["game"] for table in person.get("/v1/games", params=wanted).json()["games"]]


def is_left(person: httpx.Client, game: str, seat: int) -> bool:
    """Whether a seat is empty."""
    return bool(table(person, game)["seats"][seat]["player"] is None)


def plays_nothing(folder: Path, name: str) -> bool:
    """Whether a bot has no game in its state file."""
    return not kept(folder, name)["games"]


def wait(until: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Wait until a condition holds."""
    deadline = time.monotonic() + patience
    while not (found := until()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found


def played_on(folder: Path) -> list[str]:
    """The processes of seats that are left. Others may end during the search."""
    found = []
    for line in processes(folder):
        with suppress(OSError):
            found.append(Path(f"/proc/{line.split()[0]}/cmdline").read_text())
    return [command for command in found if "lobby_seat" in command]


def kept(folder: Path, name: str) -> dict[str, Any]:
    """The state file of a bot."""
    path = folder / f"{name}.json"
    assert path.stat().st_mode & 0o777 == 0o600
    return dict(json.loads(path.read_bytes()))
