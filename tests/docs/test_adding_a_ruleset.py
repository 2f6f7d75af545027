"""The guide to a further game shows the game that the tests play."""

import re
from pathlib import Path

import pytest

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
