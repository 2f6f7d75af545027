"""The guide to audits, followed with a recorded game: every command prints what it says."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.docs.manual import page
from tests.docs.transcript import Command, as_printed, commands, run

ROOT = Path(__file__).parents[3]
TRANSCRIPT = commands(page("tutorials/first-audit", "how-to/follow-the-money", "how-to/export-the-books"))
BY_HLEDGER = [command for command in TRANSCRIPT if "hledger" in command.typed or ".journal" in command.typed]
"""What needs another, optional program. The journal is written for it first."""


def _others(commands: Sequence[Command], folder: Path) -> dict[str, str]:
    """The commands whose output differs from the guide, typed one after another beside the examples."""
    (folder / "examples").mkdir()
    for name in ("game.mcmulti.jsonl", "verify.py"):
        shutil.copy(ROOT / "examples" / name, folder / "examples")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    printed = run(commands, folder, {**os.environ, "PATH": path, "COLUMNS": "100"})
    said = zip(commands, printed, strict=True)
    return {command.typed: text for command, text in said if not as_printed(command.prints, text)}


def test_the_commands_of_the_guide_print_what_it_says(tmp_path: Path) -> None:
    assert _others([command for command in TRANSCRIPT if command not in BY_HLEDGER], tmp_path) == {}


@pytest.mark.needs("hledger")
def test_hledger_prints_what_the_guide_says(tmp_path: Path) -> None:
    assert len(BY_HLEDGER) > 5
    assert _others(BY_HLEDGER, tmp_path) == {}
