"""Spread a database that outgrew one PostgreSQL over a Citus cluster, with the statements in ``citus.sql``."""

from importlib.resources import files
from typing import Literal

from psycopg import AsyncConnection, Error, IsolationLevel, OperationalError

from mcmulti.events.log import LogUnavailable
from mcmulti.events.rights import MigrationError

Distribution = Literal["done", "already", "absent"]
"""What came of it: the tables are spread now, they were before, or there is no Citus in the database."""

# Citus keeps its tables in this catalog of its own.
_CITUS = "SELECT to_regclass('pg_dist_partition') IS NOT NULL"
_ALREADY = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'game'::regclass)"


def statements() -> bytes:
    """What spreads the tables."""
    return (files("mcmulti.events") / "citus.sql").read_bytes()


async def distribute(conninfo: str) -> Distribution:
    """Spread the tables of a database that `migrate` has prepared, all of them or none.

    Every row of a game goes to the same node. Raises `MigrationError` and `LogUnavailable`.
    """
    try:
        async with await AsyncConnection.connect(conninfo, client_encoding="UTF8") as connection:
            await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
            if not await _is(connection, _CITUS):
                return "absent"
            if await _is(connection, _ALREADY):
                return "already"
            await connection.execute(statements())
            return "done"
    except OperationalError as error:
        raise LogUnavailable(f"the database does not answer: {error}") from error
    except Error as error:
        raise MigrationError(f"the tables cannot be distributed: {error.diag.message_primary}") from error


async def _is(connection: AsyncConnection, query: str) -> bool:
    row = await (await connection.execute(query)).fetchone()
    assert row is not None
    return bool(row[0])
