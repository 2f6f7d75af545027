"""Whatever needs the toy in the list of rule sets runs in a process of its own, so that nothing else sees it there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcmulti.domain.rulesets import SHIPPED
from tests.toy.with_another_game import CHEAP, passes_with_the_race

HERE = Path(__file__).parent


@pytest.mark.needs("hledger", "postgres")
@pytest.mark.parametrize(
    ("plugged", "files"),
    [
        ("1", ["check_server.py", "check_replay.py"]),
        ("1,2,3,4", ["check_server.py", "check_versions.py", "check_race.py", "check_contract.py"]),
    ],
)
def test_the_engine_needs_no_oil(plugged: str, files: list[str]) -> None:
    checks = [str(HERE / file) for file in files]
    command = [sys.executable, "-m", "pytest", "-n0", "--all-checked", "-p", "tests.toy.plugged", *checks]
    ran = subprocess.run(
        command,
        cwd=HERE.parent.parent,
        env={**os.environ, "TOY": plugged},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_tests_pass_with_another_game() -> None:
    """Those of the game, and those that go through all games. More of them are in tests/slow."""
    passes_with_the_race("-k", f"dice_race or not ({' or '.join(SHIPPED)})", *CHEAP, timeout=600)
