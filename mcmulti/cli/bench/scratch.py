"""A temporary database next to an operator's, for measurements. It is dropped whatever happens."""

import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import AsyncConnection, errors, sql
from psycopg.conninfo import make_conninfo

from mcmulti.events.embedded.programs import one_line
from mcmulti.events.embedded.server import has_data
from mcmulti.events.postgres.rights import SERVER_ROLE
from mcmulti.server.database import embedded, patient_address
from mcmulti.server.running import ServerError

PREFIX = "mcmulti_bench_"
"""Prefix of the names of such databases."""

_ROLE_EXISTS = "SELECT 1 FROM pg_roles WHERE rolname = %s"


@asynccontextmanager
async def postgres_at(database: Path | str) -> AsyncIterator[str]:
    """The address of PostgreSQL: our own in the folder, which runs while the block does, or the one that is given.

    If the folder has none yet, one runs in a temporary folder on the same disk. Raises `ServerError`.
    """
    if isinstance(database, str):
        yield database
        return
    async with AsyncExitStack() as stack:
        if not has_data(database):
            disk = next(folder for folder in database.parents if folder.is_dir())
            try:
                temporary = tempfile.TemporaryDirectory(prefix="mcmulti-bench-", dir=disk)
            except OSError as error:
                raise ServerError(f"Cannot use the folder {disk}: {error.strerror}.") from error
            database = Path(stack.enter_context(temporary))
        yield await stack.enter_async_context(embedded(database))


@asynccontextmanager
async def scratch_database(conninfo: str) -> AsyncIterator[str]:
    """The address of a new, empty database on the same PostgreSQL, which exists while the block runs.

    It commits with the settings of the database of `conninfo`. Nothing is left behind, not even the server's role if
    there was none before. Raises `ServerError`; if the login may not create databases, the message says what to grant.
    """
    name = f"{PREFIX}{secrets.token_hex(6)}"
    database = sql.Identifier(name)
    async with AsyncExitStack() as stack:
        async with await _connected(conninfo) as connection:
            try:
                new_role = await _first(connection, _ROLE_EXISTS, SERVER_ROLE) is None
                commits = await _first(connection, "SELECT current_setting('synchronous_commit')")
                stack.push_async_callback(_drop, conninfo, database, new_role)
                await connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(database))
                setting = sql.SQL("ALTER DATABASE {} SET synchronous_commit = {}")
                await connection.execute(setting.format(database, commits))
            except errors.InsufficientPrivilege as error:
                raise ServerError(_plea(connection.info.user)) from error
            except psycopg.Error as error:
                raise _no_database(error) from error
        yield make_conninfo(conninfo, dbname=name)


async def _drop(conninfo: str, database: sql.Identifier, new_role: bool) -> None:
    with suppress(ServerError):  # if PostgreSQL has gone away, there is nothing to clean up
        async with await _connected(conninfo) as connection:
            await connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database))
            if new_role:  # if we may not drop it, we did not make it, and another server may use it by now
                with suppress(errors.UndefinedObject, errors.InsufficientPrivilege, errors.DependentObjectsStillExist):
                    await connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(SERVER_ROLE)))


async def _connected(conninfo: str) -> AsyncConnection:
    try:
        return await AsyncConnection.connect(patient_address(conninfo), autocommit=True)
    except psycopg.Error as error:
        raise _no_database(error) from error


async def _first(connection: AsyncConnection, query: str, *values: object) -> object:
    row = await (await connection.execute(query, values)).fetchone()
    return row and row[0]


def _plea(login: str) -> str:
    quoted = sql.Identifier(login).as_string()
    return (
        f"The login {quoted} cannot create a database to measure in. Ask an administrator to run: "
        f"ALTER ROLE {quoted} CREATEDB;"
    )


def _no_database(error: psycopg.Error) -> ServerError:
    return ServerError(f"Cannot create a database to measure in: {one_line(error)}")
