"""The server: a log, the API over it, and the process around them."""

import asyncio
import errno
import gc
import logging
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import structlog
import uvicorn
from litestar.types import ASGIApp
from msgspec import Struct
from prometheus_client import CollectorRegistry

from mcmulti.api.admission.gate import EVERYBODY, Admission
from mcmulti.api.app import application
from mcmulti.api.service import Service
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.events.store import expiry
from mcmulti.events.store.expiry import ReceiptExpiry
from mcmulti.metrics import REGISTRY
from mcmulti.notify.running import notifying
from mcmulti.notify.settings import Notify
from mcmulti.referee import scrubber
from mcmulti.referee.scheduler import DeadlineScheduler
from mcmulti.referee.scrubber import Scrubber
from mcmulti.server.children.house import HouseCounts, house_bots
from mcmulti.server.children.painting import PaintingProcess
from mcmulti.server.children.reviews import Hints, ReviewCounts, reviewing
from mcmulti.server.connections import room_for_many
from mcmulti.server.database import POOL, connected, embedded, migrated, pool_share
from mcmulti.server.exposition import PATH, exposing, registry_of
from mcmulti.server.http_protocol import OtherUvicorn, Protocol, check_uvicorn, protocol_for
from mcmulti.server.running import ServerError
from mcmulti.server.sampling import sampled
from mcmulti.server.spans import sent
from mcmulti.supervision import repeating, running

GRACE = 1
"""Seconds for requests in progress when the server stops, so that a long poll does not delay it."""
KEEP_ALIVE = 75
"""Seconds that a connection may be idle between requests: longer than the minute after which proxies usually close one,
so that none is closed here while a request is on its way.
"""
SCRAPERS = 16
"""The most connections of an address to the metrics."""

_log = structlog.get_logger(__name__)


class Address(NamedTuple):
    """Where to listen; port 0: any free one."""

    host: str
    port: int


class Serving(Struct, frozen=True, kw_only=True):
    """How to serve. `workers`: in how many processes. `pool_size`: the connections of each to the database; None: as
    many as it can share, up to `POOL`. `json_lines`: log lines are JSON.

    `metrics`: where to expose them, if anywhere. `traces`: the URL that spans are sent to, if any. `house`: in how many
    games house bots may play. `reviews`: how many games are reviewed at a time. `notify`: how messages are sent to
    players, if at all.
    """

    host: str
    port: int
    admission: Admission = EVERYBODY
    workers: int = 1
    pool_size: int | None = None
    json_lines: bool = False
    log_level: str = "info"
    access_log: bool = False
    metrics: Address | None = None
    traces: str | None = None
    house: int = 0
    reviews: int = 0
    notify: Notify | None = None

    def answering(self, log: Log, listener: socket.socket) -> AbstractAsyncContextManager[str]:
        """Serve the API like this, as `answering` does."""
        return answering(
            log,
            listener,
            self.admission,
            access_log=self.access_log,
            house_bots=bool(self.house),
            makes_reviews=bool(self.reviews),
            notify=self.notify,
        )


async def serve(database: Path | str, how: Serving, announce: Callable[[str], None]) -> None:
    """Serve until canceled, in this process alone; `announce` receives the server's address when it answers.

    `database`: a folder for our own Postgres, or the address of another. Raises `ServerError`.
    """
    fitting()
    room_for_many()
    async with AsyncExitStack() as stack:
        stack.enter_context(sent(how.traces))
        listener = stack.enter_context(bound(how.host, how.port))
        counts, reviewed = HouseCounts(how.house), ReviewCounts()
        if how.metrics is not None:
            registry = registry_of(REGISTRY, lambda: {"1": os.getpid(), **counts.process}, counts, reviewed)
            await stack.enter_async_context(telling(registry, how.metrics))
        if isinstance(database, Path):
            database = await stack.enter_async_context(embedded(database))
        await migrated(database)
        size = POOL if how.pool_size is None else await pool_share(database, 1, how.pool_size)
        log = await stack.enter_async_context(connected(database, size))
        address = await stack.enter_async_context(how.answering(log, listener))
        await stack.enter_async_context(house_bots(log, address, counts))
        await stack.enter_async_context(reviewing(log, how.reviews, reviewed))
        await stack.enter_async_context(notifying(log, how.notify))
        settle()
        announce(address)
        await asyncio.Event().wait()


def fitting() -> None:
    """Raise `ServerError` unless this version can serve with the installed packages."""
    try:
        check_uvicorn()
    except OtherUvicorn as error:
        raise ServerError(str(error)) from error


@asynccontextmanager
async def telling(registry: CollectorRegistry, metrics: Address) -> AsyncIterator[str]:
    """Expose metrics at an address, while the block runs. Yields the address, which is logged. Raises `ServerError`."""
    with bound(metrics.host, metrics.port, "--metrics-address") as listener:
        protocol = protocol_for(Admission(connections=SCRAPERS), measured=False)
        async with _running(_Server(exposing(registry), protocol, lifespan="off"), listener):
            address = address_of(listener) + PATH
            _log.info("serving metrics", address=address)
            yield address


