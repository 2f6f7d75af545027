"""The programs in the guide to training, and the example, run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.manual import page

ROOT = Path(__file__).parents[2]
PROGRAMS = re.findall(r"```python\n(.*?)```", page("how-to/train-a-bot"), re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_of_the_guide_runs(program: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    subprocess.run([sys.executable, "-W", "error", file], check=True, timeout=600)


def test_the_guide_has_programs() -> None:
    assert len(PROGRAMS) == 4


def test_the_example_learns_and_says_how_well() -> None:
    learned = subprocess.run(
        [sys.executable, ROOT / "examples" / "training" / "learn.py", "--games", "40", "--trials", "10"],
        check=True,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert re.search(r"wins \d+\.\d% of 10 games, ± \d+\.\d%", learned.stdout)
