"""The suite with a further game plugged in: neither the product nor its tests count on the games of this package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
GAME = "dice_race"
LISTING = (
    "api/test_contract_changes.py",
    "api/test_house_opponents.py",
    "api/test_narrowed.py",
    "api/test_openapi.py",
    "cli/test_usage.py",
    "pure/bots/test_any_game.py",
    "pure/core",
    "pure/docs",
    "pure/fuzz",
    "pure/projections",
    "pure/test_architecture.py",
    "web/test_rules_page.py",
)
"""Tests that go through all games, or compare what lists them."""
SLOW_OR_THE_TOY_ITSELF = ("slow", "toy")


@pytest.mark.needs("chromium", "hledger", "postgres")
@pytest.mark.parametrize("of_the_game", [True, False], ids=["of the game", "of all games"])
def test_the_suite_passes_with_another_game(of_the_game: bool) -> None:
    folders = sorted(each.name for each in TESTS.iterdir() if (each / "__init__.py").exists())
    chosen = ["-k", GAME, *(each for each in folders if each not in SLOW_OR_THE_TOY_ITSELF)]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.toy.plugged", *(chosen if of_the_game else LISTING)],
        cwd=TESTS,
        env={**os.environ, "TOY": "4", "PYTHONPATH": str(TESTS.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=3600,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " passed" in ran.stdout
