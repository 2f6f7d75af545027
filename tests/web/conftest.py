"""A browser for all tests of pages, and a server for each."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from socket import socket
from typing import NamedTuple, cast

import pytest
from httpx import AsyncClient
from litestar import Litestar
from playwright.async_api import Browser, async_playwright

from mcmulti.api.app import application
from mcmulti.api.service import Service
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server import process
from mcmulti.server.house import HouseCounts, house_bots
from mcmulti.server.process import answering, bound
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


class Place(NamedTuple):
    """Where servers run one after the other: on one port, so that what browsers cached stays valid for the next, and
    with routes and layers that are built once, which takes 0.1 s of CPU time.
    """

    listener: socket
    app: Litestar


@contextmanager
def _place() -> Iterator[Place]:
    with bound("127.0.0.1", 0) as listener:
        yield Place(listener, application(MemoryLog()))


@pytest.fixture(scope="session")
def place() -> Iterator[Place]:
    """The place of servers without bots."""
    with _place() as place:
        yield place


@pytest.fixture(scope="session")
def house_place() -> Iterator[Place]:
    """The place of servers with house bots."""
    with _place() as place:
        yield place


@asynccontextmanager
async def _answering(place: Place, log: MemoryLog, house_bots: bool = False) -> AsyncIterator[AsyncClient]:
    """A client of a server as after a start: everything that an application remembers is in its service."""

    def renewed(log: Log, *_: object, **__: object) -> Litestar:
        place.app.state["service"] = Service(log, house_bots=house_bots)
        return place.app

    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as changed:
            changed.setattr(process, "application", renewed)
            address = await stack.enter_async_context(answering(log, place.listener.dup(), house_bots=house_bots))
        yield await stack.enter_async_context(AsyncClient(base_url=address, verify=False))


@pytest.fixture
async def table(place: Place) -> AsyncIterator[Table]:
    """A server with a log in memory: `str(table.client.base_url)` is its address."""
    log = MemoryLog()
    async with _answering(place, log) as client:
        yield Table(client, cast(PostgresLog, log))  # it needs nothing that only some logs have


@pytest.fixture
async def house(house_place: Place) -> AsyncIterator[Table]:
    """A server with house bots that play."""
    log = MemoryLog()
    async with (
        _answering(house_place, log, house_bots=True) as client,
        house_bots(log, str(client.base_url), HouseCounts(5)),
    ):
        yield Table(client, cast(PostgresLog, log))
