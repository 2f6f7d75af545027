"""A short game on a generated client. tests/slow/clients plays whole games on the clients of every generator."""

from pathlib import Path

import pytest

from tests.slow.clients.generator import assert_played
from tests.slow.clients.python_client import installed, played
from tests.slow.clients.tools import PATIENCE, serving

LIVELY = "60"
"""Random moves with all kinds of choices, until all but one player resign."""


@pytest.mark.timeout(PATIENCE)
async def test_a_game_is_played_and_read(
    database: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with serving(database) as server:
        printed = await played(server, installed(tmp_path_factory), tmp_path, "marracash", LIVELY)
        await assert_played(server, "marracash", printed)
