"""The types that openapi-typescript generates, openapi-fetch, and the bot on them."""

from pathlib import Path

import pytest

from tests.clients.conftest import ROOT
from tests.clients.tools import assert_plays, prepare
from tests.needs import found


@pytest.mark.needs("node", "npm")
async def test_a_bot_on_the_generated_typescript_client_plays_a_whole_game(author: Path, server: str) -> None:
    here = prepare(author, "typescript_bot")
    await assert_plays(server, found("node"), "build/bot.js", folder=here)


@pytest.mark.parametrize(
    "folder", ["examples/typescript_bot", "tests/clients/hey_api", "tests/clients/typescript_fetch"]
)
def test_the_locked_packages_come_from_wherever_npm_is_told(folder: str) -> None:
    lock = (ROOT / folder / "package-lock.json").read_text("utf-8")
    assert "://" not in lock
