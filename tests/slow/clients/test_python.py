"""The client that openapi-python-client generates, the bot on it, and whole games on it."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import CHOICES, assert_played
from tests.slow.clients.tools import assert_plays, install, prepare, run

BOT = ROOT / "examples" / "python_bot"
CHECK = ("--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=.mypy_cache")


async def test_a_bot_on_the_generated_python_client_plays_a_whole_game(author: Path, server: str) -> None:
    here = prepare(author, "python_bot")
    python = here / "venv" / "bin" / "python"
    run(sys.executable, "-m", "mypy", *CHECK, "--python-executable", python, "bot.py", folder=here)
    await assert_plays(server, python, "bot.py", folder=here)


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the generator and the libraries of its clients, those of the bot."""
    folder = tmp_path_factory.mktemp("openapi_python_client")
    install(BOT / "requirements.lock", "--target", folder)
    return folder


@pytest.mark.parametrize("ruleset", CHOICES)
async def test_whole_games_are_played_and_read(
    server: str, packages: Path, contracts: Path, tmp_path: Path, ruleset: str
) -> None:
    contract = ("--path", contracts / f"{ruleset}.json", "--config", BOT / "client.yml", "--meta", "none")
    output = ("--output-path", tmp_path / "mcmulti_client", "--fail-on-warning")
    generator = (packages / "bin" / "openapi-python-client", "generate", *contract, *output)
    run(*generator, folder=tmp_path, PYTHONPATH=str(packages))
    command = (sys.executable, "-m", "tests.slow.clients.python.openapi_python_client", server, ruleset)
    printed = await asyncio.to_thread(run, *command, folder=ROOT, PYTHONPATH=f"{tmp_path}:{packages}")
    await assert_played(server, ruleset, printed)
