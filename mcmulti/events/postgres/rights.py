"""What servers may do in the database: the role of all their connections, and its rights on every table.

A role belongs to the whole PostgreSQL cluster and is not part of a database backup. So both are checked whenever a
database is prepared, and corrected if the login may do so. What counts is the role's effective rights, whether by its
own grants, by those of PUBLIC, or as a member of other roles.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from psycopg import AsyncConnection, errors, sql

from mcmulti.events.ports.errors import LogError

SERVER_ROLE = "mcmulti_server"
"""The role of every connection of the server: it reads and adds events, and cannot change or remove one."""


def _may(*changed: str, delete: bool = False) -> Mapping[str, frozenset[str] | None]:
    """The rights to read and add rows, to change these columns, and to delete rows."""
    more = {"DELETE": None} if delete else {}
    return {"SELECT": None, "INSERT": None, **more, **({"UPDATE": frozenset(changed)} if changed else {})}


_WANTED: dict[str, Mapping[str, frozenset[str] | None]] = {
    "game": _may(
        *("head_seq", "head_hash", "status", "deadline_at", "ended_at", "players", "to_move", "turn", "winners"),
        *("ended_by", "banks", "leavers", "moved_at", "moved_minute", "invited", "code_hash"),
    ),
    "event": _may(),
    "receipt": _may(delete=True),
    "secret": _may(),
    "player": _may("name", "name_key", "name_skeleton", "pending", "pending_token", "pending_due"),
    "visitor": _may("name", "name_key", delete=True),
    "token": _may("name", "parent_id", "revoked_at", "used_at", delete=True),
    "seat": _may(delete=True),
    "tenure": _may("against", "substitute", "result", "missed", "resigned", "vacated", delete=True),
    "signing_key": _may(),
    "snapshot": _may(delete=True),
    "digest_key": _may(),
    "ladder": _may("ended_at", "game_id", "seq", "hash", "state", delete=True),
    "assessment": _may("assessment", delete=True),
    "review": _may("seconds", "review", "work"),
    "review_job": _may("done", "attempts", "claimed_until", delete=True),
    "checked": _may("seq", "hash", "at", "fault", "digest"),
    "question": _may("answer_at", "open"),
    "heartbeat": _may("at"),
    "webhook": _may(
        *("secret", "previous_secret", "previous_until", "gone_at", "confirmation", "confirmed_at", "mail_at"),
        "refused_at",
        delete=True,
    ),
    "mail_count": _may("sent", delete=True),
    "preference": _may("digest_at", delete=True),
    "notice": _may("mark", "message_id", "due_at", "seq", "attempts", "done_at", delete=True),
    "chat": _may("head"),
    "chat_message": _may("text", "quick_reply", "changed", "removed_by", delete=True),
    "chat_flag": _may(delete=True),
    "probe": {"SELECT": None, "UPDATE": frozenset({"at"})},
    "announcement": _may(delete=True),
    "last_announcement": {"SELECT": None, "UPDATE": frozenset({"number"})},
    "migration": {"SELECT": None},
}
"""The rights on every table, each on certain columns or on all (None)."""

# A right on a whole table is listed as if the table had one column without a name.
_HELD = """
    SELECT relname, kind, attname::text, has_column_privilege(%(role)s, pg_class.oid, attnum, kind)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped,
        unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS kind
    WHERE relname = ANY (%(tables)s) AND pg_table_is_visible(pg_class.oid)
    UNION ALL
    SELECT relname, kind, '', has_table_privilege(%(role)s, oid, kind)
    FROM pg_class, unnest(ARRAY['DELETE', 'TRUNCATE', 'TRIGGER']) AS kind
    WHERE relname = ANY (%(tables)s) AND pg_table_is_visible(oid)
    ORDER BY 1, 2
"""

_OWNS = """
    SELECT relname FROM pg_class
    WHERE relname = ANY (%(tables)s) AND pg_table_is_visible(oid) AND pg_has_role(%(role)s, relowner, 'MEMBER')
    ORDER BY relname LIMIT 1
"""

_CLOSED_TO_IT = """
    SELECT nspname FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
    WHERE relname = 'event' AND pg_table_is_visible(pg_class.oid)
    AND NOT has_schema_privilege(%(role)s, relnamespace, 'USAGE')
"""

_MAY_GRANT = """
    SELECT FROM pg_class WHERE relname = 'event' AND pg_table_is_visible(oid) AND pg_has_role(relowner, 'USAGE')
