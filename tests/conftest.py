"""A real Postgres for the tests that need one: one server a session, one fresh database a test."""

import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
import structlog
from psycopg import sql

from mcmulti.events.embedded import EmbeddedPostgres
from mcmulti.events.migrate import migrate

pytest_plugins = ["tests.needs", "tests.times"]


@pytest.fixture(scope="session", autouse=True)
def children_start_with_default_signals() -> None:
    """Nothing that a test starts inherits "ignore", as it would in a background job and under `nohup`.

    What is handled here, by doing nothing, is by default in a new program; these tests go on ignoring it.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@contextmanager
def logging_restored() -> Iterator[None]:
    """Undo at the end whatever the block does to the logging, also in loggers that keep their output."""
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


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """Logging that a test sets up ends with it."""
    with logging_restored():
        yield


@contextmanager
def new_database(server: EmbeddedPostgres, template: str = "template0") -> Iterator[str]:
    """The name of a database that lives as long as the block."""
    name = f"test_{uuid4().hex}"
    names = {"name": sql.Identifier(name), "template": sql.Identifier(template)}
    with psycopg.connect(server.url(database="postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {name} TEMPLATE {template}").format(**names))
        try:
            yield name
        finally:
            connection.execute(sql.SQL("DROP DATABASE {name} WITH (FORCE)").format(**names))


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """The session's server."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("postgres")) as server:
        yield server


@pytest.fixture(scope="session")
async def migrated(postgres: EmbeddedPostgres) -> AsyncIterator[str]:
    """The name of a migrated database that nobody connects to: the others are copies of it."""
    with new_database(postgres) as name:
        await migrate(postgres.url(database=name))
        yield name


@pytest.fixture
def empty_database(postgres: EmbeddedPostgres) -> Iterator[str]:
    """Where to connect to a database without a single table."""
    with new_database(postgres) as name:
        yield postgres.url(database=name)


@pytest.fixture
def database(postgres: EmbeddedPostgres, migrated: str) -> Iterator[str]:
    """Where to connect to a fresh, migrated database."""
    with new_database(postgres, template=migrated) as name:
        yield postgres.url(database=name)
