import asyncio
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from mcmulti.events import migrate as migrate_module
from mcmulti.events import rights
from mcmulti.events.embedded import EmbeddedPostgres
from mcmulti.events.log import Receipt
from mcmulti.events.migrate import known_migrations, migrate
from mcmulti.events.postgres import PostgresLog
from mcmulti.events.rights import MigrationError
from tests.events.logins import login, play, run

NAMES = [migration.name for migration in known_migrations()]


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [migration.number for migration in known_migrations()] == list(range(1, len(NAMES) + 1))


async def test_an_empty_database_is_migrated_once(empty_database: str) -> None:
    assert await migrate(empty_database) == NAMES
    assert await migrate(empty_database) == []
    await play(empty_database)


async def test_receipts_of_older_builds_name_their_events(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They held the answers: where a game stood at event 9, the last three of them being those of the request."""
    older = [migration for migration in known_migrations() if migration.number < 5]

    async def none(_: object) -> list[str]:
        """The rights of this build are on columns that an older one does not have."""
        return []

    with monkeypatch.context() as patch:
        patch.setattr(migrate_module, "known_migrations", lambda: older)
        patch.setattr(rights, "put_right", none)
        await migrate(empty_database)
    game_id, player_id = uuid4(), uuid4()
    answer = b'{"game":"x","seq":9,"events":[{"seq":7},{"seq":8},{"seq":9}],"name":"\xc3\x96l"}'
    with psycopg.connect(empty_database, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO receipt (game_id, player_id, key, request_hash, status, response)"
            " VALUES (%s, %s, 'a key', %s, 201, %s)",
            (game_id, player_id, bytes(range(32)), answer),
        )

    assert await migrate(empty_database) == NAMES[4:]

    async with PostgresLog.open(empty_database, pool_size=1) as log:
        assert await log.receipt(game_id, player_id, "a key") == Receipt(player_id, "a key", bytes(range(32)), 6, 9)


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


async def test_a_newer_database_is_refused(database: str) -> None:
    run(database, "INSERT INTO migration (number, name, sha256) VALUES (9999, '9999_later', '')")

    with pytest.raises(MigrationError, match="newer than this build, which does not know 9999_later"):
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
