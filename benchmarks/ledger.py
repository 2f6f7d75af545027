"""The ledger of many games, in a stream, next to hledger on the journal of the same games.

Games by random players are written into one file of recorded events, and into one journal, where each game has accounts
of its own. Ours reads the file line by line: it decodes and folds every event, posts every line with its running
balance, and checks that each game's books balance. hledger reads the journal and prints the balance of every account.
Each runs in a process of its own, so that its peak of memory is its own. Every round measures each candidate once, in
turn; ratios are taken round by round, and medians are reported.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count, groupby
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import click
import msgspec
from rich.console import Console
from rich.table import Table

from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.envelope import Recorded
from mcmulti.events.item import EventItem, item, recorded
from mcmulti.projections.journals import hledger, text
from mcmulti.projections.ledger import entries, lines
from mcmulti.simulation import play
from tests.games import record

STEPS = 2000
"""Decisions of a game at most; random players who ran out of money may go on for ever."""
NOBODY = UUID(int=0)
"""Books do not ask which game they are of."""
_decode = msgspec.json.Decoder(EventItem).decode


STOPWATCH = """
import os, sys, time
start = time.perf_counter()
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
_, status, used = os.wait4(os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet), 0)
print(time.perf_counter() - start, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Runs a command; prints seconds, and the peak of memory in kB. It is small: a process inherits its parent's peak."""


class Measured(NamedTuple):
    """Seconds, and the peak of memory in megabytes, of a process."""

    seconds: float
    megabytes: float


class Written(NamedTuple):
    """What was written: events in all, those that moved something, lines of the books."""

    events: int
    entries: int
    lines: int


def write(events: int, log: Path, journal: Path | None = None) -> Written:
    """Write games of two, three and four, at least so many events in all."""
    written = booked = posted = 0
    with log.open("wb") as into, (journal or Path(os.devnull)).open("wb") as book:
        for number in count():
            if written >= events:
                break
            steps = list(play(RULESET, Setup(seats=2 + number % 3), number, most_steps=STEPS))
            game = record(UUID(steps[0].state.game_id), steps)
            written += len(game)
            for event in game:
                into.write(msgspec.json.encode(item(event)) + b"\n")
            if journal is not None:
                own = list(entries(game))
                booked += len(own)
                posted += sum(1 for _ in lines(own))
                book.write(text(hledger(game, f"game:{number}:")))
    return Written(written, booked, posted)


def keep(log: Path) -> tuple[int, int]:
    """Keep the books of all games in the file: events read, and lines posted. Raises if any does not balance."""
    read = posted = 0
    with log.open("rb") as content:
        for _, game in groupby((recorded(NOBODY, _decode(line)) for line in content), _numbered()):
            balances: dict[tuple[str, str], int] = {}
            counted = _Counted(game)
            for line in lines(entries(counted)):
                posted += 1
                balances[line.account, line.unit] = line.balance
            read += counted.read
            sums: defaultdict[str, int] = defaultdict(int)
            for (_, unit), balance in balances.items():
                sums[unit] += balance
            if any(sums.values()):
                raise AssertionError(f"the books do not balance: {dict(sums)}")
    return read, posted


def _numbered() -> Callable[[Recorded], int]:
    """Tells the games of a stream apart: each begins with event 1."""
    games = 0

    def number(event: Recorded) -> int:
        nonlocal games
        games += event.seq == 1
        return games

    return number


class _Counted:
    """Events as they come, counted."""

    def __init__(self, events: Iterable[Recorded]) -> None:
        self._events, self.read = events, 0

    def __iter__(self) -> Iterator[Recorded]:
        for event in self._events:
            self.read += 1
            yield event


def measured(*command: str) -> Measured:
    """Run it to its end in a process of its own."""
    said = subprocess.run([sys.executable, "-S", "-c", STOPWATCH, *command], capture_output=True, text=True, check=True)
    seconds, kilobytes = said.stdout.split()
    return Measured(float(seconds), int(kilobytes) / 1024)


def ours(log: Path) -> Measured:
    """Keeping the books of the file, in a process of its own; its start is in the time."""
    return measured(sys.executable, "-m", "benchmarks.ledger", "--keep", str(log))


def report(console: Console, rounds: int, events: int, side_by_side: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        small, large, journal = (Path(folder) / name for name in ("small.ndjson", "large.ndjson", "games.journal"))
        written = write(side_by_side, small, journal)
        runs: dict[str, list[Measured]] = defaultdict(list)
        for _ in range(rounds):
            runs["ours"].append(ours(small))
            runs["hledger balance"].append(measured("hledger", "-f", str(journal), "balance"))
            runs["hledger balance -I"].append(measured("hledger", "-f", str(journal), "balance", "-I"))
        million = write(events, large)
        runs["ours, all"] = [ours(large) for _ in range(rounds)]
    table = Table(title=f"{written.events:,} events, {written.entries:,} entries, {written.lines:,} lines")
    for heading in ("", "events", "s", "events/s", "peak MB", "times ours"):
        table.add_column(heading, justify="left" if not heading else "right")
    for name, found in runs.items():
        number = million.events if name == "ours, all" else written.events
        seconds = statistics.median(run.seconds for run in found)
        ratio = statistics.median(
            own.seconds / written.events / (run.seconds / number) for own, run in zip(runs["ours"], found, strict=True)
        )
        peak = max(run.megabytes for run in found)
        table.add_row(name, f"{number:,}", f"{seconds:.2f}", f"{number / seconds:,.0f}", f"{peak:.0f}", f"{ratio:.2f}")
    console.print(table)


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@click.option("--events", type=click.IntRange(1), default=1_000_000, show_default=True, help="For our ledger alone.")
@click.option(
    "--side-by-side", type=click.IntRange(1), default=100_000, show_default=True, help="Events for hledger and ours."
)
@click.option("--keep", "log", type=click.Path(exists=True, path_type=Path), hidden=True)
def main(rounds: int, events: int, side_by_side: int, log: Path | None) -> None:
    """Measure the ledger next to hledger."""
    if log is not None:
        click.echo("{} events, {} lines".format(*keep(log)))
        return
    console = Console()
    version = subprocess.run(["hledger", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    console.print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {version}")
    report(console, rounds, events, side_by_side)


if __name__ == "__main__":
    main()
