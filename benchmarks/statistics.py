"""How fast `mcmulti statistics --all` counts the games of a database, and in how much memory.

Random games are put into a PostgreSQL of its own, and the command is run as a process whenever the log has reached one
of the sizes. Time and peak memory are those of that process, from its start to its end.
"""

import asyncio
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import click
import msgspec
from psycopg.conninfo import conninfo_to_dict
from rich.console import Console
from rich.table import Table

from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.envelope import Recorded
from mcmulti.events.log import TableRow
from mcmulti.server.process import embedded, opened_log
from mcmulti.simulation import play
from tests.games import record

LOOK = 0.05
"""Seconds between two looks at the memory of the process."""
MOST_STEPS = 3000
"""Moves after which a game is cut off."""


class Run(NamedTuple):
    """One run of the command: events and games it counted, wall and processor seconds, peak memory in MiB."""

    events: int
    games: int
    seconds: float
    processor: float
    memory: float


class _Counted(msgspec.Struct):
    events: int
    games: int
    unreadable: int


def random_games() -> Iterator[list[Recorded]]:
    """The logs of random games of two to four players, without end; the few that take too long are cut off."""
    seed = 0
    while True:
        steps = list(play(RULESET, Setup(seats=2 + seed % 3), seed, most_steps=MOST_STEPS))
        yield record(UUID(steps[0].state.game_id), steps)
        seed += 1


def counted(address: str, expected: int) -> Run:
    """Run the command once."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as printed:
        command = [sys.executable, "-m", "mcmulti", "statistics", address, "--all", "--json"]
        process = subprocess.Popen(command, stdout=printed)
        memory, ended = 0.0, 0
        while not ended:
            memory = _peak_memory(process.pid) or memory
            time.sleep(LOOK)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        printed.seek(0)
        found = msgspec.json.decode(printed.read(), type=_Counted)
    if process.returncode or found.unreadable or found.events != expected:
        raise AssertionError(f"counted {found}, expected {expected} events; exit code {process.returncode}")
    return Run(found.events, found.games, seconds, usage.ru_utime + usage.ru_stime, memory)


def _peak_memory(process: int) -> float:
    """MiB that a process has held at most so far, 0 if it is over.

    Not what `os.wait4` tells: that counts the memory of this process, which forked it, as well.
    """
    status = Path(f"/proc/{process}/status").read_text()
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0.0)


async def measure(folder: Path, sizes: Sequence[int], rounds: int, console: Console) -> list[Run]:
    """Fill a database up to each of the sizes, and count it so many times there."""
    runs: list[Run] = []
    games = random_games()
    async with embedded(folder) as conninfo, opened_log(conninfo) as log:
        where = conninfo_to_dict(conninfo)
        name = where.pop("dbname", "postgres")
        address = f"postgresql:///{name}?{urlencode(where)}"
        held = 0
        for size in sizes:
            while held < size:
                events = next(games)
                stands = TableRow("finished" if events[-1].type == "SeedRevealed" else "running")
                await log.create(events[0].game_id, RULESET.name, RULESET.version, stands, bytes(32), events)
                held += len(events)
            console.print(f"{held:,} events in the database", highlight=False)
            runs += [await asyncio.to_thread(counted, address, held) for _ in range(rounds)]
    return runs


@click.command()
@click.option("--sizes", default="100000,1000000", show_default=True, help="Numbers of events to count at.")
@click.option("--rounds", default=3, show_default=True, help="How often each is counted.")
def main(sizes: str, rounds: int) -> None:
    """Measure counting and print a table."""
    console = Console()
    with tempfile.TemporaryDirectory(prefix="mcmulti-benchmark-") as folder:
        runs = asyncio.run(measure(Path(folder), [int(size) for size in sizes.split(",")], rounds, console))
    table = Table(title=f"mcmulti statistics --all, {platform.machine()}, Python {platform.python_version()}")
    for heading in ("events", "games", "seconds", "events/s", "processor seconds", "peak memory, MiB"):
        table.add_column(heading, justify="right")
    for run in runs:
        rate = f"{run.events / run.seconds:,.0f}"
        table.add_row(
            f"{run.events:,}", f"{run.games:,}", f"{run.seconds:.1f}", rate, f"{run.processor:.1f}", f"{run.memory:.1f}"
        )
    console.print(table)


if __name__ == "__main__":
    main()
