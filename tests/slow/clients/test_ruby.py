"""The client that openapi-generator generates for Ruby, on Faraday, and whole games on it."""

import asyncio
from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import PLAYED, Generator, assert_played
from tests.slow.clients.tools import run

PROGRAM = ROOT / "tests" / "slow" / "clients" / "ruby" / "games.rb"


@pytest.mark.needs("java", "ruby", "ruby-faraday", "ruby-marcel")
@pytest.mark.parametrize("ruleset", PLAYED["ruby"])
async def test_games_are_played_and_read(server: str, generator: Generator, tmp_path: Path, ruleset: str) -> None:
    command = (found("ruby"), "-I", generator.client("ruby", ruleset) / "lib", PROGRAM, server, ruleset)
    printed = await asyncio.to_thread(run, *command, folder=tmp_path)
    await assert_played(server, ruleset, printed)
