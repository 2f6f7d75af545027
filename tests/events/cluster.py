"""A stand-in for a Citus cluster on one PostgreSQL: its catalogs, its functions, and nodes that fail on demand.

Shards are views, so a query to a node returns its games only. Queries to the node of a game meet row-level security,
which fails or blocks forever when the node would. The stand-in does not show what Citus itself does with a statement.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

import psycopg

from mcmulti.events.cluster.citus import BY_GAME, distribute
from mcmulti.events.cluster.nodes import places_in
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.rights import SERVER_ROLE
from mcmulti.events.postgres.tables import TableNames

STAND_IN = """
    CREATE TABLE pg_dist_partition (logicalrelid regclass PRIMARY KEY, distributed_by text, colocated_with text);
    CREATE FUNCTION create_distributed_table(name regclass, by_column text, colocate_with text DEFAULT 'default')
        RETURNS void LANGUAGE sql AS 'INSERT INTO pg_dist_partition VALUES ($1, $2, $3)';
    CREATE FUNCTION create_reference_table(name regclass)
        RETURNS void LANGUAGE sql AS 'INSERT INTO pg_dist_partition VALUES ($1)';
    CREATE TABLE pg_dist_object (classid regclass, objid oid, distribution_argument_index integer);
    CREATE TABLE pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text, shardmaxvalue text);
    CREATE FUNCTION create_distributed_function(
        name regprocedure, by_argument text DEFAULT NULL, colocate_with text DEFAULT 'default'
    ) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('citus.multi_shard_modify_mode', true) IS DISTINCT FROM 'sequential' THEN
            RAISE EXCEPTION 'cannot run function command because there was a parallel operation';
        END IF;
        INSERT INTO pg_dist_object VALUES ('pg_proc', $1, CASE WHEN by_argument IS NOT NULL THEN 0 END);
    END
    $$;
    CREATE FUNCTION truncate_local_data_after_distributing_table(name regclass)
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (
            SELECT FROM pg_constraint
            WHERE contype = 'f' AND confrelid = name
                AND conrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition)
        ) THEN
            RAISE EXCEPTION 'cannot truncate a table referenced in a foreign key constraint by a local table';
        END IF;
    END
    $$;
