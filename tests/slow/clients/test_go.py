"""The client that openapi-generator generates for Go, and whole games on it."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import PLAYED, Generator, assert_played
from tests.slow.clients.tools import once, run

PROGRAMS = ROOT / "tests" / "slow" / "clients" / "go"
MODULE = "module games\n\ngo 1.19\n"
OFFLINE = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod"}
"""The clients and the programs need no other modules."""
QUICK = ("-gcflags=games/...=-N -l -dwarf=false", "-ldflags=-s -w")
"""Programs that run for seconds are not optimized, and nobody debugs them."""

pytestmark = pytest.mark.needs("java", "go")


def built(generator: Generator, ruleset: str, folder: Path, cache: Path) -> Path:
    """The program that plays a rule set, on its client."""
    shutil.copytree(generator.client("go", ruleset), folder / "mcmulti")
    (folder / "go.mod").write_text(MODULE)
    for program in (PROGRAMS / "games.go", PROGRAMS / ruleset / "rules.go"):
        shutil.copy(program, folder)
    run(found("go"), "build", *QUICK, "-o", "games", ".", folder=folder, GOCACHE=str(cache), **OFFLINE)
    return folder / "games"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with compiled packages, among them Go's own."""
    return once(tmp_path_factory, "go", lambda folder: None)


@pytest.mark.parametrize("ruleset", PLAYED["go"])
async def test_games_are_played_and_read(
    server: str, generator: Generator, tmp_path: Path, cache: Path, ruleset: str
) -> None:
    program = await asyncio.to_thread(built, generator, ruleset, tmp_path, cache)
    printed = await asyncio.to_thread(run, program, server, folder=tmp_path)
    await assert_played(server, ruleset, printed)


def test_the_client_of_the_whole_contract_has_no_errors(generator: Generator, cache: Path) -> None:
    """Its types are checked as the compiler checks them, but no machine code is made of it."""
    client = generator.client("go", "openapi")
    (client / "go.mod").write_text(MODULE)
    run(found("go"), "vet", ".", folder=client, GOCACHE=str(cache), **OFFLINE)
