"""`kill -9` during a backup, a restore, or a drill leaves nothing that could be mistaken for a complete one."""

import asyncio
import signal
from pathlib import Path

import psycopg

from mcmulti.events.embedded.making import UNFINISHED
from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.cli.backing_up import empty, filled, holds_all, inside, ran, tables
from tests.cli.command import processes, running
from tests.conftest import CLEANER
from tests.events.running import until

_WAITING = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
_OTHERS = f"""
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
    AND application_name <> '{CLEANER}'
"""
PATIENCE = 90


def _count(owner: psycopg.Connection, query: str) -> int:
    ((number,),) = owner.execute(query.encode()).fetchall()
    return int(number)


def _killed_while_it_waits(database: str, lock: str, folder: Path, *command: str | Path) -> None:
    """Run a command until it waits for this lock, then kill it."""
    with psycopg.connect(database) as holder, psycopg.connect(database, autocommit=True) as watcher:
        holder.execute(lock.encode())
        with running(*map(str, command), temporary=folder) as killed:
            until(lambda: _count(watcher, _WAITING) > 0, PATIENCE)
            killed.signal(signal.SIGKILL)
            assert killed.code() == -signal.SIGKILL
        until(lambda: not processes(folder), PATIENCE)
    with psycopg.connect(database, autocommit=True) as watcher:
        until(lambda: _count(watcher, _OTHERS) == 0, PATIENCE)


async def test_a_killed_backup_leaves_nothing_that_has_its_name(database: str, tmp_path: Path) -> None:
    place, source = tmp_path / "monday", await filled(database)
    backup = ("backup", place, "--database-url", source)
    await asyncio.to_thread(
        _killed_while_it_waits, database, "LOCK TABLE visitor IN ACCESS EXCLUSIVE MODE", tmp_path, *backup
    )
    assert inside(tmp_path) == [f"monday{UNFINISHED}"]
    assert (await ran(*backup, temporary=tmp_path)).code == 0
    assert inside(tmp_path) == ["monday"]


async def test_a_killed_restore_leaves_the_database_empty(
    database: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    """It is killed after all rows are restored, while the last constraint is created."""
    place, source = tmp_path / "monday", await filled(database)
    assert (await ran("backup", place, "--database-url", source, temporary=tmp_path)).code == 0
    with empty(postgres) as target:
        restore = ("restore", place, "--database-url", target)
        await asyncio.to_thread(
            _killed_while_it_waits, target, "LOCK TABLE pg_trigger IN SHARE MODE", tmp_path, *restore
        )
        assert tables(target) == 0
        ended = await ran(*restore, temporary=tmp_path)
        assert (ended.code, ended.said) == (0, "")
        await holds_all(target)


async def test_what_a_killed_drill_leaves_the_next_one_removes(database: str, tmp_path: Path) -> None:
    place, source = tmp_path / "monday", await filled(database)
    assert (await ran("backup", place, "--database-url", source, temporary=tmp_path)).code == 0
    await asyncio.to_thread(_killed_once_it_restores, place, tmp_path)
    assert inside(tmp_path) == ["monday", "monday.drill"]
    ended = await ran("drill", place, temporary=tmp_path)
    assert (ended.code, ended.printed[-1]) == (0, "The backup is good.")
    assert inside(tmp_path) == ["monday"]


def _killed_once_it_restores(place: Path, folder: Path) -> None:
    with running("drill", str(place), temporary=folder) as killed:
        until(lambda: any(folder.glob("monday.drill/*/pgdata/PG_VERSION")), PATIENCE)
        killed.signal(signal.SIGKILL)
        assert killed.code() == -signal.SIGKILL
    until(lambda: not processes(folder), PATIENCE)
