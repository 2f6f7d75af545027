"""The client that orval generates, and whole games on it."""

from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.contracts import contract
from tests.slow.clients.generator import PLAYED
from tests.slow.clients.tools import once, run
from tests.slow.clients.typescript import assert_played, copied, prepared

SOURCE = ROOT / "tests" / "slow" / "clients" / "orval"


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the generator."""
    return once(tmp_path_factory, "orval", lambda folder: prepared(SOURCE, folder))


@pytest.mark.needs("node", "npm")
@pytest.mark.parametrize("ruleset", PLAYED["orval"])
async def test_a_whole_game_is_played(packages: Path, server: str, ruleset: str) -> None:
    here = copied("orval", ruleset, packages, "fetcher.ts")
    run(found("npm"), "run", "generate", folder=packages, CONTRACT=str(contract(ruleset)), FOLDER=str(here))
    run(found("npm"), "run", "build", "--", "--project", here, folder=packages)
    await assert_played(server, ruleset, here)
