"""How much of the processors others take, as Linux tells it under /proc."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_TICK = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    name: str
    parent: int
    ticks: int


def tree(root: int) -> set[int]:
    """A process and all that it and its children started."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        if process := _process(int(folder.name)):
            parents[int(folder.name)] = process.parent
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def seconds(pids: Iterable[int], name: str | None = None) -> dict[int, float]:
    """Seconds of processor time that each process took so far; only of those that run, and have the `name`, if any."""
    found = {pid: process for pid in pids if (process := _process(pid))}
    return {pid: process.ticks / _TICK for pid, process in found.items() if name in (None, process.name)}


def busy_seconds() -> float:
    """Seconds of processor time that this machine was busy since it started, or that its host withheld from it."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    user, nice, system, _idle, _waiting, interrupts, soft_interrupts, stolen = fields
    return (user + nice + system + interrupts + soft_interrupts + stolen) / _TICK


def _process(pid: int) -> _Process | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    before, _, after = stat.rpartition(")")  # the name may hold anything
    fields = after.split()
    return _Process(before.partition("(")[2], int(fields[1]), int(fields[11]) + int(fields[12]))
