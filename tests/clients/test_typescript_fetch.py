"""The client that openapi-generator generates for TypeScript (`typescript-fetch`), and whole games on it."""

from pathlib import Path

import pytest

from tests.clients.conftest import ROOT
from tests.clients.tools import install, run
from tests.clients.typescript import assert_played_by_post, assert_played_on_the_board, copied
from tests.needs import found

pytestmark = pytest.mark.needs("java", "node", "npm")


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the compiler made of the programs and of the client."""
    here = copied("typescript_fetch", tmp_path_factory.mktemp("typescript_fetch"))
    packages = tmp_path_factory.mktemp("generator")
    install(ROOT / "tests" / "clients" / "requirements.lock", "--target", packages)
    archive = packages / "openapi_generator_cli" / "openapi-generator.jar"
    run(
        *(found("java"), "-jar", archive, "generate", "--generator-name", "typescript-fetch"),
        *("--input-spec", "../../../openapi/openapi.json", "--output", "client"),
        *("--additional-properties", "importFileExtension=.js"),
        folder=here,
    )
    run(found("npm"), "run", "build", folder=here)
    return here / "build"


async def test_two_players_play_a_whole_game_on_the_board(programs: Path, server: str) -> None:
    await assert_played_on_the_board(server, programs / "play.js")


async def test_four_players_play_a_whole_game_by_post(programs: Path, server: str) -> None:
    await assert_played_by_post(server, programs / "post.js")
