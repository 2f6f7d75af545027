"""Distributing the tables over a Citus cluster.

There is no Citus here. A stand-in records the calls: these tests show that the statements run, and for which tables,
not what Citus then does.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from mcmulti.events.cluster import citus as citus_module
from mcmulti.events.cluster.citus import BY_GAME, EVERYWHERE, distribute
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.migrate import known_migrations, migrate
from mcmulti.events.postgres.rights import SERVER_ROLE, MigrationError
from tests.cli.command import running
from tests.events.cluster import citus_stand_in
from tests.events.later import SCRIPT, know, later

TABLES = """
    SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT LIKE 'pg_dist_%'
"""
"""All our tables."""

UNIQUE_WITHOUT = """
    SELECT index.indexrelid::regclass FROM pg_index AS index
    JOIN pg_dist_partition AS table_ ON table_.logicalrelid = index.indrelid
    WHERE index.indisunique AND table_.distributed_by IS NOT NULL AND NOT EXISTS (
        SELECT FROM pg_attribute AS field
        WHERE field.attrelid = index.indrelid AND field.attnum = ANY (index.indkey)
        AND field.attname = table_.distributed_by
    )
"""
"""Unique indexes of distributed tables without the distribution column, which Citus refuses."""


@pytest.fixture
def citus(database: str) -> Iterator[str]:
    """The connection string of a migrated database with the stand-in."""
    with citus_stand_in(database) as there:
        yield there


def rows(database: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(query.encode()).fetchall()


async def test_every_table_is_distributed_by_game_or_kept_on_every_node(citus: str) -> None:
    assert await distribute(citus) == "done"
    found = rows(citus, "SELECT logicalrelid::text, distributed_by, colocated_with FROM pg_dist_partition")
    assert sorted(found) == [
        ("announcement", None, None),
        ("assessment", "game_id", "game"),
        ("chat", "game_id", "game"),
        ("chat_flag", "game_id", "game"),
        ("chat_message", "game_id", "game"),
        ("checked", "game_id", "game"),
        ("digest_key", None, None),
        ("event", "game_id", "game"),
        ("game", "id", "default"),
        ("heartbeat", "place", "game"),
        ("ladder", None, None),
        ("last_announcement", None, None),
        ("mail_count", None, None),
        ("migration", None, None),
        ("notice", "game_id", "game"),
        ("player", None, None),
        ("preference", None, None),
        ("probe", None, None),
        ("question", "game_id", "game"),
        ("receipt", "game_id", "game"),
        ("review", "game_id", "game"),
        ("review_job", None, None),
        ("seat", "game_id", "game"),
        ("secret", "game_id", "game"),
        ("signing_key", None, None),
        ("snapshot", "game_id", "game"),
        ("tenure", "game_id", "game"),
        ("token", None, None),
        ("visitor", None, None),
        ("webhook", None, None),
    ]
    assert {name for (name,) in rows(citus, TABLES)} == {name for name, _, _ in found}
    assert rows(citus, UNIQUE_WITHOUT) == []


async def test_what_citus_refuses_of_unique_indexes_would_be_found(citus: str) -> None:
    await distribute(citus)
    with psycopg.connect(citus, autocommit=True) as connection:
        connection.execute("CREATE UNIQUE INDEX one_hash ON event (hash)")
    assert rows(citus, UNIQUE_WITHOUT) == [("one_hash",)]


async def test_nodes_let_the_role_of_servers_in_to_move_heads(citus: str) -> None:
    await distribute(citus)
    assert rows(citus, f"SELECT rolcanlogin FROM pg_roles WHERE rolname = '{SERVER_ROLE}'") == [(True,)]
    assert rows(citus, f"SELECT has_column_privilege('{SERVER_ROLE}', 'game', 'head_seq', 'UPDATE')") == [(True,)]
    assert rows(citus, f"SELECT has_table_privilege('{SERVER_ROLE}', 'game', 'UPDATE')") == [(False,)]
    assert rows(citus, f"SELECT has_table_privilege('{SERVER_ROLE}', 'event', 'UPDATE')") == [(False,)]


def test_every_table_of_the_schema_is_named(database: str) -> None:
    """A migration that adds a table must say where its rows live."""
    assert {name for (name,) in rows(database, TABLES)} == {*BY_GAME, *EVERYWHERE}


async def test_what_a_later_migration_adds_joins(citus: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a release: a new file, and a new table and function in the lists."""
    await distribute(citus)
    script = (
        "CREATE TABLE tally (game_id uuid PRIMARY KEY, number integer);"
        "CREATE FUNCTION count_in(game uuid) RETURNS integer LANGUAGE sql AS 'SELECT 1';"
        f"{SCRIPT}"
    )
    know(monkeypatch, *known_migrations(), later(script))
    monkeypatch.setitem(citus_module.BY_GAME, "tally", "game_id")
    monkeypatch.setattr(citus_module, "CALLS", (*citus_module.CALLS, "count_in(uuid)"))

    assert await migrate(citus) == [later().name, "distribute tally", "distribute count_in(uuid)"]
    assert ("tally", "game_id", "game") in rows(
        citus, "SELECT logicalrelid::text, distributed_by, colocated_with FROM pg_dist_partition"
    )
    assert await migrate(citus) == []
    assert await distribute(citus) == "already"


