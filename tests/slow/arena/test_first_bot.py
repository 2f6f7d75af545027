"""What the guides to better bots say works as printed, with fewer games."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.manual import page

ROOT = Path(__file__).parents[3]
GUIDE = page("tutorials/better-bot", "tutorials/learning-bot")
STEPS = ROOT / "examples/five_steps"
COMMANDS = [
    line.replace("../../.venv/bin/mcmulti", f"{sys.executable} -m mcmulti").replace(
        "../../.venv/bin/python", sys.executable
    )
    for line in re.findall(r"^\.\./\.\./\.venv/.*$", GUIDE, re.MULTILINE)
]


def _said(command: str, folder: Path) -> str:
    done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_step_is_in_the_guide() -> None:
    for program in STEPS.glob("*.py"):
        assert f"```python\n# examples/five_steps/{program.name}\n{program.read_text('utf-8')}```" in GUIDE


@pytest.mark.parametrize("command", [command for command in COMMANDS if " arena " in command])
def test_the_arena_is_asked_as_the_guide_says(command: str) -> None:
    said = _said(re.sub(r"--games \d+", "--games 4", command), STEPS)
    assert " failed in game " not in said


def test_the_steps_play_and_the_last_beats_the_tycoon() -> None:
    mcmulti = f"{sys.executable} -m mcmulti arena --json --players 4"
    first = "step1.py:AnyMove step2.py:Plan step3.py:Prices step4.py:LookAhead"
    played = json.loads(_said(f"{mcmulti} --games 8 {first}", STEPS))
    assert [each["failed"] for each in played["standings"]] == [0, 0, 0, 0]
    learned, tycoon = json.loads(_said(f"{mcmulti} --games 24 step5.py:Learned tycoon", STEPS))["standings"]
    assert learned["failed"] == 0
    assert learned["victories"] > tycoon["victories"]


def test_the_program_learns(tmp_path: Path) -> None:
    [learn] = [command for command in COMMANDS if "learn.py" in command]
    for program in STEPS.glob("*.py"):
        shutil.copy(program, tmp_path)
    assert "positions, loss " in _said(re.sub(r"\d+$", "2", learn), tmp_path)
    assert len(json.loads((tmp_path / "weights.json").read_text("utf-8"))) == 3
    said = _said(f"{sys.executable} -m mcmulti arena --games 2 --players 2 step5.py:Learned random", tmp_path)
    assert " failed in game " not in said
