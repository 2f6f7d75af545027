"""What `make bench` measures: groups of items, each group in a process of its own."""

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import NamedTuple

from benchmarks.figures import Aim, Figure, Item
from tests.needs import ELSEWHERE

LOCK = "benchmarks/requirements.lock"
PROGRAMS = {"hledger": "hledger", "chromium": "chromium"}
"""Programs that items need, with their Debian package. All else is a variable of the tests, or a Python package."""


class Group(NamedTuple):
    """Items that are measured in the same rounds. `module` has ITEMS and AIMS. `about` describes the comparison."""

    name: str
    title: str
    rounds: int
    about: str

    @property
    def module(self) -> str:
        """The path of its module."""
        return f"benchmarks.{self.name}"

    def items(self) -> tuple[Item, ...]:
        """The items of each round, in order."""
        items: tuple[Item, ...] = import_module(self.module).ITEMS
        return items

    def aims(self) -> tuple[Aim, ...]:
        """Its comparisons."""
        aims: tuple[Aim, ...] = import_module(self.module).AIMS
        return aims

    def figures(self) -> list[Figure]:
        """All groups, in order."""
        return [figure for item in self.items() for figure in item.figures]


GROUPS = (
    Group(
        "server",
        "Server",
        5,
        "All on one PostgreSQL, with fsync and synchronous_commit on. Servers are processes of their own and log as in "
        "production; the load generator runs beside them. An append is what one command writes: the head of the game, "
        "its events, and a receipt. `in process` is the referee without HTTP.",
    ),
    Group(
        "foundations",
        "Beside Litestar and uvicorn",
        5,
        "What this project does itself, and what Litestar and uvicorn would do in its place: the time that the "
        "processor works for a request. Litestar: one process, no socket, everything else alike. uvicorn: the same "
        "1,200 bytes for 16 clients; `one write` is its own protocol on a transport that gathers what it writes.",
    ),
    Group(
        "rules",
        "Rules",
        7,
        "One process, no I/O. Four random players in every game, here and in catanatron. A decision is one command. "
        "Bare decoding makes dicts with `msgspec.json.decode`, event by event; decoding to events uses the decoder of "
        "the rule set. Verifying the hash chain takes two SHA-256 an event.",
    ),
    Group(
        "postal",
        "Games by post",
        5,
        "One process, no I/O. A sheet of 200 lines is the largest there is; dice are the same for both sheets.",
    ),
    Group(
        "arena",
        "Arena",
        5,
        "Random players, four seats, one process. Unlike above, views and commands go through JSON, as on a server. A "
        "decision is one answer to all that is offered.",
    ),
    Group(
        "training",
        "Training environments",
        5,
        "Random legal actions; each step reads the observation and the action mask.",
    ),
    Group(
        "replays",
        "Replays",
        7,
        "A whole game from PostgreSQL: read it, verify it by deciding every command again, make the frames of a "
        "replay. And the state at an event of a long game, over HTTP.",
    ),
    Group(
        "crowd",
        "Sixty replays at once",
        3,
        "Sixty clients replay a game turn by turn at the same time; another client measures its response times.",
    ),
    Group(
        "costs",
        "Anonymous requests",
        2,
        "Of each operation that takes no token, the request that costs the most, about a game of about 1,500 events "
        "(rounds: a game by post) of which nothing is cached; streams are left out. Then each of them is sent again "
        "and again from an address of its own, to a server with default limits, beside an honest player.",
    ),
    Group(
        "ledger",
        "Ledger",
        3,
        "Random games in a file. Each candidate is a process of its own, whose start is included: our ledger reads the "
        "log, hledger the exported journal of the same games.",
    ),
    Group(
        "statistics",
        "Statistics",
        2,
        "`mcmulti statistics --all` on a database of random games; its start is included.",
    ),
    Group(
        "reviews",
        "Reviews",
        2,
        "A recorded box game of four players, reviewed with the usual budget of 60 seconds in the process that servers "
        "start for it: its start, the check of the game, and the texts in both languages are included.",
    ),
    Group(
        "nodes",
        "Cluster",
        3,
        "The same server on one PostgreSQL, and on a worker of a Citus cluster of a coordinator and two workers, all "
        "on this machine. What a command costs the server, and all processes of PostgreSQL.",
    ),
    Group(
        "clocks",
        "Clocks",
        12,
        "Games with a clock and without one take turns. Each command ends a move of the Millionenspiel, the worst "
        "case: every one writes a deadline.",
    ),
    Group(
        "records",
        "Player records",
        12,
        "The referee with player records and without them, in turn: games of five, twenty moves each, then four of "
        "the players leave.",
    ),
    Group(
        "pages",
        "Page of a game",
        3,
        "In Chromium, without a graphics card, on the same processors as the server and all other watchers. A watcher "
        "requests what a page requests.",
    ),
    Group(
        "lobby",
        "Lobby",
        3,
        "A lobby with a thousand open tables in Chromium, on the same processors as the server.",
    ),
)


def missing(name: str) -> str:
    """Why a program, an address, or a package cannot be used. Empty if it can."""
    if name in PROGRAMS:
        return "" if which(name) else f"{name} is missing (apt-get install {PROGRAMS[name]})"
    if name in ELSEWHERE:
        return "" if name in os.environ else f"{name} does not name {ELSEWHERE[name]}"
    return "" if find_spec(name) else f"{name} is missing (pip install --requirement {LOCK})"


def root() -> Path:
    """The checkout."""
    return Path(__file__).parents[1]
