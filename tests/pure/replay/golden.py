"""A golden game as the tests know it: read from its file, line by line, without the code under test."""

import json
from pathlib import Path
from typing import Any

from mcmulti.cli.replay.story import Story
from tests.games import CALLED
from tests.golden.games import load

FOLDER = Path(__file__).parents[2] / "golden"


def recorded_lines(name: str) -> list[dict[str, Any]]:
    """The events of a golden game as plain JSON."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def story(name: str) -> Story:
    """The story of a golden game."""
    return Story(load(FOLDER / f"{name}.jsonl"), CALLED)


def turn_beginnings(name: str) -> dict[int, int]:
    """The number of the event that begins each turn."""
    return {line["data"]["turn"]: line["seq"] for line in recorded_lines(name) if line["type"] == "TurnBegan"}
