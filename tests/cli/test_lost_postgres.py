"""A server that loses its own PostgreSQL for good starts it again, or ends and says why."""

import asyncio
from pathlib import Path

import httpx
import pytest

from mcmulti.server import database
from mcmulti.server.database import embedded
from mcmulti.server.running import ServerError
from tests.cli.command import processes, running
from tests.events.running import kill_all, running_in, until


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_is_started_again_and_nothing_is_lost(workers: str, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    serve = ("serve", "--folder", str(folder), "--port", "0", "--workers", workers)
    with running(*serve, temporary=tmp_path) as server:
        address = server.line("Serving at ")
        player = httpx.post(f"{address}/v1/players", json={"name": "Ada"}, timeout=30).json()
        headers = {"Authorization": f"Bearer {player['token']}"}
        body = {"ruleset": "mcmulti"}
        game = httpx.post(f"{address}/v1/games", json=body, headers=headers, timeout=30).json()["game"]
        kill_all(folder)
        until(lambda: "was restarted" in server.said, seconds=30)
        until(lambda: httpx.get(f"{address}/readyz", timeout=30).status_code == 200, seconds=30)
        assert httpx.get(f"{address}/v1/games/{game}", timeout=30).status_code == 200
        assert httpx.post(f"{address}/v1/games", json=body, headers=headers, timeout=30).status_code == 201
        assert server.interrupt() == 0
        assert "Traceback" not in server.said
    assert processes(folder) == []


async def test_a_server_that_cannot_have_it_back_ends_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOOK", 0.05)
    monkeypatch.setattr(database, "LONGEST_PAUSE", 0.2)
    monkeypatch.setattr(database, "GIVE_UP", 1.0)
    folder = tmp_path / "data"

    async def served() -> None:
        async with embedded(folder):
            (folder / "pgdata" / "global" / "pg_control").rename(tmp_path / "pg_control")
            await asyncio.to_thread(kill_all, folder)
            await asyncio.sleep(60)

    with pytest.raises(ServerError, match=r"could not be restarted for 1 s: Postgres cannot start in .*"):
        await asyncio.wait_for(served(), 30)
    assert running_in(folder) == {}


async def test_what_the_work_raises_is_raised_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="nothing"):
        async with embedded(tmp_path / "data"):
            raise LookupError("nothing")
