"""What a review costs at the usual budget, and how much of the game it covers, in the process that servers start."""

import subprocess
import sys
from asyncio import to_thread
from base64 import b64encode
from collections.abc import Sequence
from contextlib import AsyncExitStack

import msgspec

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.processes import ProcessError
from benchmarks.scale import Scale
from mcmulti.events.store.game_file import lines, record_of
from mcmulti.projections.reviews import FinishedReview
from mcmulti.server.children.reviews import WORKER, WorkerReport
from tests.golden.games import FILES, load

GAME = "four-players"
"""A recorded box game of four players."""
MINUTES = 3
"""The most processor time that a review should take."""

SPENT = Figure("review of a box game of four, 1,010 events: processor time", "s")
EXAMINED = Figure("review of a box game of four, 1,010 events: commands that were examined", "%")
AIMS = (Aim("review at the usual budget: seconds", SPENT, (), "under", 60.0 * MINUTES),)


def reviewed(seconds: int) -> Taken:
    """Review the game once."""
    file = b"".join(lines(record_of(load(next(file for file in FILES if file.stem == GAME)))))
    task = {"file": file.decode(), "seconds": seconds, "work": b64encode(b"").decode()}
    with subprocess.Popen(
        (sys.executable, "-P", "-m", WORKER), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        process.stdin.flush()
        *_, last = [b"{}", *process.stdout]
    report = msgspec.json.decode(last, type=WorkerReport)
    if report.finished is None:
        raise ProcessError("the process ended before its review")
    finished = msgspec.json.decode(report.finished, type=FinishedReview)
    if finished.fault is not None:
        raise ProcessError(f"the review failed: {finished.fault}")
    found = finished.by_language["en"]
    return {SPENT: report.spent, EXAMINED: 100 * found.examined / found.commands}


async def _prepared(scale: Scale, _: AsyncExitStack) -> Sequence[Measure]:
    async def measure() -> Taken:
        return await to_thread(reviewed, scale.review)

    return [measure]


ITEMS = (Item("review", _prepared, (SPENT, EXAMINED)),)
