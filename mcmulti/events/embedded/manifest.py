"""The manifest of a backup, whether the backup matches it, and what tables have, so that databases can be compared.

A backup is a folder of two files: ``games.dump``, which `pg_dump` made and `pg_restore` reads, and ``manifest.json``.
Anyone who can write there can change both consistently. The digest of the manifest, noted elsewhere, detects that too.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from psycopg import AsyncConnection, sql

DISPOSABLE = "snapshot"
"""The table that is rebuilt if it is missing, and is not copied."""

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> %s ORDER BY tablename"
_AS_WRITTEN = "SET LOCAL TIME ZONE 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL bytea_output = 'hex'"


class Written(Struct, frozen=True):
    """The number of rows of a table, and the sum of their SHA-256 modulo 2**256, as hex: independent of the order."""

    rows: int
    digest: str


def differing(one: Mapping[str, Written], other: Mapping[str, Written]) -> list[str]:
    """The names of the tables that differ."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


async def written(connection: AsyncConnection) -> dict[str, Written]:
    """The contents of every table that is not disposable, by name; within the transaction of the connection."""
    found = {}
    async with connection.transaction(), connection.cursor() as cursor:
        await cursor.execute(_AS_WRITTEN)
        for (name,) in await (await cursor.execute(_TABLES, [DISPOSABLE])).fetchall():
            number = digests = 0
            async with cursor.copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier("public", name))) as rows:
                async for row in rows:
                    number += 1
                    digests += int.from_bytes(sha256(row).digest())
            found[name] = Written(number, f"{digests % 2**256:064x}")
    return found


DUMP, MANIFEST = "games.dump", "manifest.json"


class BackupError(Exception):
    """Why there is no backup, or why it is not restored, in a sentence for the user."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a backup, as of the moment `made_at` of the database's clock.

    `build`: the version of mcmulti that made it. `postgres`: the version of the database. `bytes` and `sha256`: of the
    dump. `tables`: the contents of every table except snapshots, which a backup leaves out.
    """

    format: Literal[1]
    build: str
    postgres: str
    made_at: datetime
    games: int
    events: int
    bytes: int
    sha256: str
    tables: dict[str, Written]


def encoded(manifest: Manifest) -> bytes:
    """The manifest as the bytes of its file."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def decoded(content: bytes) -> Manifest:
    """Parse a manifest file. Raises `ValueError`."""
    try:
        return msgspec.json.decode(content, type=Manifest)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def digest_of(manifest: Manifest) -> str:
    """The digest to note elsewhere: the SHA-256 of the manifest file."""
    return sha256(encoded(manifest)).hexdigest()


async def examined(place: Path, digest: str | None = None) -> Manifest:
    """The manifest of a backup, after checking its dump. `digest`: the digest that you noted.

    Raises `BackupError`.
    """
    try:
        content = (place / MANIFEST).read_bytes()
        found = await asyncio.to_thread(_sha256, place / DUMP)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BackupError(f"{place} is not a backup: it has no {Path(error.filename).name}.") from None
    except OSError as error:
        raise BackupError(f"{error.filename} cannot be read: {error.strerror}.") from None
    try:
        manifest = decoded(content)
    except ValueError as error:
        raise BackupError(f"{place / MANIFEST} is damaged, or of another version of mcmulti: {error}.") from None
    if digest is not None and digest != sha256(content).hexdigest():
        raise BackupError(f"{place / MANIFEST} does not have the digest that you noted: the backup was changed.")
    size = (place / DUMP).stat().st_size
    if size < manifest.bytes:
        raise BackupError(f"{place / DUMP} is cut short: {size:,} of {manifest.bytes:,} bytes. Take another backup.")
    if found != manifest.sha256:
        raise BackupError(f"{place / DUMP} was changed after it was made. Take another backup.")
    return manifest


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
