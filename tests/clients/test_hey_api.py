"""The client that @hey-api/openapi-ts generates, and whole games on it."""

from pathlib import Path

import pytest

from tests.clients.tools import run
from tests.clients.typescript import assert_played, copied
from tests.needs import found

pytestmark = pytest.mark.needs("node", "npm")


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what the compiler made of the programs and of the client."""
    here = copied("hey_api", tmp_path_factory.mktemp("hey_api"))
    run(found("npm"), "run", "generate", folder=here)
    run(found("npm"), "run", "build", folder=here)
    return here / "build"


async def test_two_players_play_a_whole_game_on_the_board(programs: Path, server: str) -> None:
    commands = {"StartGame", "BuyAsset", "BuyBarrels", "EndPurchases", "RollDice", "EndProduction", "EndTurn"}
    await assert_played(server, programs / "play.js", {"TextChoice", "SiteChoice", "Range"}, commands)


async def test_four_players_play_a_whole_game_by_post(programs: Path, server: str) -> None:
    commands = {"StartGame", "HoldRound", "SubmitOrders", "WithdrawOrders"}
    await assert_played(server, programs / "post.js", {"NumberChoice", "FlagChoice"}, commands)
