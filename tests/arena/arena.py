"""The command `mcmulti arena`."""

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.cli.command import PATIENCE, done


def reported(*arguments: str | Path) -> Any:
    """The JSON output of the command."""
    ended = done("arena", *map(str, arguments), "--json", environment=dict(os.environ))
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def command(*arguments: str | Path) -> list[str]:
    """Run the command in its own process."""
    return [sys.executable, "-m", "mcmulti", "arena", *map(str, arguments)]


def until_all_ended(group: int) -> None:
    """Wait until no process of a group is left that could still write."""
    deadline = time.monotonic() + PATIENCE
    with suppress(ProcessLookupError):
        while True:
            os.killpg(group, 0)
            assert time.monotonic() < deadline
            time.sleep(0.02)
