"""This checkout compared with another, such as the last release: the same work in both, in turn, as ratios.

``python -m benchmarks.against CHECKOUT``, where CHECKOUT has a ``.venv`` of its own.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from select import select
from statistics import median
from time import perf_counter
from typing import Any

import click

ROOT = Path(__file__).parents[1]
SECONDS = 0.6
"""Seconds of one measurement, roughly."""
PATIENCE = 120.0
"""Seconds until a checkout reports."""
Work = Callable[[], Any]
"""Does something once. Its return value may be awaitable."""


def workloads() -> dict[str, Work]:
    """The work to measure. It also runs in other checkouts, so it only uses names that have existed for long."""
    from mcmulti.domain.mcmulti import RULESET
    from mcmulti.domain.mcmulti.setup import Setup
    from mcmulti.domain.postal import RULESET as POSTAL
    from mcmulti.events.log.codec import fold
    from mcmulti.projections.books.ledger import balanced, entries
    from mcmulti.projections.charts.charts import chart
    from mcmulti.projections.proof.proof import verify
    from mcmulti.projections.reports.replay import frames
    from mcmulti.projections.statistics.game import game_statistics
    from mcmulti.simulation import play
    from tests.games import random_game, random_postal_game
    from tests.pure.postal.games import postal_game, whimsically

    box, post = random_game(4, 7), random_postal_game(3)
    halfway = fold(RULESET, box[:300])
    return {
        "play, box game": lambda: list(play(RULESET, Setup(seats=4), 7)),
        "play, by post": lambda: list(postal_game(3, whimsically, 40)),
        "decode and fold, box game": lambda: fold(RULESET, box),
        "decode and fold, by post": lambda: fold(POSTAL, post),
        "prove": lambda: verify(box),
        "replay": lambda: list(frames(RULESET, halfway, box[300:400])),
        "replay, whole game": lambda: list(frames(RULESET, None, box)),
        "ledger": lambda: balanced(entries(box)),
        "statistics": lambda: game_statistics(box),
        "chart": lambda: chart("worth", box),
        **requests(),
    }


def requests() -> dict[str, Work]:
    """A server's work for a request, without sockets: the application is called as servers call it."""
    from mcmulti.api.app import application
    from mcmulti.api.logging import configure
    from mcmulti.events.memory.log import MemoryLog

    configure(json=False, level="error")
    app = application(MemoryLog())
    token = ""

    async def call(method: str, path: str, body: Any = None, status: int = 200) -> Any:
        path, _, query = path.partition("?")
        sent = b"" if body is None else json.dumps(body).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(sent)).encode())] if sent else []
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(b"authorization", f"Bearer {token}".encode()), *headers] if token else headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "scheme": "http",
            "http_version": "1.1",
            "extensions": {},
            "asgi": {"version": "3.0"},
        }
        got: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": sent, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            got.append(message)

        await app(scope, receive, send)  # type: ignore[arg-type]
        content = b"".join(message.get("body", b"") for message in got)
        if got[0]["status"] != status:
            raise RuntimeError(f"{method} {path}: {got[0]['status']} {content.decode()}")
        return json.loads(content) if content else None

    async def opened() -> str:
        nonlocal token
        game = ""
        for seat in range(2):
            token = ""
            token = (await call("POST", "/v1/players", {"name": f"Player {seat}"}, 201))["token"]
            if not game:
                setup = {"seats": 2}
                game = (await call("POST", "/v1/games", {"ruleset": "mcmulti", "setup": setup}, 201))["game"]
            await call("POST", f"/v1/games/{game}/seats", {"entropy": "x"}, 201)
        return f"/v1/games/{game}"

    game = _run(opened())
    leave = {"commands": [{"type": "LeaveSeat"}]}

    async def seated() -> None:
        await call("POST", f"{game}/commands", leave)
        await call("POST", f"{game}/seats", {"entropy": "x"}, 201)

    return {
        "GET game": partial(call, "GET", game),
        "GET game at an event": partial(call, "GET", f"{game}?at=2"),
        "GET offers": partial(call, "GET", f"{game}/offers"),
        "GET events": partial(call, "GET", f"{game}/events"),
        "POST commands, dry run": partial(call, "POST", f"{game}/commands?dry_run=true", leave),
        "POST commands and seats": seated,
    }


_LOOP = asyncio.new_event_loop()


def _run(work: Awaitable[Any]) -> Any:
    return _LOOP.run_until_complete(work)


def _times(work: Work, number: int) -> float:
    """Seconds that the work takes, repeated this many times."""
    if not isinstance(work, partial) and not asyncio.iscoroutinefunction(work):
        start = perf_counter()
        for _ in range(number):
            work()
        return perf_counter() - start

    async def repeated() -> float:
        start = perf_counter()
        for _ in range(number):
            await work()
        return perf_counter() - start

    return float(_run(repeated()))


def serve() -> None:
    """Be one of the two: for each name on standard input, print how many seconds the work takes once."""
    known = workloads()
    print(json.dumps(list(known)), flush=True)
    numbers = {name: max(1, round(SECONDS / max(_times(work, 1), 1e-6))) for name, work in known.items()}
    for line in sys.stdin:
        name = line.strip()
        print(_times(known[name], numbers[name]) / numbers[name], flush=True)


class Side:
    """A checkout that follows orders."""

    def __init__(self, checkout: Path) -> None:
        from benchmarks.processes import mortal  # not in the other checkout, which may be older

        self._process = subprocess.Popen(
            [checkout / ".venv" / "bin" / "python", "-c", f"import sys; sys.path.insert(0, '.'); {_SERVE}"],
            cwd=checkout,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=mortal(),  # noqa: PLW1509 - it calls nothing that takes a lock
        )
        self.names: list[str] = json.loads(self._said())

    def measure(self, name: str) -> float:
        """Seconds that this work takes."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        return float(self._said())

    def _said(self) -> str:
        assert self._process.stdout is not None
        ready, _, _ = select([self._process.stdout], [], [], PATIENCE)
        if not ready:
            raise click.ClickException(f"A checkout did not report within {PATIENCE:g} s.")
        line = self._process.stdout.readline()
        if not line:
            raise click.ClickException("One of the checkouts cannot do the work; it says why above.")
        return line


_SERVE = f"import runpy; runpy.run_path({str(Path(__file__))!r})['serve']()"


@click.command()
@click.argument("checkout", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", default=15, show_default=True, help="How often each is measured.")
def main(checkout: Path, rounds: int) -> None:
    """Print, for each row, how long this checkout takes compared with CHECKOUT: 1.05 is 5 % longer."""
    ours, theirs = Side(ROOT), Side(checkout)
    for name in ours.names:
        ratios = []
        for number in range(rounds):
            first, second = (ours, theirs) if number % 2 else (theirs, ours)
            a, b = first.measure(name), second.measure(name)
            ratios.append(a / b if number % 2 else b / a)
        click.echo(f"{name:28} {median(ratios):5.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
