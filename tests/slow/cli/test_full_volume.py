"""Full disks: a server without room for its WAL ends and says why, and one without room for its tables is not ready.

No backup and no restore is left half done.
"""

from functools import partial
from pathlib import Path

import httpx
import pytest
from psycopg.conninfo import make_conninfo

from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.cli.backing_up import filled, holds_all, inside, ran
from tests.cli.command import processes, running
from tests.events.running import until
from tests.slow.chaos.databases import written_until_it_ends
from tests.slow.chaos.volume import mounted


def ready(address: str) -> int:
    """The status of the server, 0 if there is none."""
    try:
        return httpx.get(f"{address}/readyz", timeout=30).status_code
    except httpx.TransportError:
        return 0


@pytest.mark.needs("mount")
def test_the_volume_of_the_wal_is_full(tmp_path: Path) -> None:
    """PostgreSQL panics and cannot restart. The server ends and says why. Then there is room, and nothing is lost."""
    folder = tmp_path / "data"
    with EmbeddedPostgres(folder):
        pass
    wal = folder / "pgdata" / "pg_wal"
    url = make_conninfo(host=str(wal.parent), port=5432, user="mcmulti", dbname="mcmulti")
    serve = ("serve", "--folder", str(folder), "--port", "0")
    serving = partial(running, *serve, temporary=tmp_path, module="tests.slow.chaos.serving", CHAOS_GIVE_UP="2")
    with mounted(wal, 64) as volume:
        with serving() as server:
            address = server.line("Serving at ")
            player = httpx.post(f"{address}/v1/players", json={"name": "Ada"}, timeout=30).json()
            headers = {"Authorization": f"Bearer {player['token']}"}
            body = {"ruleset": "mcmulti"}
            game = httpx.post(f"{address}/v1/games", json=body, headers=headers, timeout=30).json()["game"]
            volume.fill()
            written_until_it_ends(url)
            assert server.code() == 1
            last = server.said.splitlines()[-1]
            assert last.startswith("Error: PostgreSQL stopped and could not be restarted for 2 s: No space left on")
            assert (
                last.removesuffix("; the database system is in recovery mode.")
                .rstrip(".")
                .endswith("No space left on device")
            )
            assert len(last) < 400
            assert "Traceback" not in server.said
        assert processes(folder) == []
        volume.empty()
        with serving() as server:
            address = server.line("Serving at ")
            assert httpx.get(f"{address}/v1/games/{game}", timeout=30).status_code == 200
            assert httpx.post(f"{address}/v1/games", json=body, headers=headers, timeout=30).status_code == 201
            volume.fill()
            written_until_it_ends(url)
            volume.empty()
            until(lambda: ready(address) == 200, seconds=60)
            assert httpx.post(f"{address}/v1/games", json=body, headers=headers, timeout=30).status_code == 201
            assert server.interrupt() == 0
            assert "Traceback" not in server.said


@pytest.mark.needs("mount")
def test_a_server_whose_tables_have_no_room_is_not_ready(tmp_path: Path) -> None:
    """A row that is there already can still be changed, but none can be added. Reads go on, and then there is room."""
    folder = tmp_path / "data"
    with EmbeddedPostgres(folder):
        pass
    with (
        mounted(folder / "pgdata" / "base", 64) as volume,
        running("serve", "--folder", str(folder), "--port", "0", temporary=tmp_path) as server,
    ):
        address = server.line("Serving at ")
        assert ready(address) == 200
        volume.fill()
        until(lambda: ready(address) == 503, seconds=60)
        assert httpx.get(f"{address}/healthz", timeout=30).status_code == 200
        assert httpx.get(f"{address}/v1/games", timeout=30).status_code == 200
        volume.empty()
        until(lambda: ready(address) == 200, seconds=60)
        assert httpx.post(f"{address}/v1/players", json={"name": "Ada"}, timeout=30).status_code == 201
        assert server.interrupt() == 0
        assert "Traceback" not in server.said


@pytest.mark.needs("mount")
async def test_a_full_disk_leaves_no_half_backup(database: str, tmp_path: Path) -> None:
    (volume := tmp_path / "volume").mkdir()
    source = await filled(database)
    with mounted(volume, 1) as filling:
        filling.fill()
        ended = await ran("backup", volume / "monday", "--database-url", source, temporary=tmp_path)
        assert (ended.code, ended.said) == (1, f"Error: Cannot write {volume}/monday: No space left on device.\n")
        filling.empty()
        assert inside(volume) == []
        assert (await ran("backup", volume / "monday", "--database-url", source, temporary=tmp_path)).code == 0


@pytest.mark.needs("mount")
@pytest.mark.parametrize(
    ("leave", "said"),
    [(0, "could not write init file: No space left on device"), (2**20, "Error: The disk of the database is full: ")],
)
async def test_a_full_disk_leaves_no_half_restore(leave: int, said: str, database: str, tmp_path: Path) -> None:
    """Nothing is there afterward: the same backup is restored into the same folder once there is room."""
    place, folder = tmp_path / "monday", tmp_path / "data"
    source = await filled(database)
    assert (await ran("backup", place, "--database-url", source, temporary=tmp_path)).code == 0
    with EmbeddedPostgres(folder):
        pass
    with mounted(folder / "pgdata" / "base", 64) as volume:
        volume.fill(leave)
        ended = await ran("restore", place, "--folder", folder, temporary=tmp_path)
        assert ended.code == 1
        assert said in ended.said
        assert ended.said.count("\n") == 1
        assert "Traceback" not in ended.said
        assert processes(folder) == []
        volume.empty()
        ended = await ran("restore", place, "--folder", folder, temporary=tmp_path)
        assert (ended.code, ended.said) == (0, ""), ended.said
        with EmbeddedPostgres(folder) as server:
            await holds_all(server.url())
