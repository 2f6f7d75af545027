"""A short game on a generated client. tests/slow/clients plays every rule set on clients of every generator."""

from pathlib import Path

import pytest

from tests.slow.clients.generator import assert_played, moves
from tests.slow.clients.python_client import installed, played
from tests.slow.clients.tools import PATIENCE, serving


@pytest.mark.timeout(PATIENCE)
async def test_a_game_is_played_and_read(
    database: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with serving(database) as server:
        most = moves("openapi_python_client", "marracash")
        printed = await played(server, installed(tmp_path_factory), tmp_path, "marracash", most)
        await assert_played(server, "marracash", printed)
