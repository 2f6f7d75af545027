"""The client that swagger-typescript-api generates, and whole games on it."""

from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.contracts import contract
from tests.slow.clients.generator import PLAYED
from tests.slow.clients.tools import once, run
from tests.slow.clients.typescript import assert_played, copied, prepared

SOURCE = ROOT / "tests" / "slow" / "clients" / "swagger_typescript_api"


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the generator."""
    return once(tmp_path_factory, "swagger_typescript_api", lambda folder: prepared(SOURCE, folder))


@pytest.mark.needs("node", "npm")
@pytest.mark.parametrize("ruleset", PLAYED["swagger_typescript_api"])
async def test_a_whole_game_is_played(packages: Path, server: str, ruleset: str) -> None:
    here = copied("swagger_typescript_api", ruleset, packages)
    options = ("--path", contract(ruleset), "--output", here / "client")
    run(found("npm"), "run", "generate", "--", *options, folder=packages)
    run(found("npm"), "run", "build", "--", "--project", here, folder=packages)
    await assert_played(server, ruleset, here)
