"""What the guides say about strategies and the arena works as printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.manual import page

ROOT = Path(__file__).parents[3]
GUIDE = page("how-to/write-a-strategy", "how-to/compare-bots")


@pytest.mark.needs("node")
def test_the_arena_of_the_guide_plays_its_strategies(tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (mine,) = re.findall(r"```python\n# my_bot.py\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "my_bot.py").write_text(mine)
    (block,) = re.findall(r"```sh\n(\.venv/bin/mcmulti arena.*?)```", GUIDE, re.DOTALL)
    said = []
    for command in block.splitlines():
        done = subprocess.run(command.split(), cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stderr
        assert " failed in game " not in done.stdout
        said.append(done.stdout)
    assert "12 games in 4 matches" in said[0]
    assert "program_bot.mjs" in said[1]
    assert said[2].count(".mcmulti.jsonl") >= 1
    assert "All 6 games are proven" in said[-1]


def test_a_type_checker_takes_the_strategy_of_the_guide(tmp_path: Path) -> None:
    (mine,) = re.findall(r"```python\n# my_bot.py\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "my_bot.py").write_text(mine)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "my_bot.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_program_of_the_guide_is_the_example() -> None:
    (program,) = re.findall(r"```js\n(.*?)```", GUIDE, re.DOTALL)
    assert program == (ROOT / "examples/program_bot.mjs").read_text("utf-8")
