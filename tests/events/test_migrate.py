import asyncio
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres import migrate as migrate_module
from mcmulti.events.postgres.migrate import COMPATIBLE, known_migrations, migrate, migration_of, undone
from mcmulti.events.postgres.rights import SERVER_ROLE, MigrationError
from tests.events.later import SCRIPT, know, later
from tests.events.logins import login, play, run

NAMES = [migration.name for migration in known_migrations()]


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [migration.number for migration in known_migrations()] == list(range(1, len(NAMES) + 1))


async def test_an_empty_database_is_migrated_once(empty_database: str) -> None:
    assert await migrate(empty_database) == NAMES
    assert await migrate(empty_database) == []
    await play(empty_database)


async def test_a_database_at_an_earlier_version_is_brought_to_the_latest(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows are converted, and servers that start at the same time do this once."""
    game_id, player_id = uuid4(), uuid4()
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq, digest, created_at)"
            " VALUES (%s, %s, 'a key', %s, 6, 9, %s, '1970-01-02T00:01:59Z')",
            (game_id, player_id, bytes(32), bytes(16)),
        )
    know(monkeypatch, *known_migrations(), later())

    done = await asyncio.gather(*(migrate(database) for _ in range(4)))

    assert sorted(done) == [[]] * 3 + [[later().name]]
    with psycopg.connect(database) as owner:
        assert owner.execute("SELECT after_seq, seq, minute FROM receipt").fetchall() == [(6, 9, 24 * 60 + 1)]
        applied = owner.execute("SELECT name, sha256 FROM migration ORDER BY number").fetchall()
    assert applied == [(each.name, each.sha256) for each in (*known_migrations(), later())]
    with login(database, "IN ROLE mcmulti_server") as restricted:
        assert await migrate(restricted) == []
        await play(restricted)


async def test_a_new_database_gets_all_migrations_in_order(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(monkeypatch, *known_migrations(), later())
    assert await migrate(empty_database) == [*NAMES, later().name]
    await play(empty_database)


async def test_a_build_that_does_not_know_a_later_migration_is_refused(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        know(patch, *known_migrations(), later())
        await migrate(database)
    with pytest.raises(MigrationError, match=f"newer than this build, which does not know {later().name}"):
        await migrate(database)


async def test_a_build_without_a_compatible_migration_runs_on_its_result_and_leaves_rights_as_they_are(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During an upgrade, and after the way back, it runs beside the later build, which may need more rights."""
    compatible = later(f"{COMPATIBLE}\nALTER TABLE receipt ADD COLUMN minute integer;")
    with monkeypatch.context() as patch:
        know(patch, *known_migrations(), compatible)
        assert await migrate(database) == [compatible.name]
    run(database, f"GRANT UPDATE (created_at) ON receipt TO {SERVER_ROLE}")
    assert await migrate(database) == []
    with login(database, f"IN ROLE {SERVER_ROLE}") as restricted:
        assert await migrate(restricted) == []
        run(restricted, "UPDATE receipt SET created_at = created_at")
        await play(restricted)
    async with await psycopg.AsyncConnection.connect(database) as owner:
        assert await undone(owner) == []
    with monkeypatch.context() as patch:
        other = migration_of(f"{compatible.number + 1:04}_hour", "ALTER TABLE receipt ADD COLUMN hour integer;")
        know(patch, *known_migrations(), compatible, other)
        await migrate(database)
    with pytest.raises(MigrationError, match=f"newer than this build, which does not know {other.name}"):
        await migrate(database)


async def test_a_later_migration_that_fails_leaves_the_earlier_version(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last statement fails, after all others have run."""
    failing = later(f"{SCRIPT} ALTER TABLE nowhere ADD COLUMN more integer;")
    with monkeypatch.context() as patch:
        know(patch, *known_migrations(), failing)
        with pytest.raises(MigrationError, match=f'stopped at {failing.name}: relation "nowhere" does not exist'):
            await migrate(database)
    with psycopg.connect(database) as owner, pytest.raises(psycopg.errors.UndefinedColumn):
        owner.execute("SELECT minute FROM receipt")
    assert await migrate(database) == []
    await play(database)


async def test_a_login_that_may_not_change_the_schema_cannot_bring_it_to_the_latest(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(monkeypatch, *known_migrations(), later())
    with (
        login(database, "IN ROLE mcmulti_server") as restricted,
        pytest.raises(MigrationError, match="must be owner of table receipt"),
    ):
        await migrate(restricted)


async def test_several_servers_may_start_at_once(empty_database: str) -> None:
    applied = await asyncio.gather(*(migrate(empty_database) for _ in range(5)))

    assert sorted(applied) == [[]] * 4 + [NAMES]


async def test_servers_of_several_new_databases_may_start_at_once(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg") as server:
        run(server.url(), "CREATE DATABASE second")
        urls = [server.url(), server.url(database="second")]
        await asyncio.gather(*(migrate(url) for url in urls * 2))
        for url in urls:
            await play(url)


async def test_a_server_older_than_what_is_tested_is_refused(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate_module, "OLDEST", 99)

    with pytest.raises(MigrationError, match=r"runs on PostgreSQL 18\.\d+, and 99 is the oldest that will do"):
        await migrate(database)


async def test_a_changed_migration_is_refused(database: str) -> None:
    run(database, "UPDATE migration SET sha256 = sha256('another file') WHERE number = 1")

    with pytest.raises(MigrationError, match=f"{NAMES[0]} is not the one that was applied"):
        await migrate(database)


async def test_another_migration_under_the_same_number_is_refused(database: str) -> None:
    run(database, "UPDATE migration SET name = '0001_other' WHERE number = 1")

    with pytest.raises(MigrationError, match=f"has migration 0001_other where this build has {NAMES[0]}"):
        await migrate(database)


async def test_a_migration_that_fails_leaves_the_database_as_it_was(empty_database: str) -> None:
    run(empty_database, "CREATE TABLE receipt ()")

    with pytest.raises(MigrationError, match=f'stopped at {NAMES[0]}: relation "receipt" already exists'):
        await migrate(empty_database)

    with psycopg.connect(empty_database) as owner:
        assert owner.execute("SELECT to_regclass('migration'), to_regclass('event')").fetchone() == (None, None)


async def test_a_table_of_somebody_else_is_in_the_way(empty_database: str) -> None:
    run(empty_database, "CREATE TABLE migration (version text)")

    with pytest.raises(MigrationError, match="the table migration is not that of mcmulti"):
        await migrate(empty_database)


async def test_a_database_in_another_encoding_is_refused(postgres: EmbeddedPostgres) -> None:
    name = f"test_{uuid4().hex}"
    run(postgres.url(), f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    try:
        with pytest.raises(MigrationError, match="encoded in SQL_ASCII"):
            await migrate(postgres.url(database=name))
    finally:
        run(postgres.url(), f"DROP DATABASE {name}")


@pytest.mark.parametrize("inheritance", ["INHERIT", "NOINHERIT"])
async def test_a_login_that_may_not_change_the_schema_can_run_a_migrated_database(
    database: str, inheritance: str
) -> None:
    with login(database, f"{inheritance} IN ROLE mcmulti_server") as restricted:
        assert await migrate(restricted) == []
        await play(restricted)


async def test_a_login_without_the_servers_role_is_told_what_to_run(database: str) -> None:
    with login(database) as restricted:
        with pytest.raises(MigrationError) as refusal:
            await migrate(restricted)
        statements = str(refusal.value).partition("let an administrator run: ")[2]
        assert statements.startswith('GRANT mcmulti_server TO "login-')
        run(database, statements)

        assert await migrate(restricted) == []
        await play(restricted)


async def test_a_login_that_may_not_create_roles_is_told_what_to_run(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg") as server, login(server.url()) as restricted:
        with pytest.raises(MigrationError) as refusal:
            await migrate(restricted)
        statements = str(refusal.value).partition("let an administrator run: ")[2]
        assert statements.startswith("CREATE ROLE mcmulti_server NOLOGIN; GRANT mcmulti_server TO ")
        run(server.url(), statements)

        assert await migrate(restricted) == NAMES
        assert await migrate(restricted) == []
        await play(restricted)


async def test_a_login_that_may_create_roles_needs_no_administrator(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "pg") as server, login(server.url(), "CREATEROLE") as restricted:
        name = psycopg.conninfo.conninfo_to_dict(restricted)["user"]
        run(server.url(), f'GRANT CREATE ON SCHEMA public TO "{name}"')

        assert await migrate(restricted) == NAMES
        await play(restricted)