"""

# A login that cannot change the schema must still be able to see that there is nothing to change.
_RECORD_HIDDEN = "SELECT WHERE NOT has_table_privilege('public', 'migration', 'SELECT')"
_SHOW_RECORD = "GRANT SELECT ON migration TO PUBLIC"

OWNER_MAY_REPAIR = "let the owner of the tables run mcmulti migrate"
"""What to do if the login may not repair a fault."""

_ASKED = {"role": SERVER_ROLE, "tables": list(_WANTED)}


class MigrationError(LogError):
    """The database cannot be migrated to the schema of this version, or the role cannot get its rights."""


class Deviation(NamedTuple):
    """A right of the role that differs from what it should be.

    `on`: a table, or ``SCHEMA`` and its name. `wanted`: the columns it should have the right on; None: all of them, or
    the table or schema itself. `excess`: it has more than that.
    """

    on: sql.Composable
    kind: str
    wanted: frozenset[str] | None
    excess: bool


async def role_exists(connection: AsyncConnection) -> bool:
    """Whether the PostgreSQL cluster has the role."""
    return bool(await _fetch_rights(connection, "SELECT FROM pg_roles WHERE rolname = %(role)s"))


async def make_role(connection: AsyncConnection) -> None:
    """Create the role. Another database of the cluster may be creating it at the same time."""
    with suppress(errors.DuplicateObject, errors.UniqueViolation):
        async with connection.transaction():
            await connection.execute(f"CREATE ROLE {SERVER_ROLE} NOLOGIN")


async def take_role(connection: AsyncConnection) -> None:
    """Act as the role until the end of the transaction. The login becomes its member if it may.

    Raises `psycopg.errors.InsufficientPrivilege`.
    """
    try:
        async with connection.transaction():
            await connection.execute(f"SET LOCAL ROLE {SERVER_ROLE}")
            return
    except errors.InsufficientPrivilege:
        with suppress(errors.UniqueViolation):  # another database of the cluster was faster
            async with connection.transaction():
                await connection.execute(f"GRANT {SERVER_ROLE} TO CURRENT_USER")
    await connection.execute(f"SET LOCAL ROLE {SERVER_ROLE}")


async def differences(connection: AsyncConnection) -> list[Deviation]:
    """The rights of the role that are not what they should be."""
    found = [
        Deviation(sql.SQL("SCHEMA ") + sql.Identifier(schema), "USAGE", None, excess=False)
        for (schema,) in await _fetch_rights(connection, _CLOSED_TO_IT)
    ]
    for (table, kind), rows in groupby(await _fetch_rights(connection, _HELD), key=itemgetter(0, 1)):
        columns = {column: held for _, _, column, held in rows}
        wanted = _WANTED[table].get(kind, frozenset())
        needed = columns.keys() if wanted is None else wanted
        has = {column for column, held in columns.items() if held}
        if has != needed:
            found.append(Deviation(sql.Identifier(table), kind, wanted, excess=bool(has - needed)))
    return found


async def hold(connection: AsyncConnection) -> bool:
    """Whether the role has exactly its rights, and every login can see the applied migrations."""
    return not (
        await differences(connection)
        or await _fetch_rights(connection, _OWNS)
        or await _fetch_rights(connection, _RECORD_HIDDEN)
    )


async def put_right(connection: AsyncConnection) -> list[str]:
    """Grant missing rights and revoke excess ones, as the owner of the tables. Returns what that was.

    Raises `MigrationError` if the login may not do this, or if the role still has a right that it should not have.
    """
    if owned := await _fetch_rights(connection, _OWNS):
        raise MigrationError(
            f"{SERVER_ROLE} could change recorded events: it owns the table {owned[0][0]}, or is a member of its "
            "owner, or a superuser; let an administrator take that from it"
        )
    wrong, hidden = await differences(connection), await _fetch_rights(connection, _RECORD_HIDDEN)
    done = _remedies(connection, wrong) + ["let everybody read what was applied"] * len(hidden)
    if done and not await _fetch_rights(connection, _MAY_GRANT):
        raise MigrationError(f"this must be done: {'; '.join(done)}; {OWNER_MAY_REPAIR}")
    for difference in wrong:
        for statement in _statements(difference):
            await connection.execute(statement)
    if hidden:
        await connection.execute(_SHOW_RECORD)
    if still := await differences(connection):
        left = "; ".join(_remedies(connection, still))
        raise MigrationError(f"this must be done: {left}; the grants of {connection.info.user} do not reach so far")
    return done


def _remedies(connection: AsyncConnection, wrong: Sequence[Deviation]) -> list[str]:
    """What to do about the differences, in a few words each."""
    places = [difference.on.as_string(connection) for difference in wrong]
    told = [
        f"revoke {difference.kind} on {place} from {SERVER_ROLE}"
        for difference, place in zip(wrong, places, strict=True)
        if difference.excess
    ]
    lacking = dict.fromkeys(place for difference, place in zip(wrong, places, strict=True) if not difference.excess)
    return [*told, f"grant {SERVER_ROLE} its rights on {', '.join(lacking)}"] if lacking else told


def _statements(difference: Deviation) -> Iterator[sql.Composed]:
    names = {
        "kind": sql.SQL(difference.kind),
        "on": difference.on,
        "role": sql.Identifier(SERVER_ROLE),
    }
    if difference.excess:
        yield sql.SQL("REVOKE {kind} ON {on} FROM {role}, PUBLIC").format(**names)
    if difference.wanted is None:
        yield sql.SQL("GRANT {kind} ON {on} TO {role}").format(**names)
    elif difference.wanted:
        columns = sql.SQL(", ").join(map(sql.Identifier, sorted(difference.wanted)))
        yield sql.SQL("GRANT {kind} ({columns}) ON {on} TO {role}").format(columns=columns, **names)


async def _fetch_rights(connection: AsyncConnection, query: str) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(query, _ASKED)
    return await cursor.fetchall()
