"""What is written in the tables of a database, in a form that two databases can be compared by."""

from hashlib import sha256

from msgspec import Struct
from psycopg import AsyncConnection, sql

DISPOSABLE = "snapshot"
"""The table that is made anew where it is missing, and is not copied."""

_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> %s ORDER BY tablename"
_AS_WRITTEN = "SET LOCAL TIME ZONE 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL bytea_output = 'hex'"


class Written(Struct, frozen=True):
    """How many rows a table has, and the sum of their SHA-256 modulo 2**256, as hex: the same in any order."""

    rows: int
    digest: str


async def written(connection: AsyncConnection) -> dict[str, Written]:
    """What is in every table that is not disposable, by its name; part of the transaction of the connection."""
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
