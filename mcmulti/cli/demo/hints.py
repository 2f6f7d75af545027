"""Commands to try after a demo. They work as printed, from the reader's current folder."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from mcmulti.events.log.envelope import Recorded


def program() -> str:
    """What to type to run this installation of mcmulti."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{_typed(Path(sys.executable))} -m mcmulti"
    return _typed(called)


def _typed(called: Path) -> str:
    """The name of a program if the path finds it, otherwise its location, relative if it is below the
    current folder.
    """
    place = Path(os.path.abspath(called))  # not resolved, since the programs of a virtual environment may be links
    if shutil.which(place.name) == str(place):
        return place.name
    return shlex.quote(str(place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place))


def last_position(events: Sequence[Recorded]) -> int:
    """The number of the event at the last decision. After the end of a game, the board shows little."""
    return next(event.seq for event in reversed(events) if event.command is not None) - 1
