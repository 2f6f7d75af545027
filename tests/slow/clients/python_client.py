"""The client that openapi-python-client generates, and games on it."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.pure.properties.random_games import seats_of
from tests.slow.clients.contracts import contract
from tests.slow.clients.generator import ROOT
from tests.slow.clients.tools import install, once, run

BOT = ROOT / "examples" / "python_bot"


def installed(factory: pytest.TempPathFactory) -> Path:
    """A folder with the generator and the libraries of its clients."""
    lock = BOT / "requirements.lock"
    return once(factory, "openapi_python_client", lambda folder: install(lock, "--target", folder))


async def played(server: str, packages: Path, here: Path, ruleset: str, *most: str) -> str:
    """Generate the client of a rule set, and return what a game on it printed: all of it, or this many moves."""
    document = ("--path", contract(ruleset), "--config", BOT / "client.yml", "--meta", "none")
    output = ("--output-path", here / "mcmulti_client", "--fail-on-warning")
    generator = (packages / "bin" / "openapi-python-client", "generate", *document, *output)
    run(*generator, folder=here, PYTHONPATH=str(packages))
    program = (sys.executable, "-m", "tests.slow.clients.python.openapi_python_client")
    command = (*program, server, ruleset, str(seats_of(ruleset)[0]), *most)
    return await asyncio.to_thread(run, *command, folder=ROOT, PYTHONPATH=f"{here}:{packages}")
