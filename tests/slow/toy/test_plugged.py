"""Tests with another game plugged in: neither the code under test nor the tests depend on the games of this package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
OF_THE_GAME = (
    "api/test_guides.py",
    "api/test_head.py",
    "api/test_languages.py",
    "api/test_replay.py",
    "api/test_streams.py",
    "arena",
    "bots/test_judgment.py",
    "cli/test_export.py",
    "events/test_standing.py",
    "pure/bots",
    "pure/core",
    "pure/docs",
    "pure/fuzz",
    "pure/library",
    "pure/projections",
    "pure/properties",
    "pure/training",
    "training/test_turns.py",
    "web/test_audit_page.py",
    "web/test_moves.py",
)
"""What is tested for each game."""
OF_ALL_GAMES = ("api/test_contract_changes.py", "api/test_house_opponents.py", "api/test_openapi.py")
"""What lists all games."""


@pytest.mark.needs("chromium", "node", "npm")
@pytest.mark.parametrize(
    "chosen", [("-k", "dice_race", *OF_THE_GAME), OF_ALL_GAMES], ids=["of the game", "of all games"]
)
def test_the_suite_passes_with_another_game(chosen: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "tests.toy.plugged", *chosen],
        cwd=TESTS,
        env={**os.environ, "TOY": "4", "PYTHONPATH": str(TESTS.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "[100%]" in ran.stdout
