"""The ledger of many games, in a stream, next to hledger on the journal of the same games.

Games by random players are written into one file of recorded events, and into one journal, where each game has accounts
of its own. Ours reads the file line by line: it decodes and folds every event, posts every line with its running
balance, and checks that each game's books balance. hledger reads the journal and prints the balance of every account.
Each runs in a process of its own, to measure its peak of memory. ``python -m benchmarks.ledger FILE`` is ours.
"""

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from itertools import count, groupby
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import msgspec

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.processes import output
from benchmarks.scale import Scale
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import EventItem, item, recorded
from mcmulti.projections.books.journals import hledger, text
from mcmulti.projections.books.ledger import entries, lines
from mcmulti.simulation import play
from tests.games import record

STEPS = 2000
"""Maximum decisions of a game. Random players without money may continue forever."""
NOBODY = UUID(int=0)
"""Books do not depend on the game."""
_decode = msgspec.json.Decoder(EventItem).decode


STOPWATCH = """
import ctypes, os, sys, time
prctl = ctypes.CDLL(None).prctl
start = time.perf_counter()
child = os.fork()
if not child:
    prctl(1, 9)  # the kernel kills it when this process ends
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execvp(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(child, 0)
print(time.perf_counter() - start, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Runs a command, and prints seconds, and the peak of memory in kB.

It is small: a process inherits its parent's peak.
"""


class Measured(NamedTuple):
    """Seconds, and the peak of memory in megabytes, of a process."""

    seconds: float
    megabytes: float


class Written(NamedTuple):
    """What was written: events in total, those that moved something, and lines of the books."""

    events: int
    entries: int
    lines: int


def write(events: int, log: Path, journal: Path | None = None) -> Written:
    """Write games of two, three, and four players, with at least this many events in total."""
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
    """Keep the books of all games in the file. Return events read, and lines posted. Raises if any does not balance."""
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
    """Separates the games of a stream: each begins with event 1."""
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
    seconds, kilobytes = output([sys.executable, "-S", "-c", STOPWATCH, *command]).split()
    return Measured(float(seconds), int(kilobytes) / 1024)


def ours(log: Path) -> Measured:
    """Keep the books of the file in a process of its own. The time includes its start."""
    return measured(sys.executable, "-m", "benchmarks.ledger", str(log))


OURS = Figure("ledger of 100,000 events", "events/s")
OURS_PEAK = Figure("ledger of 100,000 events: peak memory", "MiB")
LARGE = Figure("ledger of 500,000 events", "events/s")
LARGE_PEAK = Figure("ledger of 500,000 events: peak memory", "MiB")
HLEDGER = Figure("hledger balance of 100,000 events", "events/s")
HLEDGER_PEAK = Figure("hledger balance of 100,000 events: peak memory", "MiB")
UNCHECKED = Figure("hledger balance -I of 100,000 events", "events/s")
AIMS = (
    Aim("ledger / hledger balance", OURS, (HLEDGER,), value=1),
    Aim("ledger / hledger balance -I (assertions ignored)", OURS, (UNCHECKED,)),
    Aim("ledger: peak memory of 500,000 events / of 100,000", LARGE_PEAK, (OURS_PEAK,), "under"),
)


def _files(scale: Scale, exits: AsyncExitStack) -> tuple[Path, Path, Path, Written, Written]:
    """The logs of a run and the journal of the small one. The first item that needs them writes them."""
    if id(exits) not in _written:
        folder = Path(exits.enter_context(tempfile.TemporaryDirectory(prefix="mcmulti-benchmark-")))
        small, large, journal = (folder / name for name in ("small.ndjson", "large.ndjson", "games.journal"))
        written = write(scale.small_log, small, journal), write(scale.large_log, large)
        _written[id(exits)] = (small, large, journal, *written)
        exits.callback(_written.pop, id(exits))
    return _written[id(exits)]


_written: dict[int, tuple[Path, Path, Path, Written, Written]] = {}


async def _ours(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    small, large, _, written, more = _files(scale, exits)

    async def measure() -> Taken:
        one, other = ours(small), ours(large)
        return {
            OURS: written.events / one.seconds,
            OURS_PEAK: one.megabytes,
            LARGE: more.events / other.seconds,
            LARGE_PEAK: other.megabytes,
        }

    return [measure]


async def _hledger(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    _, _, journal, written, _ = _files(scale, exits)

    async def measure() -> Taken:
        checked = measured("hledger", "-f", str(journal), "balance")
        unchecked = measured("hledger", "-f", str(journal), "balance", "-I")
        return {
            HLEDGER: written.events / checked.seconds,
            HLEDGER_PEAK: checked.megabytes,
            UNCHECKED: written.events / unchecked.seconds,
        }

    return [measure]


ITEMS = (
    Item("ledger", _ours, (OURS, OURS_PEAK, LARGE, LARGE_PEAK)),
    Item("hledger", _hledger, (HLEDGER, HLEDGER_PEAK, UNCHECKED), ("hledger",)),
)

if __name__ == "__main__":
    print("{} events, {} lines".format(*keep(Path(sys.argv[1]))))