"""

_NODES = """
    CREATE TABLE pg_dist_node (nodeid integer, groupid integer, nodename text, nodeport integer, noderole text);
    INSERT INTO pg_dist_node VALUES
        (1, 0, 'coordinator', 1, 'primary'), (2, 1, 'first', 2, 'primary'), (3, 2, 'second', 3, 'primary');
    CREATE TABLE pg_dist_placement (shardid bigint, groupid integer);
    CREATE FUNCTION shard_name(name regclass, id bigint) RETURNS text LANGUAGE sql AS $$SELECT $1::text || '_' || $2$$;
    CREATE TABLE fault (port integer, hangs boolean);

    CREATE FUNCTION tried(tried_port integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
        found boolean;
    BEGIN
        SELECT hangs INTO found FROM fault WHERE port = tried_port LIMIT 1;
        IF found THEN
            PERFORM pg_sleep(60);
        END IF;
        RETURN found IS NULL;
    END
    $$;

    CREATE FUNCTION reached(game uuid) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
        node integer;
    BEGIN
        SELECT nodeport INTO node
        FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
        WHERE logicalrelid = 'game'::regclass
            AND uuid_hash(game) BETWEEN shardminvalue::integer AND shardmaxvalue::integer;
        IF NOT tried(node) THEN
            RAISE EXCEPTION 'connection to the remote node %:% failed', 'node', node USING ERRCODE = 'XX000';
        END IF;
        RETURN true;
    END
    $$;

    CREATE FUNCTION all_reached() RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
        IF NOT (tried(2) AND tried(3)) THEN
            RAISE EXCEPTION 'connection to the remote node failed' USING ERRCODE = 'XX000';
        END IF;
        RETURN true;
    END
    $$;

    CREATE OR REPLACE FUNCTION ask_node(game uuid, query text) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
        answer text;
    BEGIN
        PERFORM reached(game);
        EXECUTE query INTO answer;
        RETURN answer;
    END
    $$;

    CREATE OR REPLACE FUNCTION ask_node_again(game uuid, query text, moment timestamptz) RETURNS text
    LANGUAGE plpgsql AS $$
    DECLARE
        answer text;
    BEGIN
        PERFORM reached(game);
        EXECUTE query INTO answer USING moment;
        RETURN answer;
    END
    $$;

    CREATE FUNCTION master_run_on_worker(names text[], ports integer[], commands text[], parallel boolean,
        OUT node_name text, OUT node_port integer, OUT success boolean, OUT result text) RETURNS SETOF record
    LANGUAGE plpgsql AS $$
    BEGIN
        SELECT names[1], ports[1], tried(ports[1]), 'failed to connect' INTO node_name, node_port, success, result;
        IF success THEN
            EXECUTE commands[1] INTO result;
        END IF;
        RETURN NEXT;
    END
    $$;
"""

_SHARD = """
    CREATE VIEW {table}_{number} AS SELECT * FROM {table} WHERE uuid_hash({column}) BETWEEN {least} AND {most};
    INSERT INTO pg_dist_shard VALUES ('{table}', {number}, '{least}', '{most}');
    INSERT INTO pg_dist_placement VALUES ({number}, {group});
"""

_REACHED = """
    ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
    CREATE POLICY node ON {table} USING ({reached}) WITH CHECK ({reached});
"""

_MOVED = """
    UPDATE pg_dist_shard SET shardid = shardid + 1000
    WHERE NOT EXISTS (SELECT FROM pg_dist_placement WHERE pg_dist_placement.shardid = pg_dist_shard.shardid)
    RETURNING logicalrelid::text, shardid - 1000, shardid
"""

SHARDS = 4
"""The shards of each table: the first and the third are on one node, the others on the other."""
NODES = ("node 2", "node 3")


@contextmanager
def citus_stand_in(database: str) -> Iterator[str]:
    """Create the functions of Citus in a migrated database. The role belongs to the whole server."""
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute(STAND_IN)
        try:
            yield database
        finally:
            owner.execute(f"ALTER ROLE {SERVER_ROLE} NOLOGIN")


@asynccontextmanager
async def spread(database: str) -> AsyncIterator[str]:
    """A migrated database whose tables are distributed over two nodes. All nodes respond again at the end."""
    with citus_stand_in(database):
        await _spread(database)
        yield database
        heal(database)


async def _spread(database: str) -> None:
    assert await distribute(database) == "done"
    statements = [_NODES]
    width = (1 << 32) // SHARDS
    ranges = [(index * width - (1 << 31), (index + 1) * width - (1 << 31) - 1) for index in range(SHARDS)]
    statements += [
        f"INSERT INTO heartbeat VALUES ('{place}', now()) ON CONFLICT DO NOTHING" for place in places_in(ranges)
    ]
    for index in range(SHARDS):
        least = index * width - (1 << 31)
        shard = {"least": least, "most": least + width - 1, "group": index % 2 + 1}
        for base, table in enumerate(TableNames._fields, start=1):
            statements.append(_SHARD.format(table=table, column=BY_GAME[table], number=100 * base + index, **shard))
            if table == "heartbeat":
                statements.append(f"GRANT UPDATE ON {table}_{100 * base + index} TO {SERVER_ROLE}")
    statements += [_REACHED.format(table=table, reached=f"reached({column})") for table, column in BY_GAME.items()]
    statements.append("ALTER TABLE player ENABLE ROW LEVEL SECURITY")
    statements.append("CREATE POLICY there ON player FOR SELECT USING (true)")
    statements.append("CREATE POLICY everywhere ON player FOR INSERT WITH CHECK (all_reached())")
    statements.append("CREATE POLICY at_every_node ON player FOR UPDATE USING (true) WITH CHECK (all_reached())")
    statements.append(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {SERVER_ROLE}")
    with psycopg.connect(database) as owner:
        for statement in statements:
            owner.execute(statement.encode())


def fail(database: str, node: int, *, hangs: bool) -> None:
    """From now on, a node is unreachable or hangs."""
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("INSERT INTO fault VALUES (%s, %s)", (node, hangs))


def heal(database: str) -> None:
    """All nodes respond again."""
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("DELETE FROM fault")


async def known_away(log: Log, *names: str) -> None:
    """Wait until exactly these nodes are known to be away."""
    async with asyncio.timeout(60):
        while list(log.nodes_away()) != [*names]:  # noqa: ASYNC110 - what is waited for has no bell
            await asyncio.sleep(0.05)


def move_shards(database: str) -> None:
    """From now on, all shards are on the second node under other names, as if the first had dropped them."""
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("UPDATE pg_dist_placement SET groupid = 2, shardid = shardid + 1000 WHERE groupid = 1")
        for table, number, moved in owner.execute(_MOVED).fetchall():
            owner.execute(f"ALTER VIEW {table}_{number} RENAME TO {table}_{moved}")


def nodes_of(database: str, games: list[UUID]) -> dict[UUID, int]:
    """The nodes of games according to the catalogs."""
    with psycopg.connect(database) as owner:
        rows = owner.execute(
            "SELECT game, nodeid FROM unnest(%s::uuid[]) AS game"
            " JOIN pg_dist_shard ON uuid_hash(game) BETWEEN shardminvalue::integer AND shardmaxvalue::integer"
            " JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)"
            " WHERE logicalrelid = 'game'::regclass",
            (games,),
        ).fetchall()
    return dict(rows)
