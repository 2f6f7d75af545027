"""How fast `mcmulti statistics --all` counts the games of a database, and in how much memory.

Random games are written to two databases. Time and peak memory are those of the process, from its start to its end.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

import msgspec
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.processes import PROGRAM_SECONDS, ProcessError, module, started
from benchmarks.scale import Scale
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.ports.game_index import TableRow
from mcmulti.server.database import embedded, opened_log
from mcmulti.simulation import play
from tests.games import record

LOOK = 0.05
"""Seconds between two looks at the memory of the process."""
MOST_STEPS = 3000
"""Moves after which a game is cut off."""


class Run(NamedTuple):
    """One run of the command: events counted, seconds, peak memory in MiB."""

    events: int
    seconds: float
    memory: float


class _Counted(msgspec.Struct):
    events: int
    unreadable: int


def random_games() -> Iterator[list[Recorded]]:
    """The logs of random games of two to four players, without end. The few that take too long are cut off."""
    seed = 0
    while True:
        steps = list(play(RULESET, Setup(seats=2 + seed % 3), seed, most_steps=MOST_STEPS))
        yield record(UUID(steps[0].state.game_id), steps)
        seed += 1


def counted(address: str, expected: int) -> Run:
    """Run the command once."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as printed:
        command = module("mcmulti", "statistics", address, "--all", "--json")
        with started(command, stdout=printed.fileno()) as process:
            memory, ended = 0.0, 0
            while not ended:
                if time.perf_counter() - start > PROGRAM_SECONDS:
                    raise ProcessError(f"mcmulti statistics did not end within {PROGRAM_SECONDS:.0f} s")
                memory = _peak_memory(process.pid) or memory
                time.sleep(LOOK)
                ended, status = os.waitpid(process.pid, os.WNOHANG)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise ProcessError(f"mcmulti statistics failed with exit code {process.returncode}")
        seconds = time.perf_counter() - start
        printed.seek(0)
        found = msgspec.json.decode(printed.read(), type=_Counted)
    if found.unreadable or found.events != expected:
        raise AssertionError(f"counted {found}, expected {expected} events")
    return Run(found.events, seconds, memory)


def _peak_memory(process: int) -> float:
    """MiB that a process has held at most so far, 0 if it is over.

    Not what `os.wait4` tells: that counts the memory of this process, which forked it, as well.
    """
    status = Path(f"/proc/{process}/status").read_text()
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0.0)


SMALL = Figure("mcmulti statistics --all, 100,000 events", "events/s")
SMALL_PEAK = Figure("mcmulti statistics --all, 100,000 events: peak memory", "MiB")
LARGE = Figure("mcmulti statistics --all, 500,000 events", "events/s")
LARGE_PEAK = Figure("mcmulti statistics --all, 500,000 events: peak memory", "MiB")
AIMS = (Aim("statistics: peak memory of 500,000 events / of 100,000", LARGE_PEAK, (SMALL_PEAK,), "under"),)


async def _prepared(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    folder = Path(exits.enter_context(tempfile.TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
    conninfo = await exits.enter_async_context(embedded(folder))
    small, few = await _filled(conninfo, "small", scale.small_log)
    large, many = await _filled(conninfo, "large", scale.large_log)

    async def measure() -> Taken:
        one = await asyncio.to_thread(counted, small, few)
        other = await asyncio.to_thread(counted, large, many)
        return {
            SMALL: one.events / one.seconds,
            SMALL_PEAK: one.memory,
            LARGE: other.events / other.seconds,
            LARGE_PEAK: other.memory,
        }

    return [measure]


async def _filled(conninfo: str, name: str, size: int) -> tuple[str, int]:
    """The address of a new database with random games, and their number of events, at least `size`."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    held, games = 0, random_games()
    async with opened_log(make_conninfo(conninfo, dbname=name)) as log:
        while held < size:
            events = next(games)
            stands = TableRow("finished" if events[-1].type == "SeedRevealed" else "running")
            await log.create(events[0].game_id, RULESET.name, RULESET.version, stands, bytes(32), events)
            held += len(events)
    where = {key: value for key, value in conninfo_to_dict(conninfo).items() if key != "dbname"}
    return f"postgresql:///{name}?{urlencode(where)}", held


ITEMS = (Item("statistics", _prepared, (SMALL, SMALL_PEAK, LARGE, LARGE_PEAK)),)
