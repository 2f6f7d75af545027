"""Applications without limits, used again by one server after the other: building routes takes 0.1 s of CPU time."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from socket import socket

import pytest
from httpx import ASGITransport, AsyncClient
from litestar import Litestar

from mcmulti.api.app import application
from mcmulti.api.service import Service
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server import process
from tests.api.guests import Table

_FREE: list[Litestar] = []


@contextmanager
def application_of(service: Service) -> Iterator[Litestar]:
    """An application as after a start: everything that it remembers is in its service."""
    app = _FREE.pop() if _FREE else application(MemoryLog())
    app.state["service"] = service
    try:
        yield app
    finally:
        _FREE.append(app)


@asynccontextmanager
async def table_of(service: Service, log: PostgresLog) -> AsyncIterator[Table]:
    """A table of guests who reach the service, which keeps its games in the log, in this process."""
    with application_of(service) as app:
        transport = ASGITransport(app)  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            yield Table(client, log)


@asynccontextmanager
async def answering_again(log: Log, listener: socket, *, house_bots: bool = False) -> AsyncIterator[str]:
    """A server on a socket, as `answering` of the package: its address."""

    def served(log: Log, *_: object, **__: object) -> Litestar:
        return stack.enter_context(application_of(Service(log, house_bots=house_bots)))

    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as changed:
            changed.setattr(process, "application", served)
            address = await stack.enter_async_context(process.answering(log, listener, house_bots=house_bots))
        yield address


def application_behind(table: Table) -> Litestar:
    """The application that the guests of a table reach in this process."""
    app: Litestar = table.client._transport.app  # type: ignore[attr-defined]
    return app
