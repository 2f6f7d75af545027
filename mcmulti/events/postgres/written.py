"""The contents of a database's tables, in a form in which two databases can be compared."""

from collections.abc import Mapping
from hashlib import sha256

from msgspec import Struct
from psycopg import AsyncConnection, sql

DISPOSABLE = "snapshot"
"""The table that is rebuilt if it is missing, and is not copied."""

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> %s ORDER BY tablename"
_AS_WRITTEN = "SET LOCAL TIME ZONE 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL bytea_output = 'hex'"


class Written(Struct, frozen=True):
    """The number of rows of a table, and the sum of their SHA-256 modulo 2**256, as hex: independent of the order."""

    rows: int
    digest: str


def differing(one: Mapping[str, Written], other: Mapping[str, Written]) -> list[str]:
    """The names of the tables that differ."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


async def written(connection: AsyncConnection) -> dict[str, Written]:
    """The contents of every table that is not disposable, by name; within the transaction of the connection."""
    found = {}
    async with connection.transaction(), connection.cursor() as cursor:
        await cursor.execute(_AS_WRITTEN)
        for (name,) in await (await cursor.execute(_TABLES, [DISPOSABLE])).fetchall():
            number = digests = 0
            async with cursor.copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier("public", name))) as rows:
                async for row in rows:
                    number += 1
                    digests += int.from_bytes(sha256(row).digest())
            found[name] = Written(number, f"{digests % 2**256:064x}")
    return found
