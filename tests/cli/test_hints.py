"""The commands that a demo suggests at its end work when pasted."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mcmulti.cli.records.demo import last_position, program
from mcmulti.events.log.codec import fold, opened_with
from tests.golden.games import FILES, load

PROGRAMS = Path(sys.executable).parent
ON_PATH = f"{PROGRAMS}{os.pathsep}{os.defpath}"
MODULE = str(Path("mcmulti", "__main__.py").absolute())


@pytest.mark.parametrize(
    ("called", "path", "folder", "typed"),
    [
        (str(PROGRAMS / "mcmulti"), ON_PATH, "/usr", "mcmulti"),
        (str(PROGRAMS / "mcmulti"), os.defpath, "/usr", str(PROGRAMS / "mcmulti")),
        ("bin/mcmulti", os.defpath, str(PROGRAMS.parent), "bin/mcmulti"),
        (MODULE, os.defpath, str(PROGRAMS.parent), "bin/python -m mcmulti"),
    ],
)
def test_a_hint_can_be_pasted(called: str, path: str, folder: str, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a shell that has the programs on its path, and in one that does not."""
    monkeypatch.setattr(sys, "argv", [called])
    monkeypatch.setattr(sys, "executable", str(PROGRAMS / "python"))
    monkeypatch.setenv("PATH", path)
    monkeypatch.chdir(folder)
    assert program() == typed
    pasted = subprocess.run(["sh", "-c", f"{typed} --help"], capture_output=True, text=True, check=True)
    assert "replay" in pasted.stdout


def test_a_place_with_a_space_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "my programs" / "mcmulti")])
    monkeypatch.setenv("PATH", "")
    assert shlex.split(program()) == sys.argv


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_board_is_shown_as_it_was_before_the_last_decision(file: Path) -> None:
    """The game is still running. A single command follows and ends with the seed, which includes the final sale."""
    events = load(file)
    at = last_position(events)
    ruleset = opened_with(events[0])
    assert ruleset.status(fold(ruleset, events[:at])) == "running"
    assert len({event.command_id for event in events[at:]}) == 1
    assert events[-1].type == "SeedRevealed"
    assert "AssetsLiquidated" not in {event.type for event in events[:at]}
