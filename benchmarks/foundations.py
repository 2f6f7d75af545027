"""Our replacements of parts of Litestar and uvicorn, beside those parts: why they are not handed back.

For Litestar, whole requests are handled in one process without a socket, with everything else equal. For uvicorn,
servers in processes of their own respond with the same bytes. The figure is the processor time of a request, which
other work on the machine hardly changes. ``python -m benchmarks.foundations PROTOCOL PORT`` is such a server.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from itertools import repeat
from time import process_time
from typing import Annotated, Any
from uuid import UUID

import uvicorn
from litestar import Litestar, Request, Response, asgi, get, post
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.datastructures.headers import Accept
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Struct

from benchmarks.commands import HOST, WARM_UP
from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.processes import free_port, module, running
from benchmarks.scale import Scale
from mcmulti.api.admission.gate import EVERYBODY, Admission
from mcmulti.api.admission.rates import RateLimits
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.browsers import for_browsers
from mcmulti.api.http.contract import Call, answer, operation
from mcmulti.api.http.direct import Direct
from mcmulti.api.http.received import Heads, accepted
from mcmulti.api.service import Service
from mcmulti.cli.bench import processors
from mcmulti.cli.bench.load import load, reading
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.http_protocol import Gathering, protocol_for

ORIGIN = "https://example.org"
LARGE = b'{"seat":1,"cash":20,"name":"Ada"},' * 600
SMALL = LARGE[:1500]
OFFERED = ("application/json", "text/event-stream", "application/x-ndjson")
ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
_GAME = "00000000-0000-4000-8000-000000000001"


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A query."""

    dry_run: bool = False


class Sent(Struct, frozen=True, forbid_unknown_fields=True):
    """A body."""

    commands: list[dict[str, str]]


class Told(Struct, frozen=True):
    """A response."""

    game: UUID
    commands: int


@post("/bound/{game:uuid}", status_code=200)
async def bound_by_litestar(
    game: FromPath[UUID],
    data: JSONBody[Sent],
    if_match: Annotated[str | None, HeaderParameter(name="If-Match")] = None,
    dry_run: FromQuery[bool] = False,
) -> Told:
    return Told(game, len(data.commands))


@operation("POST", "/bound/{game}", tag="play", summary="Bound", answer=Told)
async def bound_by_us(call: Call, game: UUID, query: Asked, body: Sent, if_match: Heads | None) -> Answer:
    """Accept everything that a request may hold."""
    return answer(Told(game, len(body.commands)))


@get("/small")
async def small() -> Response[bytes]:
    return Response(SMALL, media_type="application/json")


@get("/large")
async def large() -> Response[bytes]:
    return Response(LARGE, media_type="application/json")


@asgi("/large", copy_scope=False)
async def large_by_us(scope: Scope, receive: Receive, send: Send) -> None:
    await Answer(LARGE)(scope, receive, send)


def _plain(*handlers: Any, **more: Any) -> Litestar:
    return Litestar([*handlers], openapi_config=None, logging_config=None, **more)


def _requests() -> dict[str, tuple[ASGIApp, ASGIApp, Scope, bytes]]:
    """By purpose: ours, Litestar's, and the request that both get."""
    service = Service(MemoryLog())
    sent = b'{"commands":[{"type":"RollDice"}]}'
    limits = RateLimits(Admission(rate_limit="1000/second"), service)
    bound = _scope("POST", f"/bound/{_GAME}", b"dry_run=true", content_type="application/json", if_match='"1-ab"')
    return {
        "binding": (
            _plain(bound_by_us, middleware=[Direct()], state=State({"service": service})),
            _plain(bound_by_litestar),
            bound,
            sent,
        ),
        "compression": (
            _plain(large_by_us),
            _plain(large, compression_config=CompressionConfig(backend="gzip", gzip_compress_level=6)),
            _scope("GET", "/large", accept_encoding="gzip, deflate, br"),
            b"",
        ),
        "CORS": (
            for_browsers(_plain(small), (ORIGIN,)),
            _plain(small, cors_config=CORSConfig(allow_origins=[ORIGIN], expose_headers=["*"])),
            _scope("GET", "/small", origin=ORIGIN),
            b"",
        ),
        "limits": (
            _plain(small, middleware=[limits]),
            _plain(small, middleware=[RateLimitConfig(("second", 1000)).middleware]),
            _scope("GET", "/small"),
            b"",
        ),
    }


def _scope(method: str, path: str, query: bytes = b"", **headers: str) -> Scope:
    scope: Any = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        "client": (HOST, 1),
        "server": (HOST, 80),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
        "asgi": {"version": "3.0"},
    }
    checked: Scope = scope
    return checked