@contextmanager
def bound(host: str, port: int, option: str = "--port") -> Iterator[socket.socket]:
    """A socket bound to the port; port 0: to any free one. Raises `ServerError`, which names the option."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ServerError(f"Cannot listen on {host}: {error.strerror}.") from error
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            listener.listen()  # a socket that is only bound does not reserve the port
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ServerError(f"Port {port} of {host} is in use. Choose another one with {option}.") from error
            reason = os.strerror(error.errno or 0)
            raise ServerError(f"Cannot listen on port {port} of {host}: {reason}.") from error
        yield listener


@contextmanager
def bound_alike(host: str, port: int, number: int) -> Iterator[list[socket.socket]]:
    """N sockets on one port, over which the kernel distributes connections. Raises `ServerError`."""
    with ExitStack() as stack:
        listeners = [stack.enter_context(bound(host, port))]
        # Share the port only now, so that no other program's socket could get in between, and none of ours joins
        # another's.
        listeners[0].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        for _ in range(1, number):
            listener = stack.enter_context(socket.socket(listeners[0].family, listeners[0].type, listeners[0].proto))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            listener.bind(listeners[0].getsockname())
            listener.listen()
            listeners.append(listener)
        yield listeners


class _Server(uvicorn.Server):
    """Leaves the signals to `run`, and reports when it is up."""

    def __init__(self, app: ASGIApp, protocol: type[Protocol], **options: Any) -> None:
        config = uvicorn.Config(
            cast(Any, app),
            http=protocol,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            **options,
        )
        super().__init__(config)
        self.up = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


@asynccontextmanager
async def answering(
    log: Log,
    listener: socket.socket,
    admission: Admission = EVERYBODY,
    *,
    access_log: bool = False,
    house_bots: bool = False,
    makes_reviews: bool = False,
    notify: Notify | None = None,
) -> AsyncIterator[str]:
    """Serve the API over a log on a bound socket, while the block runs. Yields its address. Raises `ServerError`.

    `house_bots`: tables may ask for bots of the server. `makes_reviews`: players may ask for reviews. `notify`:
    players may add webhooks, which `notifying` sends to.
    """
    fitting()
    app = application(
        log, admission, access_log=access_log, house_bots=house_bots, makes_reviews=makes_reviews, notify=notify
    )
    app.state.service.hints = Hints() if makes_reviews else None
    with suppress(LogUnavailable):
        await app.state.service.clock.ask(log)
        app.state.requests.address_key = await app.state.service.referee.history.digest_key()
    server = _Server(
        app,
        protocol_for(admission),
        timeout_keep_alive=KEEP_ALIVE,
        proxy_headers=bool(admission.trusted_proxies),
        forwarded_allow_ips=list(admission.trusted_proxies),
    )
    async with PaintingProcess() as app.state.service.paint, _running(server, listener):
        try:
            service: Service = app.state.service
            receipts, chat = timedelta(days=admission.receipts), timedelta(days=admission.chat_days)
            old_chat = partial(expiry.forget_chat, log, service.clock, chat)
            old_tokens = partial(expiry.forget_tokens, log, service.clock)
            async with (
                service.clock.following(log),
                DeadlineScheduler(service.referee, log).running(),
                repeating("scrubber", Scrubber(service.referee, log).step, scrubber.PERIOD, LogUnavailable),
                repeating("expiry", ReceiptExpiry(log, receipts).step, expiry.PERIOD, LogUnavailable),
                repeating("chat_expiry", old_chat, expiry.CHAT_PERIOD, LogUnavailable, at_once=True),
                repeating("token_expiry", old_tokens, expiry.TOKEN_PERIOD, LogUnavailable, at_once=True),
                service.callers.listening(),
                running("readiness", service.readiness.run),
                sampled(app),
            ):
                yield address_of(listener)
        finally:
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # it would report every interrupted long poll
            app.state.service.stop()


@asynccontextmanager
async def _running(server: _Server, listener: socket.socket) -> AsyncIterator[None]:
    """Serve on a socket while the block runs."""
    task = asyncio.create_task(server.serve([listener]))
    task.add_done_callback(lambda _: server.up.set())  # do not wait for a server that failed
    try:
        await server.up.wait()
        yield
    finally:
        server.should_exit = True
        await task


def settle() -> None:
    """Exclude objects from the start from garbage collection, and let it run less often.

    States are trees without cycles; going through all cached ones takes tenths of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)


def address_of(listener: socket.socket) -> str:
    """The address of the server on this socket, for a client on this machine."""
    host, port = listener.getsockname()[:2]
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 # binds nothing
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"
