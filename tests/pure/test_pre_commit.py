"""A commit must pass what `make lint` and `make types` run, with the tools that are installed."""

import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
BIN = ".venv/bin/"


def _entries() -> list[list[str]]:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    (local,) = config["repos"]
    assert local["repo"] == "local", "nothing is fetched"
    assert {hook["language"] for hook in local["hooks"]} == {"system"}
    return [hook["entry"].split() for hook in local["hooks"]]


def test_its_commands_are_there() -> None:
    for command, *_ in _entries():
        assert command.startswith(BIN)
        assert (Path(sys.executable).parent / command.removeprefix(BIN)).is_file()


def test_they_are_those_of_make() -> None:
    """Without what pre-commit adds: it names the files itself."""
    makefile = (ROOT / "Makefile").read_text()
    rules = re.findall(r"^(?:lint|types):.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    made = [line.removeprefix("\t$(BIN)/").removesuffix(" .") for rule in rules for line in rule.splitlines()]
    hooked = [" ".join(word for word in entry if word != "--force-exclude").removeprefix(BIN) for entry in _entries()]
    assert hooked == made
