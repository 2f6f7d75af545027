"""Bring a database to the schema this build knows.

Forward only: a migration that has run anywhere is never changed.
"""

from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from psycopg import AsyncConnection, Error, IsolationLevel, OperationalError, errors, sql

from mcmulti.events.log import LogError, LogUnavailable

SERVER_ROLE = "mcmulti_server"
"""The role of every connection of the server: it reads and adds events, and cannot change or remove one."""

_LOCK = "SELECT pg_advisory_xact_lock(6215031)"

# Not to_regclass: its answer may come from before the lock was granted.
_RECORD_EXISTS = """
    SELECT 1 FROM pg_tables WHERE tablename = 'migration' AND schemaname = ANY (current_schemas(false))
"""

_MAKE_RECORD = """
    CREATE TABLE migration (
        number integer PRIMARY KEY,
        name text NOT NULL,
        sha256 bytea NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    );
    GRANT SELECT ON migration TO PUBLIC;
"""


class MigrationError(LogError):
    """The database cannot be brought to the schema this build knows."""


class Migration(NamedTuple):
    """One step of the schema: a file ``NNNN_name.sql``."""

    number: int
    name: str
    sha256: bytes
    statements: bytes


def known_migrations() -> list[Migration]:
    """The migrations of this build, in order."""
    folder = files("mcmulti.events") / "migrations"
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        name, dot, _ = file.name.partition(".sql")
        if dot:
            statements = file.read_bytes()
            found.append(Migration(int(name[:4]), name, sha256(statements).digest(), statements))
    return found


async def migrate(conninfo: str) -> list[str]:
    """Apply what is missing, all of it or nothing, and return the names of what was applied now.

    Several servers may start at once. A database that is up to date asks of the login no more than
    membership in `SERVER_ROLE`. Raises `MigrationError` and `LogUnavailable`.
    """
    try:
        async with await AsyncConnection.connect(conninfo, client_encoding="UTF8") as connection:
            await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
            return await _migrate(connection)
    except OperationalError as error:
        raise LogUnavailable(f"the database does not answer: {error}") from error


async def _migrate(connection: AsyncConnection) -> list[str]:
    if (encoding := connection.info.parameter_status("server_encoding")) != "UTF8":
        raise MigrationError(f"the database is encoded in {encoding}, and only UTF8 keeps events as they are")
    known = known_migrations()
    missing: list[Migration] = []
    step = "the record of what was applied"
    try:
        missing = await _missing(connection, known)
        if missing:
            await connection.execute(_LOCK)
            missing = await _missing(connection, known)
        if missing == known:
            await connection.execute(_MAKE_RECORD)
        for migration in missing:
            step = migration.name
            await connection.execute(migration.statements)
            await connection.execute("INSERT INTO migration (number, name, sha256) VALUES (%s, %s, %s)", migration[:3])
        await connection.execute(f"SET LOCAL ROLE {SERVER_ROLE}")
    except (errors.InsufficientPrivilege, errors.InvalidParameterValue) as error:
        raise MigrationError(_plea(connection, error, schema_too=bool(missing))) from error
    except OperationalError:
        raise
    except Error as error:
        raise MigrationError(f"the migration stopped at {step}: {error.diag.message_primary}") from error
    return [migration.name for migration in missing]


async def _missing(connection: AsyncConnection, known: list[Migration]) -> list[Migration]:
    cursor = await connection.execute(_RECORD_EXISTS)
    if await cursor.fetchone() is None:
        return known
    cursor = await connection.execute("SELECT number, name, sha256 FROM migration ORDER BY number")
    applied = await cursor.fetchall()
    for migration, (number, name, checksum) in zip(known, applied, strict=False):
        if (number, name) != migration[:2]:
            raise MigrationError(f"the database has migration {name} where this build has {migration.name}")
        if checksum != migration.sha256:
            raise MigrationError(f"migration {name} is not the one that was applied: its checksum differs")
    if len(applied) > len(known):
        raise MigrationError(f"the database is newer than this build, which does not know {applied[-1][1]}")
    return known[len(applied) :]


def _plea(connection: AsyncConnection, error: Error, *, schema_too: bool) -> str:
    """What a database administrator has to run before this login may start a server, in a sentence."""
    login = sql.Identifier(connection.info.user).as_string(connection)
    steps = f"GRANT {SERVER_ROLE} TO {login};"
    if schema_too:
        steps = f"CREATE ROLE {SERVER_ROLE} NOLOGIN; {steps} GRANT USAGE, CREATE ON SCHEMA public TO {login};"
    return f"the login {login} lacks a right ({error.diag.message_primary}); let an administrator run: {steps}"
