"""The keys that sign heads, in PostgreSQL: read them, rotate to a new one, revoke an old one."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from psycopg import AsyncConnection, Error, IsolationLevel, OperationalError, errors
from psycopg.rows import namedtuple_row

from mcmulti.events.log.signing import (
    KeyStatement,
    Revocation,
    SigningKey,
    key_id,
    revocation,
    succession,
    to_the_second,
)
from mcmulti.events.ports.errors import LogError, LogUnavailable
from mcmulti.events.postgres.connections import PostgresConnections

_KEYS = """
    SELECT number, seed, public, created_at, endorsed, accepted, revoked_since, revoked_by, revocation
    FROM signing_key ORDER BY number
"""
_KEEP_KEY = "INSERT INTO signing_key (seed) VALUES (%s)"
_NOW = "SELECT now()"
_DESTROY = "UPDATE signing_key SET seed = NULL, public = %s WHERE number = %s AND seed IS NOT NULL"
_FOLLOW = "INSERT INTO signing_key (number, seed, created_at, endorsed, accepted) VALUES (%s, %s, %s, %s, %s)"
_REVOKE = "UPDATE signing_key SET revoked_since = %s, revoked_by = %s, revocation = %s WHERE number = %s"
# Otherwise the seed would stay in the file of the table, in an invisible row.
_WRITE_ANEW = "VACUUM (FULL) signing_key"


class KeyRefused(LogError):
    """Why the key was not rotated or revoked, in a sentence."""


class PostgresKeys(PostgresConnections):
    """Implements the `SigningKeys` protocol."""

    async def signer(self, new: bytes) -> SigningKey:
        async with self._connection() as connection:
            found = await signing_key_in(connection)
            if found is None:
                with suppress(errors.UniqueViolation):  # another server was first; ON CONFLICT fails on some clusters
                    await connection.execute(_KEEP_KEY, (new,))
                found = await signing_key_in(connection)
            assert found is not None  # nobody may delete it
            return found


async def signing_key_in(connection: AsyncConnection) -> SigningKey | None:
    """The current key, with the statements of all; None if the database has none yet."""
    cursor = connection.cursor(row_factory=namedtuple_row)
    rows: list[Any] = await (await cursor.execute(_KEYS, binary=True)).fetchall()
    if not rows:
        return None
    publics = {row.number: SigningKey(row.seed).public if row.seed else row.public.hex() for row in rows}
    statements = tuple(
        KeyStatement(
            publics[row.number],
            to_the_second(row.created_at),
            row.endorsed and row.endorsed.hex(),
            row.accepted and row.accepted.hex(),
            row.revoked_since
            and Revocation(to_the_second(row.revoked_since), publics[row.revoked_by], row.revocation.hex()),
        )
        for row in rows
    )
    return SigningKey(rows[-1].seed, statements)


async def rotate(conninfo: str, new: bytes) -> SigningKey:
    """Sign with the key of the seed `new` from now on, and destroy the seed of the previous one.

    Requires the owner of the tables. Raises `KeyRefused` and `LogUnavailable`.
    """

    async def change(connection: AsyncConnection, current: SigningKey, now: datetime) -> None:
        key, number = SigningKey(new), len(current.statements)
        since = max(now, current.statements[-1].since + timedelta(seconds=1))
        said = succession(current.public, key.public, since)
        cursor = await connection.execute(_DESTROY, (bytes.fromhex(current.public), number))
        if cursor.rowcount != 1:
            raise KeyRefused("somebody else takes a new key at this moment")
        signatures = [bytes.fromhex(each.sign_bytes(said)) for each in (current, key)]
        await connection.execute(_FOLLOW, (number + 1, new, since, *signatures))

    return await _changed(conninfo, change, write_anew=True)


async def revoke(conninfo: str, key: str, since: datetime) -> SigningKey:
    """Declare the signatures of an earlier key, given the key or its id, invalid from `since` on.

    Requires the owner of the tables. Raises `KeyRefused` and `LogUnavailable`.
    """

    async def change(connection: AsyncConnection, current: SigningKey, _: datetime) -> None:
        ids = [statement.public for statement in current.statements]
        found = next((place for place, each in enumerate(ids) if key in (each, key_id(each))), None)
        if found is None:
            raise KeyRefused(f"there is no key {key}")
        if ids[found] == current.public:
            raise KeyRefused(f"key {key} signs: take a new one first, which can revoke it")
        signature = bytes.fromhex(current.sign_bytes(revocation(ids[found], since)))
        await connection.execute(_REVOKE, (to_the_second(since), len(ids), signature, found + 1))

    return await _changed(conninfo, change)


async def _changed(
    conninfo: str,
    change: Callable[[AsyncConnection, SigningKey, datetime], Awaitable[None]],
    *,
    write_anew: bool = False,
) -> SigningKey:
    """Change the keys of a database in a transaction. Returns the new ones."""
    try:
        async with await AsyncConnection.connect(conninfo, client_encoding="UTF8", autocommit=True) as connection:
            await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
            async with connection.transaction():
                current = await signing_key_in(connection)
                if current is None:
                    raise KeyRefused("there is no key yet: a server takes the first one when it signs")
                row: Any = await (await connection.execute(_NOW)).fetchone()
                await change(connection, current, to_the_second(row[0]))
            if write_anew:
                await connection.execute(_WRITE_ANEW)
            found = await signing_key_in(connection)
            assert found is not None
            return found
    except OperationalError as error:
        raise LogUnavailable(f"the database is not responding: {error}") from error
    except errors.InsufficientPrivilege as error:
        raise KeyRefused(f"{error.diag.message_primary}: let the owner of the tables do this") from error
    except Error as error:
        raise KeyRefused(f"the keys cannot be changed: {error.diag.message_primary}") from error
