"""The client that openapi-python-client generates, the bot on it, and whole games on it."""

import sys
from pathlib import Path

import pytest

from tests.slow.clients.generator import PLAYED, assert_played
from tests.slow.clients.python_client import installed, played
from tests.slow.clients.tools import assert_plays, prepare, run

CHECK = ("--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=.mypy_cache")


async def test_a_bot_on_the_generated_python_client_plays_a_whole_game(author: Path, server: str) -> None:
    here = prepare(author, "python_bot")
    python = here / "venv" / "bin" / "python"
    run(sys.executable, "-m", "mypy", *CHECK, "--python-executable", python, "bot.py", folder=here)
    await assert_plays(server, python, "bot.py", folder=here)


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the generator and the libraries of its clients, those of the bot."""
    return installed(tmp_path_factory)


@pytest.mark.parametrize("ruleset", PLAYED["openapi_python_client"])
async def test_games_are_played_and_read(server: str, packages: Path, tmp_path: Path, ruleset: str) -> None:
    printed = await played(server, packages, tmp_path, ruleset)
    await assert_played(server, ruleset, printed)
