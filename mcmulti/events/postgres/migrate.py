"""Migrate a database to the schema of this version, and give the server role its rights.

Forward only: a migration that has run anywhere is never changed. Rights are not migrations: a backup restored elsewhere
has the schema but not the role, so they are checked each time.

The database may already be distributed over a cluster, which accepts one command at a time, and not every command that
PostgreSQL accepts: the tests list those it refuses. What a migration adds is distributed with the rest.

During an upgrade, servers of the version before run on the new schema. A migration that allows it begins with the line
`COMPATIBLE`. After any other, builds that do not know it refuse to start. A newer build decides about rights, too, so
those that it needs come with a migration.
"""

import re
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from psycopg import AsyncConnection, Error, IsolationLevel, OperationalError, errors, sql

from mcmulti.events.cluster import citus
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres import rights
from mcmulti.events.postgres.rights import OWNER_MAY_REPAIR, SERVER_ROLE, MigrationError

OLDEST = 15
"""The oldest tested PostgreSQL, by its major version."""

_LOCK = "SELECT pg_advisory_xact_lock(6215031)"

# Not to_regclass, whose answer may be from before the lock was granted.
_RECORD_EXISTS = """
    SELECT 1 FROM pg_tables WHERE tablename = 'migration' AND schemaname = ANY (current_schemas(false))
"""

_MAKE_RECORD = """
    CREATE TABLE migration (
        number integer PRIMARY KEY,
        name text NOT NULL,
        sha256 bytea NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now(),
        compatible boolean NOT NULL DEFAULT false  -- builds that do not know it can run on its result
    );
"""
COMPATIBLE = "-- Builds without this migration can run on its result."
"""The first line of a migration that only adds what a server of the version before need not know."""

_RECORD = "INSERT INTO migration (number, name, sha256, compatible) VALUES (%s, %s, %s, %s)"

# A comment, a quoted name or text, a text between `$$`, a semicolon, or anything else.
_PIECE = re.compile(r"""--[^\n]*|"[^"]*"|'[^']*'|\$\$.*?\$\$|;|[^-"'$;]+|.""", re.DOTALL)


class Migration(NamedTuple):
    """One step of the schema: a file ``NNNN_name.sql``, split into its statements."""

    number: int
    name: str
    sha256: bytes
    statements: tuple[str, ...]
    compatible: bool = False


class _Missing(NamedTuple):
    """The migrations that a database lacks. `newer`: it has others, of a later build, and this one can run on them."""

    migrations: list[Migration]
    newer: bool = False


def known_migrations() -> list[Migration]:
    """The migrations of this build, in order."""
    folder = files("mcmulti.events.postgres") / "migrations"
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        name, dot, _ = file.name.partition(".sql")
        if dot:
            found.append(migration_of(name, file.read_text(encoding="utf-8")))
    return found


def migration_of(name: str, script: str) -> Migration:
    """The migration in a file with this name."""
    compatible = script.startswith(COMPATIBLE)
    return Migration(int(name[:4]), name, sha256(script.encode()).digest(), apart(script), compatible)


def apart(script: str) -> tuple[str, ...]:
    """The statements of a script, each ending in a semicolon, with the comments before it.

    Raises ValueError if the last one is incomplete.
    """
    statements = [""]
    for piece in _PIECE.findall(script):
        statements[-1] += piece
        if piece == ";":
            statements.append("")
    if re.sub(r"--[^\n]*", "", statements[-1]).strip():
        raise ValueError("the script ends in the middle of a statement")
    return tuple(statement.strip() for statement in statements[:-1])


async def migrate(conninfo: str) -> list[str]:
    """Do what is missing, all of it or nothing. Returns what was done: names of migrations, and repairs.

    Several servers may start at once. A database that is up to date requires of the login only membership in
    `SERVER_ROLE`. Raises `MigrationError` and `LogUnavailable`.
    """
    try:
        async with await AsyncConnection.connect(conninfo, client_encoding="UTF8") as connection:
            await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
            return await _migrate(connection)
    except OperationalError as error:
        raise LogUnavailable(f"the database is not responding: {error}") from error


async def undone(connection: AsyncConnection) -> list[str]:
    """What is left to do in a database, in words, without doing it. Raises `MigrationError` if nothing can be done."""
    missing = await _missing(connection, known_migrations())
    if missing.migrations:
        return [migration.name for migration in missing.migrations]
    if not await rights.role_exists(connection):
        return [f"create role {SERVER_ROLE}"]
    right = missing.newer or await rights.hold(connection)
    return [] if right else [f"put the rights of {SERVER_ROLE} right"]