async def test_what_was_added_while_nobody_named_it_joins_when_it_is_named(
    citus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await distribute(citus)
    with psycopg.connect(citus, autocommit=True) as connection:
        connection.execute("CREATE TABLE tally (game_id uuid PRIMARY KEY)")
    assert await distribute(citus) == "already"
    monkeypatch.setitem(citus_module.BY_GAME, "tally", "game_id")
    assert await distribute(citus) == "done"
    assert await distribute(citus) == "already"


async def test_a_second_time_there_is_nothing_to_do(citus: str) -> None:
    assert await distribute(citus) == "done"
    assert await distribute(citus) == "already"


async def test_without_citus_nothing_is_done(database: str) -> None:
    assert await distribute(database) == "absent"
    assert rows(database, f"SELECT rolcanlogin FROM pg_roles WHERE rolname = '{SERVER_ROLE}'") == [(False,)]


async def test_all_tables_or_none(citus: str) -> None:
    """The last one fails because it was removed."""
    with psycopg.connect(citus, autocommit=True) as connection:
        connection.execute("DROP TABLE snapshot")
    with pytest.raises(MigrationError, match='the tables cannot be distributed: relation "snapshot" does not exist'):
        await distribute(citus)
    assert rows(citus, "SELECT FROM pg_dist_partition") == []
    assert rows(citus, f"SELECT has_table_privilege('{SERVER_ROLE}', 'game', 'UPDATE')") == [(False,)]


async def test_a_database_that_does_not_answer(tmp_path: object) -> None:
    with pytest.raises(LogUnavailable):
        await distribute(f"host={tmp_path} dbname=games")


async def test_the_command_says_what_came_of_it(citus: str, tmp_path: Path) -> None:
    """For a migrated database: distributed, distributed earlier, and (without the stand-in) not distributed."""
    said = []
    for _ in range(2):
        with running("migrate", "--distribute", "--database-url", citus, temporary=tmp_path) as migrate:
            assert await asyncio.to_thread(migrate.code) == 0, migrate.said
            said.append(migrate.printed.splitlines()[-1])
    with psycopg.connect(citus, autocommit=True) as connection:
        connection.execute("DROP TABLE pg_dist_partition")
    with running("migrate", "--distribute", "--database-url", citus, temporary=tmp_path) as migrate:
        assert await asyncio.to_thread(migrate.code) == 0, migrate.said
        said.append(migrate.printed.splitlines()[-1])
    assert [line.partition(":")[0] for line in said] == [
        "Distributed",
        "Already distributed",
        "Not distributed",
    ]


async def test_the_command_tells_what_the_database_refuses(citus: str, tmp_path: Path) -> None:
    with psycopg.connect(citus, autocommit=True) as connection:
        connection.execute("DROP FUNCTION create_reference_table")
    with running("migrate", "--distribute", "--database-url", citus, temporary=tmp_path) as migrate:
        assert await asyncio.to_thread(migrate.code) == 1
        assert migrate.said.startswith("Error: The tables cannot be distributed: function create_reference_table")
