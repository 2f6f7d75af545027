"""The guide to the Python library: its programs run and print what it says, and it names what is public."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import mcmulti
from tests.docs.manual import page

ROOT = Path(__file__).parents[2]
GUIDE = page("how-to/use-the-python-library")
PROGRAMS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
OPENSPIEL = [program for program in PROGRAMS if "pyspiel" in program]


def run(program: str) -> str:
    """The output of a program."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.stdout


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(program, marks=[pytest.mark.needs("pyspiel")] if program in OPENSPIEL else [], id=str(number))
        for number, program in enumerate(PROGRAMS)
    ],
)
def test_a_program_of_the_guide_prints_what_it_says(program: str) -> None:
    printed = run(program).splitlines()
    said = re.findall(r"print\(.*\)  # (.+)$", program, re.MULTILINE)
    assert [line for line in said if line not in printed] == []


def test_the_guide_has_its_three_short_programs() -> None:
    for heading in ("A tree walk", "A Monte Carlo player", "One die"):
        section = GUIDE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
        [program] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
        assert len(program.splitlines()) < 30
    assert len(PROGRAMS) == 8


def test_the_guide_lists_the_public_names() -> None:
    table = GUIDE.partition("## Public names\n")[2]
    assert sorted(re.findall(r"^\| `(\w+)", table, re.MULTILINE)) == sorted(mcmulti.__all__)
    for name in mcmulti.__all__:
        assert (getattr(mcmulti, name).__doc__ or "").strip(), name


def test_importing_loads_no_server() -> None:
    program = """
import sys
import mcmulti
{}
heavy = {{"litestar", "psycopg", "httpx", "numpy", "click", "structlog"}}
print(*sorted(heavy & {{name.partition(".")[0] for name in sys.modules}}))
"""
    assert run(program.format("")).split() == []
    assert run(program.format("import mcmulti.evaluation.reviews.review")).split() == []
    assert run(program.format("from mcmulti import *; load_game('marracash').new_initial_state()")).split() == []


def test_importing_alone_loads_no_rules() -> None:
    """This keeps it fast."""
    program = """
import sys
before = set(sys.modules)
import mcmulti
print(sorted(set(sys.modules) - before))
"""
    assert run(program).strip() == "['mcmulti']"


def test_a_notebook_completes_the_public_names() -> None:
    assert dir(mcmulti) == sorted(mcmulti.__all__)


def test_what_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'open_game'"):
        mcmulti.open_game  # type: ignore[attr-defined]  # noqa: B018
