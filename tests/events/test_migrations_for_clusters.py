"""Migrations also run on distributed databases, which accept less than PostgreSQL does.

These tests look for what is refused: several commands in one call, several changes of a table in one statement if one
is a constraint, and changes of rows by functions that are not immutable.
"""

import re
from collections.abc import Iterator

import psycopg
import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.migrate import Migration, apart, known_migrations
from tests.events.later import later

CONSTRAINED = r"\b(ADD\s+(CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE))\b"
WITH_CONSTRAINT = r"\bADD\s+COLUMN\b[^,]*\b(UNIQUE|PRIMARY|REFERENCES|CHECK|CONSTRAINT)\b"


def bare(statement: str) -> str:
    """A statement without its comments."""
    return re.sub(r"--[^\n]*", "", statement)


def refused(statement: str, changing: frozenset[str]) -> Iterator[str]:
    """What a cluster refuses in a statement. `changing`: functions and types that are not immutable."""
    statement = bare(statement)
    for change in re.findall(r"\bALTER\s+TABLE\b[^;]*", statement):
        commas = re.sub(r"\([^()]*(\([^()]*\)[^()]*)*\)", "", change).count(",")
        if re.search(CONSTRAINED, change) and commas:
            yield "a constraint is added together with something else"
        if re.search(WITH_CONSTRAINT, change):
            yield "a column is added together with a constraint"
        if re.search(r"\bADD\s+(CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b", change):
            yield "a constraint without a name"
        if commas:
            yield "several changes in one"
    for update in re.findall(r"\bUPDATE\s+\w+\s+SET\b[^;]*", statement):
        used = {name for pair in re.findall(r"(\w+)\s*\(|::\s*(\w+)", update) for name in pair if name}
        yield from (f"an update by {name}" for name in sorted(used & changing))


@pytest.fixture(scope="module")
def changing(postgres: EmbeddedPostgres) -> frozenset[str]:
    """Functions, and types to which text is cast, that are not immutable."""
    with psycopg.connect(postgres.url()) as connection:
        rows = connection.execute(
            "SELECT proname::text FROM pg_proc WHERE provolatile <> 'i' UNION "
            "SELECT typname::text FROM pg_type JOIN pg_proc ON pg_proc.oid = typinput WHERE provolatile <> 'i'"
        ).fetchall()
    return frozenset(name for (name,) in rows)


@pytest.mark.parametrize("migration", [*known_migrations(), later()], ids=lambda migration: migration.name)
def test_nothing_in_it_is_refused_by_a_cluster(migration: Migration, changing: frozenset[str]) -> None:
    found = {statement: [*refused(statement, changing)] for statement in migration.statements}
    assert found
    assert {statement: why for statement, why in found.items() if why} == {}


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("ALTER TABLE t ADD COLUMN a integer, ADD COLUMN b integer;", ["several changes in one"]),
        (
            "ALTER TABLE t ALTER COLUMN a SET NOT NULL, ADD CONSTRAINT c CHECK (a IN (1, 2));",
            ["a constraint is added together with something else", "several changes in one"],
        ),
        ("ALTER TABLE t ADD CONSTRAINT c CHECK (a IN (1, 2));", []),
        ("ALTER TABLE t ADD CHECK (a > 0);", ["a constraint without a name"]),
        ("ALTER TABLE t ADD COLUMN a text CONSTRAINT c UNIQUE;", ["a column is added together with a constraint"]),
        ("UPDATE t SET a = now();", ["an update by now"]),
        ("UPDATE t SET a = b::timestamptz;", ["an update by timestamptz"]),
        ("UPDATE t SET a = convert_from(b, 'UTF8');", ["an update by convert_from"]),
        ("DO $$ BEGIN UPDATE t SET a = lower(b), c = random(); END $$;", ["an update by random"]),
        ("-- UPDATE t SET a = now()\nSELECT 1;", []),
    ],
)
def test_what_a_cluster_refuses_would_be_found(statement: str, why: list[str], changing: frozenset[str]) -> None:
    assert list(refused(statement, changing)) == why


def test_each_statement_is_one_command(empty_database: str) -> None:
    """PostgreSQL itself accepts several only in a statement that is not prepared."""
    with psycopg.connect(empty_database) as connection:
        for migration in (*known_migrations(), later()):
            for statement in migration.statements:
                connection.execute(statement.encode(), prepare=True)
        with pytest.raises(psycopg.errors.SyntaxError, match="multiple commands"):
            connection.execute("SELECT 1; SELECT 2", prepare=True)


def test_nothing_of_a_script_is_lost_when_it_is_taken_apart() -> None:
    assert apart("-- a; b\nSELECT ';';  -- it's c\nDO $$ SELECT 1; -- it's d\n$$;\n\nSELECT \"e;\";\n") == (
        "-- a; b\nSELECT ';';",
        "-- it's c\nDO $$ SELECT 1; -- it's d\n$$;",
        'SELECT "e;";',
    )
    for script in ("SELECT 1", "SELECT 1; SELECT"):
        with pytest.raises(ValueError, match="ends in the middle"):
            apart(script)
