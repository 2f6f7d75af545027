"""What needs the toy in the list of rule sets runs in a process of its own: nothing else ever sees it there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.needs("hledger", "postgres")
@pytest.mark.parametrize(
    ("file", "plugged"),
    [
        ("check_server.py", "1"),
        ("check_server.py", "1,2"),
        ("check_replay.py", "1"),
        ("check_versions.py", "1,2,3"),
        ("check_contract.py", "1"),
        ("check_contract.py", "1,2,3"),
    ],
)
def test_the_engine_needs_no_oil(file: str, plugged: str) -> None:
    command = [sys.executable, "-m", "pytest", "-n0", "--all-checked", "-p", "tests.toy.plugged", str(HERE / file)]
    ran = subprocess.run(
        command,
        cwd=HERE.parent.parent,
        env={**os.environ, "TOY": plugged},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
