"""``mcmulti puzzles``: the shipped puzzles can be made again from their seeds."""

from pathlib import Path

import msgspec
import pytest

from mcmulti.puzzles.kept import PuzzleSet, shipped
from tests.cli.proving import run

MAKE = ("puzzles", "--ruleset", "mcmulti", "--players", "2", "--games", "1", "--rollouts", "100", "--seed", "1")


def test_the_first_shipped_puzzle_follows_from_its_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "puzzles.json"
    assert run(*MAKE, "--most", "1", "--output", str(file)) == 0
    said = capsys.readouterr()
    assert said.out == f"{file}\n"
    assert said.err.startswith("Games: 1, positions examined: ")
    made, found = msgspec.json.decode(file.read_bytes(), type=PuzzleSet), shipped("mcmulti")
    assert found is not None
    assert made == msgspec.structs.replace(found, puzzles=found.puzzles[:1])


def test_bad_options_are_refused_before_any_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("puzzles", "--ruleset", "chess") == 2
    assert run("puzzles", "--ruleset", "mcmulti", "--players", "7") == 2
    assert run(*MAKE, "--most", "0") == 2
    assert "games" not in capsys.readouterr().out
