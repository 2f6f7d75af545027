"""Distribute a database that outgrew one PostgreSQL over a Citus cluster, and what later migrations add to it.

Every game, with all its data, lives on one node. Data that belongs to no game is on every node.
"""

from collections.abc import Iterator
from typing import Literal
from uuid import UUID

from psycopg import AsyncConnection, Error, IsolationLevel, OperationalError, sql

from mcmulti.events.cluster.nodes import places_in
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.rights import SERVER_ROLE, MigrationError

Distribution = Literal["done", "already", "absent"]
"""The result: tables are distributed now, all of them were already, or the database has no Citus."""

EVERYWHERE = (
    *("migration", "player", "visitor", "token", "signing_key", "digest_key", "ladder"),
    *("review_job", "announcement", "last_announcement", "probe", "webhook", "preference", "mail_count"),
)
"""Reference tables, of which every node has all rows: servers may connect to any node, and check there whether the
schema is theirs.
"""
_OF_GAME = (
    *("event", "receipt", "secret", "seat", "tenure", "snapshot", "question"),
    *("checked", "assessment", "review", "notice", "chat", "chat_message", "chat_flag"),
)
BY_GAME = {"game": "id", **dict.fromkeys(_OF_GAME, "game_id"), "heartbeat": "place"}
"""Tables whose rows live where their game does, and the column with its id. The others are colocated with the first."""
CALLS = (
    "append_to_game(uuid, json)",
    "ask_node(uuid, text)",
    "ask_node_again(uuid, text, timestamp with time zone)",
)
"""Functions whose calls are delegated to the node of the game in their argument ``game``."""
HERE = ("announce(bytea)", "hold_shards(bigint[])")
"""Functions that every node has, and that run where they are called."""

# Citus keeps its tables in its own catalog.
_CITUS = "SELECT to_regclass('pg_dist_partition') IS NOT NULL"
_ALREADY = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'game'::regclass)"

_SPREAD_TABLES = "SELECT logicalrelid::regclass::text FROM pg_dist_partition"
_FUNCTIONS = """
    SELECT objid::regprocedure::text, distribution_argument_index IS NOT NULL FROM pg_dist_object
    WHERE classid = 'pg_proc'::regclass
"""
_HAND_ON = sql.SQL("SELECT create_distributed_function({}, 'game', colocate_with => 'game')")
_KEEP_EVERYWHERE = sql.SQL("SELECT create_distributed_function({})")
_RANGES = """
    SELECT shardminvalue::integer, shardmaxvalue::integer FROM pg_dist_shard
    WHERE logicalrelid = 'heartbeat'::regclass ORDER BY 1
"""
_LAST_BEAT = "SELECT at FROM heartbeat WHERE place = %s"
# The other rows may come from a cluster that was dumped into one PostgreSQL.
_FIRST_BEAT = """
    INSERT INTO heartbeat (place, at) VALUES (%s, %s) ON CONFLICT (place) DO UPDATE SET at = excluded.at
"""

_FORGET_LOCAL_ROWS = sql.SQL("SELECT truncate_local_data_after_distributing_table({})")

# Citus connects to its nodes with the current role of a session, and a role without LOGIN cannot connect.
_LET_IN = sql.SQL("ALTER ROLE {} LOGIN").format(sql.Identifier(SERVER_ROLE))
_STAYS_OUT = sql.SQL("SELECT FROM pg_roles WHERE rolname = {} AND NOT rolcanlogin").format(sql.Literal(SERVER_ROLE))

# Changing rows of reference tables after a schema change works only if both modify one shard at a time.
_ONE_SHARD_AT_A_TIME = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"


async def distribute(conninfo: str) -> Distribution:
    """Distribute the tables of a database that `migrate` has prepared: all that are not distributed yet, or none.

    Raises `MigrationError` and `LogUnavailable`.
    """
    try:
        async with await AsyncConnection.connect(conninfo, client_encoding="UTF8") as connection:
            await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
            if not await _is(connection, _CITUS):
                return "absent"
            await begin_changing(connection)
            return "done" if await join(connection) else "already"
    except OperationalError as error:
        raise LogUnavailable(f"the database is not responding: {error}") from error
    except Error as error:
        raise MigrationError(f"the tables cannot be distributed: {error.diag.message_primary}") from error


async def is_distributed(connection: AsyncConnection) -> bool:
    """Whether games are distributed over the nodes of a cluster."""
    return await _is(connection, _CITUS) and await _is(connection, _ALREADY)


async def begin_changing(connection: AsyncConnection) -> None:
    """Begin a transaction that distributes a database, or migrates one that is distributed."""
    await connection.execute(_ONE_SHARD_AT_A_TIME)


async def join(connection: AsyncConnection) -> list[str]:
    """Distribute what is not distributed yet, in a transaction that `begin_changing` began. Returns what that was, in
    words.
    """
    done = []
    async with connection.cursor() as cursor:
        if await (await cursor.execute(_STAYS_OUT)).fetchone() is not None:
            await cursor.execute(_LET_IN)
        spread = {name for (name,) in await (await cursor.execute(_SPREAD_TABLES)).fetchall()}
        missing = {name: statement for name, statement in _tables() if name not in spread}
        for name, statement in missing.items():
            await cursor.execute(statement)
            done.append(f"distribute {name}")
        # The old rows stay on this node too, invisible, until they are deleted. That is only possible when all tables
        # are distributed, since a table cannot be emptied while another one that is not distributed refers to it.
        for name in missing:
            await cursor.execute(_FORGET_LOCAL_ROWS.format(sql.Literal(name)))
        rows = await (await cursor.execute(_FUNCTIONS)).fetchall()
        known = {(call.replace(",", ", "), handed_on) for call, handed_on in rows}
        if "heartbeat" in missing:
            await _spread_heartbeat(connection)
        functions = [(call, True) for call in CALLS] + [(call, False) for call in HERE]
        for call, handed_on in functions:
            if (call, handed_on) not in known:
                await cursor.execute((_HAND_ON if handed_on else _KEEP_EVERYWHERE).format(sql.Literal(call)))
                done.append(f"distribute {call}")
    return done


async def _spread_heartbeat(connection: AsyncConnection) -> None:
    """Give each shard of games a heartbeat. Until now there was one for all of them."""
    (last,) = await (await connection.execute(_LAST_BEAT, (UUID(int=0),))).fetchall()
    ranges = await (await connection.execute(_RANGES)).fetchall()
    await connection.cursor().executemany(_FIRST_BEAT, [(place, *last) for place in places_in(ranges)])


def _tables() -> Iterator[tuple[str, sql.Composed]]:
    for name in EVERYWHERE:
        yield name, sql.SQL("SELECT create_reference_table({})").format(sql.Literal(name))
    for name, column in BY_GAME.items():
        together = sql.SQL("") if name == "game" else sql.SQL(", colocate_with => 'game'")
        yield (
            name,
            sql.SQL("SELECT create_distributed_table({}, {}{})").format(
                sql.Literal(name), sql.Literal(column), together
            ),
        )


async def _is(connection: AsyncConnection, query: str) -> bool:
    row = await (await connection.execute(query)).fetchone()
    assert row is not None
    return bool(row[0])
