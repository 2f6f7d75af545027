"""The manifest of a backup, and whether the backup matches it.

A backup is a folder of two files: ``games.dump``, which `pg_dump` made and `pg_restore` reads, and ``manifest.json``.
Anyone who can write there can change both consistently. The digest of the manifest, noted elsewhere, detects that too.
"""

import asyncio
from datetime import datetime
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from mcmulti.events.postgres.written import Written

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
