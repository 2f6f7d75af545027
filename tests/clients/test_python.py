"""The client that openapi-python-client generates, and the bot on it."""

import sys
import venv
from pathlib import Path

from tests.clients.tools import assert_plays, install, run

CHECK = ("--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=.mypy_cache")


async def test_a_bot_on_the_generated_python_client_plays_a_whole_game(author: Path, server: str) -> None:
    here = author / "examples" / "python_bot"
    venv.create(author / "venv", symlinks=True)
    python = author / "venv" / "bin" / "python"
    install(here / "requirements.lock", python=python)
    document = author / "openapi" / "openapi.json"
    generator = (python.parent / "openapi-python-client", "generate", "--path", document, "--config", "client.yml")
    run(*generator, "--meta", "none", "--output-path", "mcmulti_client", "--fail-on-warning", folder=here)
    run(sys.executable, "-m", "mypy", *CHECK, "--python-executable", python, "bot.py", folder=here)
    await assert_plays(server, python, "bot.py", folder=here)
