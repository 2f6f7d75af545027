"""What a backup says of itself, and whether it is what it says.

A backup is a folder of two files: ``games.dump``, which `pg_dump` made and `pg_restore` reads, and ``manifest.json``.
Whoever may write there can change both so that they fit. The digest of the manifest, noted elsewhere, finds that too.
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
    """Why there is no backup, or why it is not restored, in a sentence for the person at the keyboard."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds, as of the moment `made_at` of the database's clock.

    `build` is the version of mcmulti that made it, and `postgres` that of the database. `bytes` and `sha256` are those
    of the dump. `tables` says what every table holds but that of snapshots, which a backup leaves out.
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
    """The manifest as it stands in its file."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def decoded(content: bytes) -> Manifest:
    """What stands in the file of a manifest. Raises `ValueError`."""
    try:
        return msgspec.json.decode(content, type=Manifest)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def digest_of(manifest: Manifest) -> str:
    """What to note elsewhere: the SHA-256 of the file of the manifest."""
    return sha256(encoded(manifest)).hexdigest()


async def examined(place: Path, digest: str | None = None) -> Manifest:
    """The manifest of a backup whose dump is the one that was made; `digest` is what was noted of it.

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
