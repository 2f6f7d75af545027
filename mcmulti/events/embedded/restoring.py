"""Restore a backup into an empty database, of the PostgreSQL version that made it or another supported one.

All of it is one transaction: if it is interrupted, the database is empty again. Within it, every row is compared with
the manifest. `pg_restore` only writes SQL, since it sets options that an older PostgreSQL does not know.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from psycopg import AsyncConnection, Error, errors

from mcmulti.events.embedded.manifest import DUMP, BackupError, Manifest, differing, examined, written
from mcmulti.events.embedded.programs import connected, one_line, output
from mcmulti.events.embedded.rewinding import Rewound, rewind
from mcmulti.events.ports.errors import LogError
from mcmulti.events.postgres.hashed import Hashed, hashed
from mcmulti.events.postgres.migrate import OLDEST, migrate, undone

_TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
_NEWER_SETTINGS = {b"transaction_timeout": 17}
"""Settings that `pg_restore` writes, and the first major version of PostgreSQL that knows them."""
_ROWS_FOLLOW, _END_OF_ROWS = b" FROM stdin;\n", b"\\.\n"


class Restored(NamedTuple):
    """What was restored, what was rewound, and the result of the hash check."""

    manifest: Manifest
    rewound: Rewound
    hashed: Hashed


async def restore(place: Path, url: str, *, until: datetime | None = None, digest: str | None = None) -> Restored:
    """Restore a backup into an empty database, as of the moment `until` if given.

    `digest`: the digest that you noted of the manifest. Raises `BackupError`; the database is then unchanged, unless
    the message says otherwise.
    """
    manifest = await examined(place, digest)
    if until is not None and until > manifest.made_at:
        raise BackupError(f"The backup was made at {manifest.made_at:%Y-%m-%dT%H:%M:%SZ}, and holds nothing later.")
    async with connected(url) as connection:
        try:
            async with connection.transaction():
                await _check_target(connection)
                await _filled(connection, place / DUMP)
                await _compare(connection, manifest)
                rewound = await rewind(connection, until) if until else Rewound(0, 0, 0)
        except errors.InsufficientPrivilege as error:
            login = connection.info.user
            raise BackupError(
                f"The login {login} cannot restore ({error.diag.message_primary}). Use the owner of the database."
            ) from error
        except errors.DiskFull as error:
            raise BackupError(f"The disk of the database is full: {error.diag.message_primary}.") from error
        except (Error, LogError) as error:
            raise BackupError(f"The backup cannot be restored: {one_line(error)}") from error
    try:
        await migrate(url)
        return Restored(manifest, rewound, await hashed(url))
    except LogError as error:
        raise BackupError(f"Everything is restored, but no server can start: {one_line(error)}") from error


async def _check_target(connection: AsyncConnection) -> None:
    """Raise `BackupError` unless this is an empty database that servers can use."""
    if connection.info.server_version < OLDEST * 10_000:
        there = connection.info.parameter_status("server_version")
        raise BackupError(f"The database runs on PostgreSQL {there}. Use version {OLDEST} or newer.")
    if (encoding := connection.info.parameter_status("server_encoding")) != "UTF8":
        raise BackupError(f"The database is encoded in {encoding}. Create it with the encoding UTF8.")
    ((tables,),) = await (await connection.execute(_TABLES)).fetchall()
    if tables:
        raise BackupError(f"The database is not empty: it has {tables} tables. Create a new one.")


async def _filled(connection: AsyncConnection, dump: Path) -> None:
    """Run the SQL of a dump: tables, rows, and what depends on rows."""
    for section in ("pre-data", "post-data"):
        script = b"".join([line async for line in _section_lines(connection, dump, section)])
        await connection.execute(script)
        if section == "pre-data":
            await _copied(connection, dump)
    await connection.execute("RESET search_path")


async def _copied(connection: AsyncConnection, dump: Path) -> None:
    """Run the SQL that fills tables. Rows follow each COPY, up to a terminating line."""
    before = b""
    async with aclosing(_section_lines(connection, dump, "data")) as lines:
        async for line in lines:
            if not (line.startswith(b"COPY ") and line.endswith(_ROWS_FOLLOW)):
                before += line
                continue
            await connection.execute(before)
            before = b""
            async with connection.cursor().copy(line.rstrip(b";\n")) as copy:
                async for row in lines:
                    if row == _END_OF_ROWS:
                        break
                    await copy.write(row)
    await connection.execute(before)


async def _section_lines(connection: AsyncConnection, dump: Path, section: str) -> AsyncGenerator[bytes, None]:
    """The lines of a section of a dump as SQL, without those for psql or for a newer PostgreSQL."""
    unknown = [name for name, since in _NEWER_SETTINGS.items() if connection.info.server_version < since * 10_000]
    strange = (b"\\restrict ", b"\\unrestrict ", *(b"SET %b " % name for name in unknown))
    rest = b""
    options = ("--no-owner", "--no-privileges", f"--section={section}", "--file=-")
    async with aclosing(output("pg_restore", *options, dump)) as pieces:
        async for piece in pieces:
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                if not line.startswith(strange):
                    yield line + b"\n"
    if rest:
        yield rest


async def _compare(connection: AsyncConnection, manifest: Manifest) -> None:
    """Raise `BackupError` unless all rows match the manifest, and this version knows the schema."""
    if different := differing(await written(connection), manifest.tables):
        raise BackupError(f"Rows differ from the manifest in {', '.join(different)}.")
    await undone(connection)
