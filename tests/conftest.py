"""A real Postgres for tests that need one: one server per session, and one database that is cleaned between tests."""

import asyncio
import functools
import gc
import os
import shutil
import signal
import ssl
import sys
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol
from uuid import uuid4

import httpx
import psycopg
import pytest
import structlog
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from psycopg import sql

from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.migrate import migrate

pytest_plugins = ["tests.needs", "tests.times"]

# CA certificates are read once, not for every client: no test needs others.
_context = ssl.create_default_context
_public = functools.cache(_context)


def _context_of(*asked: Any, **more: Any) -> ssl.SSLContext:
    is_public = not asked and more.keys() == {"cafile"} and str(more["cafile"]).endswith("certifi/cacert.pem")
    return _public(**more) if is_public else _context(*asked, **more)


ssl.create_default_context = _context_of

# A busy machine is not a failure: clients wait longer than httpx's default of five seconds.
for _client in (httpx.Client, httpx.AsyncClient):
    vars(_client)["__init__"].__kwdefaults__["timeout"] = httpx.Timeout(60)

# Hypothesis takes constants from all modules imported so far, so examples would depend on what ran before.
vars(providers)["_get_local_constants"] = Constants
settings.register_profile("same", deadline=None, derandomize=True)  # on any machine, however busy it is
settings.load_profile("same")


CLEANER = "tests"
"""The name of the connection that cleans a database."""
_ROOM = 1 << 30
_TABLES = """SELECT relname FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY relname"""
_ROWS = sql.SQL("SELECT json_agg(one)::text FROM {} AS one")
_RESTORE = sql.SQL("INSERT INTO {0} SELECT * FROM json_populate_recordset(NULL::{0}, %s)")
_TERMINATE = """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
# A change of structure writes a row in one of these, with a later transaction, or removes one.
_CATALOGS = [
    "pg_attrdef",
    "pg_attribute",
    "pg_class",
    "pg_constraint",
    "pg_default_acl",
    "pg_description",
    "pg_event_trigger",
    "pg_extension",
    "pg_index",
    "pg_namespace",
    "pg_policy",
    "pg_proc",
    "pg_rewrite",
    "pg_trigger",
    "pg_type",
]
_STRUCTURE = sql.SQL("SELECT {}, {}, {}").format(
    sql.SQL(", ").join(
        sql.SQL("(SELECT (count(*), max(xmin::text::bigint)) FROM {})").format(sql.Identifier(name))
        for name in _CATALOGS
    ),
    sql.SQL("(SELECT xmin::text FROM pg_database WHERE datname = current_database())"),
    sql.SQL(
        "(SELECT count(*) FROM pg_db_role_setting JOIN pg_database ON setdatabase = pg_database.oid"
        " WHERE datname = current_database())"
    ),
)


@pytest.fixture(scope="session", autouse=True)
def children_start_with_default_signals() -> None:
    """Nothing that a test starts inherits "ignore", as it would in a background job and under `nohup`.

    A signal with a handler, even an empty one, has its default in a new program. These tests continue to ignore it.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@contextmanager
