"""How to go on after a demo: commands that work as they are printed, from where the reader stands."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from mcmulti.events.log.envelope import Recorded


def program() -> str:
    """What to type for this very mcmulti."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{_typed(Path(sys.executable))} -m mcmulti"
    return _typed(called)


def _typed(called: Path) -> str:
    """A program by its name if that finds it, else by where it is: from here, if it is below."""
    place = Path(os.path.abspath(called))  # not resolved: the programs of a virtual environment may be links
    if shutil.which(place.name) == str(place):
        return place.name
    return shlex.quote(str(place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place))


def last_position(events: Sequence[Recorded]) -> int:
    """Number of the event at which the last decision was taken: what an end leaves on a board is little to look at."""
    return next(event.seq for event in reversed(events) if event.command is not None) - 1
