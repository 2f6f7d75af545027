"""Logs that two servers share, and servers with a clock that the test sets."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest

from mcmulti.events.cluster import timekeeping as spread_timekeeping
from mcmulti.events.cluster.spread import open_log
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.stores import timekeeping
from tests.events.real_cluster import emptied_at_citus_url
from tests.scripted_clock import Clock, Server


@pytest.fixture
def clock() -> Clock:
    return Clock()


TIMEKEEPING = (timekeeping, spread_timekeeping)

CLUSTER = pytest.param("cluster", marks=pytest.mark.needs("CITUS_URL"))


@pytest.fixture
async def cluster() -> str:
    """The connection string of a cluster without games."""
    return await emptied_at_citus_url()


@pytest.fixture(params=["memory", "postgres", CLUSTER])
def place(request: pytest.FixtureRequest) -> str | None:
    """The connection string, or None for a log in memory."""
    return where(request)


def where(request: pytest.FixtureRequest) -> str | None:
    """The value of the fixture that the parameter names. Only that one is set up.

    It works only for fixtures that are not async: in those, the event loop that sets up async fixtures is already
    running.
    """
    fixture = {"memory": None, "postgres": "database", "cluster": "cluster"}[request.param]
    found: str | None = request.getfixturevalue(fixture) if fixture else None
    return found


@pytest.fixture
def outages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even on a slow machine there is no outage. Otherwise, games would get back time that a test does not expect."""
    for module in TIMEKEEPING:
        monkeypatch.setattr(module, "OUTAGE", timedelta(days=1000))


@pytest.fixture
async def logs(place: str | None, outages: None) -> AsyncIterator[list[Log]]:
    """One log as two servers see it."""
    if place is None:
        yield [MemoryLog()] * 2
        return
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(open_log(place, pool_size=3)) for _ in range(2)]


@pytest.fixture
def server(logs: list[Log], clock: Clock) -> Server:
    return Server(logs[0], clock)
