"""Make a backup of a database while servers may be running.

Dump and manifest are of the same moment: both read the same snapshot. Everything is written under a temporary name and
renamed at the end, so that a folder with the name of a backup is always complete.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import aclosing, contextmanager, suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from psycopg import AsyncConnection, Error, IsolationLevel

from mcmulti.events.cluster.citus import is_distributed
from mcmulti.events.embedded.manifest import DISPOSABLE, DUMP, MANIFEST, BackupError, Manifest, encoded, written
from mcmulti.events.embedded.programs import connected, one_line, output
from mcmulti.events.embedded.upgrade import sync

UNFINISHED = ".unfinished"
"""The suffix of an unfinished backup."""

_HAS_GAMES = "SELECT to_regclass('public.game') IS NOT NULL AND to_regclass('public.event') IS NOT NULL"
_CLOSED = """
    SELECT tablename FROM pg_tables WHERE schemaname = 'public'
    AND NOT has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT') ORDER BY tablename
"""
_MOMENT = "SELECT pg_export_snapshot(), now(), count(*), coalesce(sum(head_seq), 0)::bigint FROM public.game"


async def back_up(url: str, place: Path) -> Manifest:
    """Back up a database into a new folder, an absolute path, readable only by its owner. Raises `BackupError`."""
    try:
        with _unfinished(place) as folder:
            manifest = await _written_into(folder, url)
            folder.rename(place)
            sync(place.parent)
    except Error as error:
        raise BackupError(f"The database cannot be backed up: {one_line(error)}") from error
    except OSError as error:
        raise BackupError(f"Cannot write {place}: {error.strerror or error}.") from error
    return manifest


@contextmanager
def _unfinished(place: Path) -> Iterator[Path]:
    """An empty folder for a backup in progress, which nobody else uses. First deletes what a killed attempt left."""
    if place.exists():
        raise BackupError(f"{place} already exists. Choose another name.")
    folder = place.with_name(place.name + UNFINISHED)
    folder.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise BackupError(f"{place} is being made by another process.") from None
    try:
        for left in (folder / DUMP, folder / MANIFEST):
            left.unlink(missing_ok=True)
        yield folder
    except BaseException:
        for left in (folder / DUMP, folder / MANIFEST):
            left.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            folder.rmdir()
        raise
    finally:
        os.close(lock)


async def _written_into(folder: Path, url: str) -> Manifest:
    async with connected(url) as connection:
        await connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
        await connection.set_read_only(True)
        await _check_source(connection)
        ((snapshot, made_at, games, events),) = await (await connection.execute(_MOMENT)).fetchall()
        size, digest = await _dumped(folder / DUMP, url, snapshot)
        manifest = Manifest(
            format=1,
            build=version("mcmulti"),
            postgres=connection.info.parameter_status("server_version") or "",
            made_at=made_at,
            games=games,
            events=events,
            bytes=size,
            sha256=digest,
            tables=await written(connection),
        )
    with _new(folder / MANIFEST) as file:
        file.write(encoded(manifest))
        file.flush()
        os.fsync(file.fileno())
    sync(folder)
    return manifest


def _new(path: Path) -> BinaryIO:
    """A new file, readable only by its owner, which stays open if the folder is moved."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


async def _check_source(connection: AsyncConnection) -> None:
    """Raise `BackupError` unless this login can back up this database."""
    ((has_games,),) = await (await connection.execute(_HAS_GAMES)).fetchall()
    if not has_games:
        raise BackupError("There are no games in this database.")
    if await is_distributed(connection):
        raise BackupError(
            "This database is spread over a cluster. Back up its nodes (docs/how-to/run-on-a-cluster.md)."
        )
    if closed := await (await connection.execute(_CLOSED)).fetchall():
        names = ", ".join(name for (name,) in closed)
        raise BackupError(f"The login {connection.info.user} cannot read {names}. Use the owner of the tables.")


async def _dumped(path: Path, url: str, snapshot: str) -> tuple[int, str]:
    """Write the dump. Returns its number of bytes, and their SHA-256."""
    what = ("--format=custom", "--no-owner", "--no-privileges", f"--exclude-table-data={DISPOSABLE}")
    size, digest = 0, sha256()
    with _new(path) as file:
        async with aclosing(output("pg_dump", *what, f"--snapshot={snapshot}", url=url)) as pieces:
            async for piece in pieces:
                size += file.write(piece)
                digest.update(piece)
        file.flush()
        os.fsync(file.fileno())
    return size, digest.hexdigest()
