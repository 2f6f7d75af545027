"""The client that openapi-generator generates for Python, on pydantic."""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.clients.conftest import ROOT
from tests.clients.generator import CHOICES, Generator, assert_played
from tests.clients.tools import run

PROGRAM = ROOT / "tests" / "clients" / "python" / "games.py"


@pytest.fixture(scope="session")
def client(generator: Generator, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generated client."""
    folder = tmp_path_factory.mktemp("python")
    generator.generate("python", folder, packageName="mcmulti_client")
    return folder


@pytest.mark.needs("java")
@pytest.mark.parametrize("ruleset", CHOICES)
async def test_whole_games_are_played_and_read(server: str, generator: Generator, client: Path, ruleset: str) -> None:
    path = f"{client}:{generator.packages}"
    command = (sys.executable, PROGRAM, server, ruleset)
    printed = await asyncio.to_thread(run, *command, folder=client, PYTHONPATH=path)
    await assert_played(server, ruleset, printed)
