"""Backups that are not made or not restored: each says why, and leaves nothing behind."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg import sql

from mcmulti.events.embedded.manifest import DUMP, MANIFEST
from mcmulti.events.embedded.server import EmbeddedPostgres
from tests.cli.backing_up import empty, filled, inside, ran, tables
from tests.cli.proving import address_of
from tests.conftest import new_database
from tests.events.logins import login


def _flipped(place: Path) -> None:
    """Flip a bit in the middle of the dump."""
    content = bytearray((place / DUMP).read_bytes())
    content[len(content) // 2] ^= 1
    (place / DUMP).write_bytes(content)


def _cut(place: Path) -> None:
    content = (place / DUMP).read_bytes()
    (place / DUMP).write_bytes(content[: len(content) // 2])


def _other_rows(place: Path) -> None:
    """Let the manifest list one row too many."""
    manifest = msgspec.json.decode((place / MANIFEST).read_bytes())
    manifest["tables"]["player"]["rows"] += 1
    (place / MANIFEST).write_bytes(msgspec.json.encode(manifest))


def _cut_to_fit(place: Path) -> None:
    """Cut the dump, and let the manifest describe what is left."""
    _cut(place)
    content, manifest = (place / DUMP).read_bytes(), msgspec.json.decode((place / MANIFEST).read_bytes())
    manifest |= {"bytes": len(content), "sha256": sha256(content).hexdigest()}
    (place / MANIFEST).write_bytes(msgspec.json.encode(manifest))


DAMAGED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a bit is another": (_flipped, f"/{DUMP} was changed after it was made."),
    "it is cut short": (_cut, f"/{DUMP} is cut short: "),
    "it is cut short, and the manifest fits": (_cut_to_fit, "pg_restore failed: "),
    "its manifest lists other rows": (_other_rows, "Rows differ from the manifest in player."),
    "its manifest is nonsense": (lambda place: (place / MANIFEST).write_text("{}"), f"/{MANIFEST} is damaged, or "),
    "its manifest is gone": (lambda place: (place / MANIFEST).unlink(), f"is not a backup: it has no {MANIFEST}."),
    "its dump is gone": (lambda place: (place / DUMP).unlink(), f"is not a backup: it has no {DUMP}."),
}
"""Kinds of damage to a backup, with the expected errors."""


@pytest.mark.parametrize(("damage", "why"), DAMAGED.values(), ids=DAMAGED)
async def test_a_damaged_backup_is_not_restored(
    damage: Callable[[Path], object], why: str, database: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    place = tmp_path / "monday"
    assert (await ran("backup", place, "--database-url", await filled(database), temporary=tmp_path)).code == 0
    damage(place)
    with empty(postgres) as target:
        ended = await ran("restore", place, "--database-url", target, temporary=tmp_path)
        assert ended.code == 1
        assert ended.said.startswith("Error: ")
        assert why in ended.said
        assert tables(target) == 0


async def test_a_backup_that_was_changed_to_fit_is_found_by_its_digest(
    database: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    """An attacker replaces our backup with one of their own. Its digest differs."""
    source = "--database-url", await filled(database)
    ours, theirs = tmp_path / "monday", tmp_path / "theirs"
    digest = (await ran("backup", ours, *source, temporary=tmp_path)).printed[1].removeprefix("Digest: ")
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE secret SET seed = sha256(seed)")
    assert (await ran("backup", theirs, *source, temporary=tmp_path)).code == 0
    with empty(postgres) as target:
        into = "--database-url", target
        for command in (("restore", theirs, *into), ("drill", theirs)):
            ended = await ran(*command, "--digest", digest, temporary=tmp_path)
            assert ended.code == 1
            assert "does not have the digest that you noted: the backup was changed." in ended.said
        assert tables(target) == 0
        assert (await ran("restore", ours, *into, "--digest", digest, temporary=tmp_path)).code == 0


async def test_what_is_there_is_never_written_over(database: str, tmp_path: Path) -> None:
    place, source = tmp_path / "monday", ("--database-url", await filled(database))
    assert (await ran("backup", place, *source, temporary=tmp_path)).code == 0
    before = (place / MANIFEST).read_bytes()
    again = await ran("backup", place, *source, temporary=tmp_path)
    assert (again.code, again.said) == (1, f"Error: {place} already exists. Choose another name.\n")
    assert (place / MANIFEST).read_bytes() == before
    back = await ran("restore", place, *source, temporary=tmp_path)
    assert back.code == 1
    assert back.said.startswith("Error: The database is not empty: it has ")


async def test_what_was_not_there_yet_cannot_be_restored(
    database: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    place = tmp_path / "monday"
    assert (await ran("backup", place, "--database-url", await filled(database), temporary=tmp_path)).code == 0
    with empty(postgres) as target:
        options = ("--database-url", target, "--until", "2999-01-01T00:00:00Z")
        ended = await ran("restore", place, *options, temporary=tmp_path)
        assert ended.code == 1
        assert ended.said.startswith("Error: The backup was made at ")
        assert tables(target) == 0


async def test_a_backup_of_a_newer_build_is_not_restored(
    database: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    place, source = tmp_path / "monday", await filled(database)
    with psycopg.connect(database) as owner:
        owner.execute("INSERT INTO migration (number, name, sha256) VALUES (9999, '9999_later', '')")
    assert (await ran("backup", place, "--database-url", source, temporary=tmp_path)).code == 0
    with empty(postgres) as target:
        ended = await ran("restore", place, "--database-url", target, temporary=tmp_path)
        assert ended.code == 1
        assert "the database is newer than this build, which does not know 9999_later." in ended.said
        assert tables(target) == 0


async def test_a_database_of_another_encoding_is_refused(
    database: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    place = tmp_path / "monday"
    assert (await ran("backup", place, "--database-url", await filled(database), temporary=tmp_path)).code == 0
    with new_database(postgres) as name, psycopg.connect(postgres.url(database="postgres"), autocommit=True) as owner:
        other = sql.Identifier(f"{name}_ascii")
        owner.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'").format(other))
        try:
            target = address_of(postgres.url(database=f"{name}_ascii"))
            ended = await ran("restore", place, "--database-url", target, temporary=tmp_path)
            assert (ended.code, ended.said) == (
                1,
                "Error: The database is encoded in SQL_ASCII. Create it with the encoding UTF8.\n",
            )
        finally:
            owner.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(other))


async def test_a_login_without_rights_is_told_whom_to_use(
    database: str, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    place, source = tmp_path / "monday", await filled(database)
    with login(database) as nobody:
        ended = await ran("backup", place, "--database-url", address_of(nobody), temporary=tmp_path)
        assert ended.code == 1
        assert "cannot read announcement, " in ended.said
        assert ended.said.endswith(" Use the owner of the tables.\n")
    assert inside(tmp_path) == []
    assert (await ran("backup", place, "--database-url", source, temporary=tmp_path)).code == 0
    with empty(postgres) as target, login(target) as nobody:
        ended = await ran("restore", place, "--database-url", address_of(nobody), temporary=tmp_path)
        assert ended.code == 1
        assert "cannot restore (permission denied for schema public). Use the owner of the database." in ended.said


async def test_nothing_that_is_no_database_of_games_is_backed_up(empty_database: str, tmp_path: Path) -> None:
    place, nowhere = tmp_path / "monday", tmp_path / "nowhere" / "monday"
    ended = await ran("backup", place, "--database-url", address_of(empty_database), temporary=tmp_path)
    assert (ended.code, ended.said) == (1, "Error: There are no games in this database.\n")
    ended = await ran("backup", place, "--folder", tmp_path / "none", temporary=tmp_path)
    assert (ended.code, ended.said) == (1, f"Error: There are no games in {tmp_path}/none yet.\n")
    ended = await ran("backup", nowhere, "--database-url", address_of(empty_database), temporary=tmp_path)
    assert (ended.code, ended.said) == (1, f"Error: Cannot write {nowhere}: No such file or directory.\n")
    away = "postgresql://127.0.0.1:1/games"
    ended = await ran("backup", place, "--database-url", away, temporary=tmp_path)
    assert ended.code == 1
    assert ended.said.startswith("Error: The database is not responding: ")
    assert inside(tmp_path) == []
