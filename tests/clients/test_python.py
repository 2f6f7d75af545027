"""The client that openapi-python-client generates, and the bot on it."""

import sys
from pathlib import Path

from tests.clients.tools import assert_plays, prepare, run

CHECK = ("--config-file=", "--strict", "--follow-imports=silent", "--cache-dir=.mypy_cache")


async def test_a_bot_on_the_generated_python_client_plays_a_whole_game(author: Path, server: str) -> None:
    here = prepare(author, "python_bot")
    python = here / "venv" / "bin" / "python"
    run(sys.executable, "-m", "mypy", *CHECK, "--python-executable", python, "bot.py", folder=here)
    await assert_plays(server, python, "bot.py", folder=here)
