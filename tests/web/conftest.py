"""A browser for all tests of pages, and a server for each."""

from collections.abc import AsyncIterator, Iterator
from socket import socket
from typing import cast

import pytest
from httpx import AsyncClient
from playwright.async_api import Browser, async_playwright

from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.children.house import HouseCounts, house_bots
from mcmulti.server.process import bound
from tests.api.applications import answering_again
from tests.api.guests import Table
from tests.needs import found

NEEDLESS = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),  # two of Chromium's own pages, loaded behind every window
    "SpareRendererForSitePerProcess",
)
"""Features of Chromium that cost more than the pages under test."""
OTHERS = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
    "PreconnectToSearch",
)
"""Playwright's own list: Chromium obeys only the last of several lists, so ours repeats it."""


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Debian's Chromium. Tests that use it are marked to need it."""
    async with async_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        flags += ["--host-resolver-rules=MAP lan.test 127.0.0.1"]  # another machine, as far as a browser can tell
        flags += [f"--disable-features={','.join(NEEDLESS + OTHERS)}"]
        chromium = await playwright.chromium.launch(executable_path=found("chromium"), args=flags)
        yield chromium
        await chromium.close()


@pytest.fixture(scope="session")
def listener() -> Iterator[socket]:
    """One port for all servers of a session, one after the other: what browsers cached stays valid for the next."""
    with bound("127.0.0.1", 0) as listener:
        yield listener


@pytest.fixture(scope="session")
def house_listener() -> Iterator[socket]:
    """One port for all servers with house bots, which may run beside another server."""
    with bound("127.0.0.1", 0) as listener:
        yield listener


@pytest.fixture
async def table(listener: socket) -> AsyncIterator[Table]:
    """A server with a log in memory: `str(table.client.base_url)` is its address."""
    log = MemoryLog()
    async with answering_again(log, listener.dup()) as address, AsyncClient(base_url=address, verify=False) as client:
        yield Table(client, cast(PostgresLog, log))  # it needs nothing that only some logs have


@pytest.fixture
async def house(house_listener: socket) -> AsyncIterator[Table]:
    """A server with house bots that play."""
    log = MemoryLog()
    async with (
        answering_again(log, house_listener.dup(), house_bots=True) as address,
        AsyncClient(base_url=address) as client,
        house_bots(log, address, HouseCounts(5)),
    ):
        yield Table(client, cast(PostgresLog, log))
