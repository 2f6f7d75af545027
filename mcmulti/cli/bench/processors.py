"""Processor use of processes, from Linux's /proc."""

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
    """A process and all its descendants."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        if process := _process(int(folder.name)):
            parents[int(folder.name)] = process.parent
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def seconds(pids: Iterable[int], name: str | None = None) -> dict[int, float]:
    """Seconds of processor time of each process so far. Only running processes, and only those with the `name`, if
    given.
    """
    found = {pid: process for pid in pids if (process := _process(pid))}
    return {pid: process.ticks / _TICK for pid, process in found.items() if name in (None, process.name)}


def busy_seconds() -> float:
    """Seconds that this machine's processors were busy since it started, or were withheld by its host."""
    fields = [int(field) for field in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    user, nice, system, _idle, _waiting, interrupts, soft_interrupts, stolen = fields
    return (user + nice + system + interrupts + soft_interrupts + stolen) / _TICK


def _process(pid: int) -> _Process | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    before, _, after = stat.rpartition(")")  # the name may contain anything
    fields = after.split()
    return _Process(before.partition("(")[2], int(fields[1]), int(fields[11]) + int(fields[12]))
