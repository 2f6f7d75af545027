"""The guide to audits is worked on a recorded game: every command prints what it says."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.docs.transcript import as_printed, commands, run

ROOT = Path(__file__).parents[2]
TRANSCRIPT = commands((ROOT / "docs" / "audit.md").read_text("utf-8"))
NUMBERED = [
    pytest.param(
        number,
        id=command.typed[:60],
        marks=[pytest.mark.needs("hledger")] if command.typed.startswith("hledger ") else [],
    )
    for number, command in enumerate(TRANSCRIPT)
]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the commands of the guide print, typed one after the other beside the examples."""
    folder = tmp_path_factory.mktemp("audit")
    (folder / "examples").mkdir()
    for name in ("game.mcmulti.jsonl", "verify.py"):
        shutil.copy(ROOT / "examples" / name, folder / "examples")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return run(TRANSCRIPT, folder, {**os.environ, "PATH": path, "COLUMNS": "100"})


@pytest.mark.parametrize("number", NUMBERED)
def test_a_command_of_the_guide_prints_what_it_says(printed: list[str], number: int) -> None:
    assert as_printed(TRANSCRIPT[number].prints, printed[number]), printed[number]