def logging_restored() -> Iterator[None]:
    """At the end, undo whatever the block does to the logging, also in loggers that keep their output."""
    before = structlog.get_config()
    try:
        yield
    finally:
        if structlog.get_config() != before:
            structlog.configure(**before)
            for name, module in list(sys.modules.items()):
                log = getattr(module, "_log", None) if name.startswith("mcmulti.") else None
                if log is not None:
                    vars(log).pop("bind", None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Do not collect garbage among ten thousand collected tests: neither during collection nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Logging that a test sets up ends with it."""
    with logging_restored():
        return (yield)


class Server(Protocol):
    """A PostgreSQL that tests make databases in."""

    def url(self, *, database: str) -> str:
        """The connection string of a database, as its owner."""


@contextmanager
def new_database(server: Server, template: str = "template0") -> Iterator[str]:
    """The name of a database that lives during the block."""
    name = f"test_{uuid4().hex}"
    names = {"name": sql.Identifier(name), "template": sql.Identifier(template)}
    with psycopg.connect(server.url(database="postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {name} TEMPLATE {template}").format(**names))
        try:
            yield name
        finally:
            connection.execute(sql.SQL("DROP DATABASE {name} WITH (FORCE)").format(**names))


def _in_memory() -> str | None:
    """A folder in memory, if there is one with room. None for the usual place."""
    memory = Path("/dev/shm")
    return str(memory) if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _ROOM else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """The session's server, in memory if possible: no test of it depends on the disk."""
    with (
        TemporaryDirectory(prefix="mcmulti-tests-", dir=_in_memory()) as folder,
        EmbeddedPostgres(Path(folder, "postgres")) as server,
    ):
        yield server


@pytest.fixture(scope="session")
def migrated(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The name of a migrated database that nobody connects to: the others are copies of it.

    It is made in an event loop of its own, in a thread, so this works while another loop runs. Otherwise, an async
    fixture that first requests a database would fail, and so would all tests of the session that need one, because
    pytest caches the failure.
    """
    with new_database(postgres) as name:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(asyncio.run, migrate(postgres.url(database=name))).result()
        yield name


@pytest.fixture
def empty_database(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The connection string of a database without a single table."""
    with new_database(postgres) as name:
        yield postgres.url(database=name)


class SharedDatabase:
    """A copy of the migrated database, and more of them when a test changes more than rows."""

    def __init__(self, server: Server, template: str) -> None:
        self._server = server
        self._template = template
        self._life = ExitStack()
        self._url = ""
        self._owner: psycopg.Connection | None = None
        self._structure: object = None
        self._initial: list[tuple[sql.Identifier, str]] = []
        self._clear = sql.Composed([])

    def clean(self) -> str:
        """Its connection string. It is as migrated, and nobody else is connected."""
        try:
            if self._owner is None or not self._cleaned(self._owner):
                self._renew()
        except psycopg.Error:
            self._renew()
        return self._url

    def close(self) -> None:
        """Drop it."""
        self._life.close()

    def _cleaned(self, owner: psycopg.Connection) -> bool:
        """Clean its rows. Return whether its structure is still as migrated."""
        owner.execute(_TERMINATE)
        if owner.execute(_STRUCTURE).fetchone() != self._structure:
            return False
        with owner.transaction():
            owner.execute(self._clear)
            for name, rows in self._initial:
                owner.execute(_RESTORE.format(name), (rows,))
        return True

    def _renew(self) -> None:
        self._life.close()
        name = self._life.enter_context(new_database(self._server, template=self._template))
        self._url = self._server.url(database=name)
        # A new connection for each test would read the catalog again, which takes four times as long as cleaning.
        owner = self._owner = self._life.enter_context(
            psycopg.connect(self._url, autocommit=True, application_name=CLEANER)
        )
        self._structure = owner.execute(_STRUCTURE).fetchone()
        names = [sql.Identifier(name) for (name,) in owner.execute(_TABLES)]
        # DELETE takes 1 ms, but TRUNCATE takes 25, since it creates new files. Without triggers, the order does not
        # matter.
        deletions = [sql.SQL("DELETE FROM {}").format(name) for name in names]
        self._clear = sql.SQL("; ").join([sql.SQL("SET LOCAL session_replication_role = replica"), *deletions])
        rows = [(name, owner.execute(_ROWS.format(name)).fetchone()) for name in names]
        self._initial = [(name, found[0]) for name, found in rows if found and found[0]]


@pytest.fixture(scope="session")
def shared_database(postgres: EmbeddedPostgres, migrated: str) -> Iterator[SharedDatabase]:
    """The database that tests use one after the other."""
    shared = SharedDatabase(postgres, migrated)
    yield shared
    shared.close()


@pytest.fixture
def database(shared_database: SharedDatabase) -> str:
    """The connection string of a migrated database without games. Changes of its structure end with the test."""
    return shared_database.clean()
