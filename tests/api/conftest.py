"""The API over a real Postgres, as its clients see it."""

from collections.abc import AsyncIterator

import pytest
from httpx import ASGITransport, AsyncClient

from mcmulti.api.app import application
from mcmulti.events.postgres import PostgresLog
from tests.api.guests import Table


@pytest.fixture
async def table(database: str) -> AsyncIterator[Table]:
    """A server with a fresh database."""
    async with PostgresLog.open(database) as log:
        transport = ASGITransport(application(log))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            yield Table(client, log)
