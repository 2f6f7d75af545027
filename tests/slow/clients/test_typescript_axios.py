"""The client that openapi-generator generates for TypeScript (`typescript-axios`), and whole games on it."""

from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.generator import PLAYED, Generator
from tests.slow.clients.tools import once, run
from tests.slow.clients.typescript import assert_played, copied, prepared

pytestmark = pytest.mark.needs("java", "node", "npm")


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the compiler."""
    source = ROOT / "tests" / "slow" / "clients" / "typescript_axios"
    return once(tmp_path_factory, "typescript_axios", lambda folder: prepared(source, folder))


@pytest.mark.parametrize("ruleset", PLAYED["typescript_axios"])
async def test_a_whole_game_is_played(packages: Path, generator: Generator, server: str, ruleset: str) -> None:
    here = copied("typescript_axios", ruleset, packages)
    generator.generate("typescript-axios", ruleset, here / "client", importFileExtension=".js")
    run(found("npm"), "run", "build", "--", "--project", here, folder=packages)
    await assert_played(server, ruleset, here)
