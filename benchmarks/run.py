"""One group, measured in a process of its own that reports line by line.

The process that started it keeps the reports if this one fails, or is killed because it takes too long.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from math import isfinite
from typing import NamedTuple, TypeVar

import msgspec
import uvloop
from msgspec import Struct

from benchmarks.figures import Figure, Figures, Item, Measure, Taken
from benchmarks.processes import PROGRAM_SECONDS, module, mortal
from benchmarks.scale import Scale
from benchmarks.suite import GROUPS, Group, missing, root
from mcmulti.api.logging import configure
from mcmulti.server.connections import room_for_many
from mcmulti.server.process import settle

PATIENCE = PROGRAM_SECONDS
"""Seconds that the preparation of an item, and each of its measurements, may take."""
GRACE = 30.0
"""Seconds more until the process is killed: it reports a timeout by itself, unless it is computing."""
_T = TypeVar("_T")


class Began(Struct, tag="began", frozen=True):
    """An item is being prepared (round 0) or measured."""

    item: str
    round: int


class Found(Struct, tag="found", frozen=True):
    """A result of one measurement of an item: figure, unit, value."""

    item: str
    round: int
    values: list[tuple[str, str, float]]


class Took(Struct, tag="took", frozen=True):
    """An item was prepared (round 0) or measured."""

    item: str
    round: int
    seconds: float


class Failed(Struct, tag="failed", frozen=True):
    """An item failed, and is not measured again."""

    item: str
    why: str


class Ended(Struct, tag="ended", frozen=True):
    """The group is done."""


Line = Began | Found | Took | Failed | Ended
Tell = Callable[[Line], None]


class Measured(NamedTuple):
    """The results of a group: figures, and why items failed, by their names."""

    figures: Figures
    failures: Mapping[str, str]


class UnfitFigures(Exception):
    """An item measured something undeclared, or got an impossible value."""


class Job(Struct, frozen=True):
    """The work of the process."""

    group: str
    items: tuple[str, ...]
    scale: Scale
    patience: float


async def measure_group(group: Group, items: Sequence[Item], scale: Scale, tell: Tell, patience: float) -> None:
    """Measure all items, round by round. One that fails is given up, and the others continue."""
    measures: dict[Item, Sequence[Measure]] = {}
    async with AsyncExitStack() as exits:
        for item in items:
            if why := ", ".join(filter(None, map(missing, item.needs))):
                tell(Failed(item.name, why))
                continue
            prepared = await _tried(item, 0, item.prepare(scale, exits), tell, patience)
            if prepared is not None:
                measures[item] = prepared
        for number in range(1, (scale.rounds or group.rounds) + 1):
            for item, candidates in list(measures.items()):
                work = _round(item, candidates, number, tell, patience)
                if await _tried(item, number, work, tell, patience * len(candidates)) is None:
                    del measures[item]


async def _tried(item: Item, number: int, work: Awaitable[_T], tell: Tell, patience: float) -> _T | None:
    """The result of the work. If it fails or takes too long: None, and a report."""
    tell(Began(item.name, number))
    start = time.perf_counter()
    try:
        async with asyncio.timeout(patience):
            done = await work
    except TimeoutError:
        tell(Failed(item.name, f"it took longer than {time.perf_counter() - start:.0f} s"))
    except Exception as error:
        tell(Failed(item.name, f"{type(error).__name__}: {' '.join(str(error).split())}"))
    else:
        tell(Took(item.name, number, time.perf_counter() - start))
        return done
    return None


async def _round(item: Item, measures: Sequence[Measure], number: int, tell: Tell, patience: float) -> bool:
    found: set[Figure] = set()
    for measure in measures:
        tell(Began(item.name, number))
        async with asyncio.timeout(patience):
            taken = await measure()
        check(item, taken)
        found |= set(taken)
        tell(Found(item.name, number, [(*figure, value) for figure, value in taken.items()]))
    if lacking := set(item.figures) - found:
        raise UnfitFigures(f"not measured: {', '.join(sorted(figure.what for figure in lacking))}")
    return True


def check(item: Item, taken: Taken) -> None:
    """Raise `UnfitFigures` unless these are figures of the item, finite and positive. Statements may be zero."""
    for figure, value in taken.items():
        if figure not in item.figures:
            raise UnfitFigures(f"{figure.what} ({figure.unit}) is not among the figures of {item.name}")
        if not (isfinite(value) and (value > 0 or (value == 0 and figure.unit == "statements"))):
            raise UnfitFigures(f"{figure.what} is {value} {figure.unit}")


async def measured(
    group: Group, items: Sequence[Item], scale: Scale, say: Callable[[str], None], patience: float = PATIENCE
) -> Measured:
    """Measure items of a group in a process of its own, which is killed if it reports nothing for too long."""
    figures, failures = Figures(), dict[str, str]()
    job = Job(group.name, tuple(item.name for item in items), scale, patience)
    process = await asyncio.create_subprocess_exec(
        *module("benchmarks.run", msgspec.json.encode(job).decode()),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        cwd=root(),
        limit=1 << 20,
        preexec_fn=mortal(),
    )
    assert process.stdout is not None
    at = "the start"
    try:
        async for line in _lines(process.stdout, patience + GRACE):
            match line:
                case Began(item, number):
                    at = item
                    continue
                case Found(_, number, values):
                    figures.add(number, {Figure(what, unit): value for what, unit, value in values})
                case Took(item, number, seconds):
                    step = f"round {number}" if number else "prepared"
                    say(f"{group.name}/{item}, {step}: {seconds:.1f} s")
                case Failed(item, why):
                    failures[item] = why
                    say(f"{group.name}/{item} FAILED: {why}")
                case Ended():
                    at = "the end"
        code = await asyncio.wait_for(process.wait(), GRACE)
        if code:
            failures[at] = f"the process of the group ended with exit code {code}"
            say(f"{group.name}/{at} FAILED: {failures[at]}")
    except TimeoutError:
        failures[at] = f"nothing was reported for {patience + GRACE:.0f} s; the group was ended"
        say(f"{group.name}/{at} FAILED: {failures[at]}")
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    return Measured(figures, failures)


async def _lines(pipe: asyncio.StreamReader, patience: float) -> AsyncIterator[Line]:
    while written := await asyncio.wait_for(pipe.readline(), patience):
        line: Line = msgspec.json.decode(written, type=Line)
        yield line


def main() -> None:
    """Be the process of a group: standard output is for reports alone."""
    job = msgspec.json.decode(sys.argv[1], type=Job)
    (group,) = (group for group in GROUPS if group.name == job.group)
    room_for_many()
    configure(json=False, level="error")
    settle()
    with os.fdopen(os.dup(1), "wb", buffering=0) as reports:
        os.dup2(2, 1)

        def tell(line: Line) -> None:
            reports.write(msgspec.json.encode(line) + b"\n")

        items = [item for item in group.items() if item.name in job.items]
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(measure_group(group, items, job.scale, tell, job.patience))
        tell(Ended())


if __name__ == "__main__":
    main()
