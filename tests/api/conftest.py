"""The API over a real PostgreSQL, as its clients see it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from mcmulti.api.service import Service
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.log import PostgresLog
from tests.api.applications import table_of
from tests.api.guests import Table
from tests.api.two_servers import TwoServers, two_in_memory, two_on_a_database
from tests.conftest import new_database

_CONNECTIONS = 4
_PATIENCE = 30.0
"""Seconds that a call waits for a connection: these tests must not depend on how busy the machine is."""


@pytest.fixture
async def table(database: str) -> AsyncIterator[Table]:
    """A server with an empty database."""
    async with _served(database) as table:
        yield table


@pytest.fixture(scope="module")
async def module_table(postgres: EmbeddedPostgres, migrated: str) -> AsyncIterator[Table]:
    """A server with a database shared by all tests of a module: for read-only tests."""
    with new_database(postgres, template=migrated) as name:
        async with _served(postgres.url(database=name)) as table:
            yield table


@asynccontextmanager
async def _served(database: str) -> AsyncIterator[Table]:
    """A server as after a start."""
    async with (
        PostgresLog.open(database, pool_size=_CONNECTIONS, patience=_PATIENCE) as log,
        table_of(Service(log), log) as table,
    ):
        yield table


@pytest.fixture(params=["PostgreSQL", "memory"])
async def servers(request: pytest.FixtureRequest, database: str) -> AsyncIterator[TwoServers]:
    """Two servers on one log: one test for each kind of log."""
    if request.param == "memory":
        async with two_in_memory() as servers:
            yield servers
    else:
        async with two_on_a_database(database) as servers:
            yield servers