async def _migrate(connection: AsyncConnection) -> list[str]:
    if connection.info.server_version < OLDEST * 10_000:
        found = connection.info.parameter_status("server_version")
        raise MigrationError(f"the database runs on PostgreSQL {found}, and {OLDEST} is the oldest that will do")
    if (encoding := connection.info.parameter_status("server_encoding")) != "UTF8":
        raise MigrationError(f"the database is encoded in {encoding}, and only UTF8 keeps events as they are")
    known = known_migrations()
    done: list[str] = []
    if not await _settled(connection, known):
        await connection.rollback()  # what was seen may be out of date when the lock is granted
        await connection.execute(_LOCK)
        done = await _settle(connection, known)
    try:
        await rights.take_role(connection)
    except errors.InsufficientPrivilege as error:
        raise MigrationError(_plea(connection, error)) from error
    return done


async def _settled(connection: AsyncConnection, known: list[Migration]) -> bool:
    """Whether nothing is left to do."""
    missing = await _missing(connection, known)
    if missing.migrations or not await rights.role_exists(connection):
        return False
    return missing.newer or await rights.hold(connection)


async def _settle(connection: AsyncConnection, known: list[Migration]) -> list[str]:
    """Do what is left to do. Returns what that was."""
    missing, newer = await _missing(connection, known)
    done = [migration.name for migration in missing]
    new_role = not await rights.role_exists(connection)
    step = f"the role {SERVER_ROLE}"
    try:
        if new_role:
            await rights.make_role(connection)
            done += [f"create role {SERVER_ROLE}"] * (missing != known)
        spread = missing != known and await citus.is_distributed(connection)
        if spread:
            await citus.begin_changing(connection)
        if missing == known:
            step = "the record of what was applied"
            await connection.execute(_MAKE_RECORD)
        for migration in missing:
            step = migration.name
            for statement in migration.statements:
                await connection.execute(statement.encode())
            await connection.execute(_RECORD, (*migration[:3], migration.compatible))
        step = "the tables of the cluster"
        joined = await citus.join(connection) if missing and spread else []
        step = f"the rights of {SERVER_ROLE}"
        repaired = [] if newer else await rights.put_right(connection)
    except errors.InsufficientPrivilege as error:
        raise MigrationError(_plea(connection, error, new_role=new_role, schema_too=bool(missing))) from error
    except OperationalError:
        raise
    except Error as error:
        raise MigrationError(f"the migration stopped at {step}: {error.diag.message_primary}") from error
    return done + joined if missing else done + repaired


async def _missing(connection: AsyncConnection, known: list[Migration]) -> _Missing:
    cursor = await connection.execute(_RECORD_EXISTS)
    if await cursor.fetchone() is None:
        return _Missing(known)
    try:
        cursor = await connection.execute("SELECT number, name, sha256, compatible FROM migration ORDER BY number")
    except errors.InsufficientPrivilege as error:
        raise MigrationError(f"{error.diag.message_primary}; {OWNER_MAY_REPAIR}") from error
    except errors.UndefinedColumn as error:
        raise MigrationError(f"the table migration is not that of mcmulti: {error.diag.message_primary}") from error
    applied = await cursor.fetchall()
    for migration, (number, name, checksum, _) in zip(known, applied, strict=False):
        if (number, name) != migration[:2]:
            raise MigrationError(f"the database has migration {name} where this build has {migration.name}")
        if checksum != migration.sha256:
            raise MigrationError(f"migration {name} is not the one that was applied: its checksum differs")
    others = applied[len(known) :]
    if not all(compatible for *_, compatible in others):
        raise MigrationError(f"the database is newer than this build, which does not know {others[-1][1]}")
    return _Missing(known[len(applied) :], newer=bool(others))


def _plea(connection: AsyncConnection, error: Error, *, new_role: bool = False, schema_too: bool = False) -> str:
    """What a database administrator must run before this login can start a server, in a sentence."""
    login = sql.Identifier(connection.info.user).as_string(connection)
    steps = f"GRANT {SERVER_ROLE} TO {login};"
    if new_role:
        steps = f"CREATE ROLE {SERVER_ROLE} NOLOGIN; {steps}"
    if schema_too:
        steps += f" GRANT USAGE, CREATE ON SCHEMA public TO {login};"
    elif new_role:
        steps += " Then let the owner of the tables run mcmulti migrate"
    return f"the login {login} lacks a right ({error.diag.message_primary}); let an administrator run: {steps}"
