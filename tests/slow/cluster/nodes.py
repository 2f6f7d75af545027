"""The nodes of the cluster at `CITUS_URL`, with a database of their own on each, and their faults.

All of it is SQL of a superuser: what a node does to itself runs on its machine, by `COPY ... TO PROGRAM`.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

_NODES = "SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' AND isactive ORDER BY groupid"
_DATA = "SELECT current_setting('data_directory'), (SELECT setting FROM pg_config WHERE name = 'BINDIR')"

# Freeze all processes of a node for some seconds, as on a machine that stalls.
_HANG = "(p=$(head -1 {data}/postmaster.pid); c=$(pgrep -P $p); kill -STOP $p $c; sleep {seconds}; kill -CONT $p $c)"
_STOP = "({bin}/pg_ctl stop -D {data} -m fast -w; sleep {seconds}; {bin}/pg_ctl start -D {data} -w -l {data}/again.log)"


PATIENCE = 120.0
"""Seconds within which a node is back, even on a busy machine."""


class Cluster:
    """A database on every node. The first node is the coordinator, and `joined` are those that hold shards."""

    def __init__(self, url: str, name: str) -> None:
        self._given = url
        self.name = name
        with psycopg.connect(url) as owner:
            self.nodes = [(str(host), str(port)) for host, port in owner.execute(_NODES).fetchall()]
        assert len(self.nodes) >= 3, "a coordinator and two workers"
        self.joined: list[int] = []

    def url(self, node: int, database: str | None = None) -> str:
        """The connection string of the database on a node."""
        host, port = self.nodes[node]
        user = conninfo_to_dict(self._given).get("user") or "postgres"
        return make_conninfo(self._given, host=host, port=port, user=user, dbname=database or self.name)

    def sql(self, node: int, *statements: str, database: str | None = None) -> list[tuple[object, ...]]:
        """Run statements on a node. Return the rows of the last one."""
        rows: list[tuple[object, ...]] = []
        with self._connected(node, database) as owner:
            for statement in statements:
                cursor = owner.execute(statement.encode())
                rows = cursor.fetchall() if cursor.description else []
        return rows

    def join(self, node: int) -> None:
        """Let a node hold shards from now on. They move there when the cluster is rebalanced."""
        host, port = self.nodes[node]
        self.sql(0, f"SELECT citus_add_node('{host}', {port})")
        self.joined.append(node)

    def rebalance(self) -> None:
        """Move shards until all nodes hold as many."""
        self.sql(0, "SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')")

    def crash(self, node: int) -> None:
        """One of its processes is killed: PostgreSQL ends all others, and recovers. Returns when it has."""
        witness = self._connected(node)
        with suppress(psycopg.OperationalError), self._connected(node) as owner:
            _run(owner, f"kill -9 {owner.info.backend_pid}")
        with suppress(psycopg.OperationalError):
            while True:
                witness.execute("SELECT 1")
                time.sleep(0.1)
        self.sql(node, "SELECT 1")

    def stop(self, node: int, seconds: float) -> None:
        """Shut it down, and restart it after this many seconds. Return when it is back."""
        self._do(node, _STOP, seconds)

    def hang(self, node: int, seconds: float) -> None:
        """Freeze it for this many seconds. Return when it continues."""
        self._do(node, _HANG, seconds)

    def _do(self, node: int, script: str, seconds: float) -> None:
        with self._connected(node) as owner:
            row = owner.execute(_DATA).fetchone()
            assert row is not None
            command = script.format(data=row[0], bin=row[1], seconds=seconds)
            _run(owner, f"setsid sh -c '{command}' </dev/null >/dev/null 2>&1 &")
        time.sleep(seconds)
        self.sql(node, "SELECT 1")

    def _connected(self, node: int, database: str | None = None) -> psycopg.Connection:
        """A connection, as soon as the node accepts one."""
        last = time.monotonic() + PATIENCE
        while True:
            try:
                return psycopg.connect(self.url(node, database), autocommit=True, connect_timeout=20)
            except psycopg.OperationalError:
                if time.monotonic() > last:
                    raise
                time.sleep(0.2)


def _run(owner: psycopg.Connection, command: str) -> None:
    owner.execute(sql.SQL("COPY (SELECT 1) TO PROGRAM {}").format(sql.Literal(f"cat >/dev/null; {command}")))


def _drop(cluster: Cluster, node: int) -> None:
    last = time.monotonic() + PATIENCE
    while True:
        try:
            cluster.sql(node, f"DROP DATABASE IF EXISTS {cluster.name} WITH (FORCE)", database="postgres")
        except psycopg.errors.ObjectInUse:  # a process of Citus on the way to its end, or one that just began
            if time.monotonic() > last:
                raise
            time.sleep(0.2)
        else:
            return


@contextmanager
def databases_of(url: str) -> Iterator[Cluster]:
    """The nodes. In the end, none of them has the database."""
    cluster = Cluster(url, f"mcmulti_faults_{uuid4().hex[:12]}")
    try:
        yield cluster
    finally:
        for node in range(len(cluster.nodes)):
            _drop(cluster, node)


@contextmanager
def cluster_at(url: str) -> Iterator[Cluster]:
    """A new database on every node, as the guide to clusters makes one, with one worker. Others may `join`."""
    with databases_of(url) as cluster:
        for node in range(len(cluster.nodes)):
            cluster.sql(node, f"CREATE DATABASE {cluster.name} TEMPLATE template0", database="postgres")
            cluster.sql(node, "CREATE EXTENSION citus")
        host, port = cluster.nodes[0]
        cluster.sql(0, f"SELECT citus_set_coordinator_host('{host}', {port})")
        cluster.join(1)
        yield cluster
