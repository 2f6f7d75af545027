"""Which processes run in a folder, and waiting for that to change."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def until(holds: Callable[[], object], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def kill_all(folder: Path) -> None:
    """End the database in a folder for good: first the watchdog, which would restart the rest."""
    for pid, name in sorted(running_in(folder).items(), key=lambda found: found[1] == "postgres"):
        if not name.startswith("mcmulti"):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def running_in(folder: Path) -> dict[int, str]:
    """The processes that run in the folder or below, each with its name: the watchdog, and all of Postgres."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").readlink().is_relative_to(folder):
                found[int(process.name)] = (process / "comm").read_text().strip()
    return found