async def answered(app: ASGIApp, scope: Scope, body: bytes = b"") -> list[Any]:
    """The messages of an application's response."""
    messages: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        messages.append(message)

    copied: Any = {**scope, "state": {}}
    await app(copied, receive, send)
    return messages


PARTS = ("binding", "compression", "CORS", "limits")
OURS = {part: Figure(f"{part}: ours", "µs") for part in (*PARTS, "negotiation")}
LITESTARS = {part: Figure(f"{part}: Litestar's", "µs") for part in (*PARTS, "negotiation")}
PROTOCOLS = ("uvicorn's", "uvicorn's, one write", "ours")
WIRE = {name: Figure(f"HTTP protocol: {name}", "µs") for name in PROTOCOLS}
AIMS = (
    *(Aim(f"{part}: ours / Litestar's", OURS[part], (LITESTARS[part],), "under", 1) for part in OURS),
    Aim("HTTP protocol: one write / two", WIRE["uvicorn's, one write"], (WIRE["uvicorn's"],), "under", 1),
    Aim("HTTP protocol: ours / uvicorn's", WIRE["ours"], (WIRE["uvicorn's"],), "under"),
    Aim("HTTP protocol: ours / uvicorn's, one write", WIRE["ours"], (WIRE["uvicorn's, one write"],), "under"),
)


async def _parts(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    seconds = scale.seconds / 5

    async def measure() -> Taken:
        taken = {}
        for part, (ours, litestars, scope, body) in _requests().items():
            for figure, app in ((OURS[part], ours), (LITESTARS[part], litestars)):
                status = (await answered(app, scope, body))[0]["status"]
                if status != 200:
                    raise AssertionError(f"{figure.what}: {status}")
                taken[figure] = await _each(partial(answered, app, scope, body), seconds)
        asked = _scope("GET", "/", accept=ACCEPT)
        taken[OURS["negotiation"]] = await _each(partial(_negotiated, asked), seconds)
        taken[LITESTARS["negotiation"]] = await _each(partial(_best_match, asked), seconds)
        return taken

    return [measure]


async def _negotiated(scope: Scope) -> None:
    accepted(Request(scope), OFFERED)


async def _best_match(scope: Scope) -> None:
    Accept(Request(scope).headers["accept"]).best_match([*OFFERED])


async def _each(work: Callable[[], Awaitable[object]], seconds: float) -> float:
    """Microseconds of one piece of work, repeated for this long."""
    start, done = process_time(), 0
    while (took := process_time() - start) < seconds:
        await work()
        done += 1
    return 1e6 * took / done


async def _protocols(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    measures: list[Measure] = []
    for name, figure in WIRE.items():
        port = free_port()
        process = exits.enter_context(running(module("benchmarks.foundations", name, str(port)), port, "/"))
        measures.append(partial(_worked, process, port, figure, scale.seconds))
    return measures


LEAST = 0.1
"""Seconds of processor time that a measurement takes at least: the kernel counts hundredths."""


async def _worked(process: int, port: int, figure: Figure, seconds: float) -> Taken:
    """Microseconds that a server works for a request, with 16 clients."""
    clients = [repeat(reading("/"))] * 16
    await load(HOST, port, clients, WARM_UP)
    before, spent, answers = processors.seconds([process])[process], 0.0, 0
    while spent < LEAST:
        answers += (await load(HOST, port, clients, seconds)).answers
        spent = processors.seconds([process])[process] - before
    return {figure: 1e6 * spent / answers}


ITEMS = (
    Item("litestar", _parts, (*OURS.values(), *LITESTARS.values())),
    Item("uvicorn", _protocols, tuple(WIRE.values())),
)


async def _small_answer(scope: Any, receive: Any, send: Any) -> None:
    await Answer(SMALL[:1200])(scope, receive, send)


def one_write() -> type[asyncio.Protocol]:
    """uvicorn's protocol, any version, on a transport that gathers: this only uses documented features of asyncio."""
    config = uvicorn.Config(_small_answer, http="httptools", ws="none", log_config=None)
    config.load()
    theirs: Any = config.http_protocol_class

    class OneWrite(theirs):  # type: ignore[misc]
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(Gathering(transport, asyncio.get_running_loop()))

    return OneWrite


def main(protocol: str, port: str) -> None:
    """Serve until stopped."""
    known: dict[str, Any] = {
        "uvicorn's": lambda: "httptools",
        "uvicorn's, one write": one_write,
        "ours": partial(protocol_for, EVERYBODY),
    }
    uvicorn.run(
        _small_answer,
        port=int(port),
        loop="uvloop",
        http=known[protocol](),
        ws="none",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
