"""The types that openapi-typescript generates, with openapi-fetch, and the example bot on the npm package."""

from pathlib import Path

import pytest

from tests.needs import found
from tests.slow.clients.conftest import ROOT
from tests.slow.clients.contracts import contract
from tests.slow.clients.generator import PLAYED
from tests.slow.clients.tools import assert_plays, once, prepare, run
from tests.slow.clients.typescript import assert_played, copied, prepared


@pytest.mark.needs("node", "npm")
async def test_the_example_bot_on_the_npm_package_plays_a_whole_game(author: Path, server: str) -> None:
    here = prepare(author, "typescript_bot")
    await assert_plays(server, found("node"), "build/bot.js", folder=here)


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the generator and the library."""
    source = ROOT / "tests" / "slow" / "clients" / "openapi_typescript"
    return once(tmp_path_factory, "openapi_typescript", lambda folder: prepared(source, folder))


@pytest.mark.needs("node", "npm")
@pytest.mark.parametrize("ruleset", PLAYED["openapi_typescript"])
async def test_a_whole_game_is_played(packages: Path, server: str, ruleset: str) -> None:
    here = copied("openapi_typescript", ruleset, packages)
    # Not api.d.ts: the compiler does not check declarations with skipLibCheck.
    options = ("--default-non-nullable=false", "--output", here / "api.ts")
    run(packages / "node_modules" / ".bin" / "openapi-typescript", contract(ruleset), *options, folder=here)
    run(found("npm"), "run", "build", "--", "--project", here, folder=packages)
    await assert_played(server, ruleset, here)


@pytest.mark.parametrize(
    "folder",
    [
        "examples/typescript_bot",
        "openapi/typescript",
        "tests/slow/clients/hey_api",
        "tests/slow/clients/openapi_typescript",
        "tests/slow/clients/orval",
        "tests/slow/clients/swagger_typescript_api",
        "tests/slow/clients/typescript_axios",
        "tests/slow/clients/typescript_fetch",
    ],
)
def test_the_locked_packages_come_from_wherever_npm_is_told(folder: str) -> None:
    lock = (ROOT / folder / "package-lock.json").read_text("utf-8")
    assert "://" not in lock
