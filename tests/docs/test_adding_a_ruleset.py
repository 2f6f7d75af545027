"""The guide to a further game shows the game that the tests play."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.docs.transcript import as_printed, commands, run

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "adding-a-ruleset.md").read_text("utf-8")
FAIR = {file.name: file.read_text("utf-8") for file in (ROOT / "tests" / "toy" / "fair").iterdir() if file.is_file()}
BLOCKS = re.findall(r"```(?:python|toml)\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_a_block_of_code_stands_in_the_game(block: str) -> None:
    assert any(block in content for content in FAIR.values())


def test_the_rooms_are_those_of_the_game() -> None:
    named = set(re.findall(r"`(\w+\.py)`", GUIDE.partition("## State")[0]))
    assert named == {name for name in FAIR if name.endswith(".py")}


def test_the_demo_of_the_guide_proves_what_it_says() -> None:
    transcript = commands(GUIDE)
    assert transcript
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    printed = run(transcript, ROOT, environment)
    assert [as_printed(command.prints, said) for command, said in zip(transcript, printed, strict=True)] == [True]
