"""The guides to new games show the games that the tests play."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run

ROOT = Path(__file__).parents[2]
IN_TURNS, OTHERWISE = page("how-to/add-a-game"), page("how-to/add-any-game")
GUIDE = IN_TURNS + OTHERWISE
FAIR, RACE = (
    {file.name: file.read_text("utf-8") for file in (ROOT / "tests" / "toy" / name).iterdir() if file.is_file()}
    for name in ("fair", "race")
)
BLOCKS = re.findall(r"```(?:python|toml)\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_a_block_of_code_stands_in_a_game(block: str) -> None:
    assert any(block in content for content in (*FAIR.values(), *RACE.values()))


def test_the_texts_of_a_game_in_turns_are_those_of_the_race() -> None:
    """The race has no limits of its own, and is not a game of the package, which also has texts for newcomers."""
    files = re.findall(r"`([\w.]+\.toml)`", IN_TURNS.partition("## Versions")[0])
    omitted = {"refusals.toml", "components.toml", "coach.toml", "example.toml"}
    assert set(files) - omitted == {name for name in RACE if name.endswith(".toml")}


def test_the_race_is_as_long_as_the_guide_says() -> None:
    lines = sum(len(content.splitlines()) for content in RACE.values())
    assert f"{lines} lines with its texts in both" in GUIDE


def test_the_rooms_are_those_of_the_game() -> None:
    named = set(re.findall(r"`(\w+\.py)`", OTHERWISE.partition("## State")[0]))
    assert named == {name for name in FAIR if name.endswith(".py")}


def test_the_demo_of_the_guide_proves_what_it_says() -> None:
    transcript = commands(GUIDE)
    assert transcript
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    printed = run(transcript, ROOT, environment)
    assert [as_printed(command.prints, said) for command, said in zip(transcript, printed, strict=True)] == [True] * 2
