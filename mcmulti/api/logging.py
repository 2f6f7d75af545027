"""Log lines for requests, as JSON or for people, with what the request was about; and request durations."""

import asyncio
import json as lenient
import logging
import sys
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from hashlib import blake2b
from random import getrandbits
from typing import Any

import msgspec
import structlog
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from structlog.typing import EventDict, Processor, WrappedLogger

from mcmulti.api.http.failures import STOPPING
from mcmulti.metrics import NO_OPERATION, READERS, SECONDS, DurationTally, tally


class _Request(msgspec.Struct):
    """A request in progress: its known facts, the seconds that it waited for news, and who passes it on."""

    id: str
    scope: Scope
    passing: "RequestLog"
    facts: dict[str, Any] = {}
    waited: float = 0.0


_request: ContextVar[_Request | None] = ContextVar("request", default=None)


def note(**facts: Any) -> None:
    """Add fields to every line logged until the request ends. Does nothing outside of requests."""
    request = _request.get()
    if request is not None:
        request.facts.update(facts)


def request_id() -> str:
    """The id of the current request; empty outside of requests."""
    request = _request.get()
    return "" if request is None else request.id


@contextmanager
def waiting() -> Iterator[None]:
    """In the block, the request only waits for news, as the client asked: it is neither slow nor in progress."""
    request = _request.get()
    since = time.perf_counter()
    if request is not None:
        request.passing.under_way -= 1
    try:
        with READERS.labels("poll").track_inprogress():
            yield
    finally:
        if request is not None:
            request.passing.under_way += 1
            request.waited += time.perf_counter() - since


class RequestLog(ASGIMiddleware):
    """Adds the request and the game to every line logged during the request, and logs how the request ended.

    It logs requests that appended events, and `every` one if configured. It measures the duration of all of them.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, *, every: bool = False) -> None:
        self.under_way = 0
        """Requests without a response yet, except those that wait for news."""
        self.address_key: bytes | None = None
        """The key for the digests of client addresses; without one, lines leave them out."""
        self._every = every
        self._tallies: dict[tuple[object, int], DurationTally] = {}
        self._log = structlog.get_logger(__name__).bind()  # bound once: even a suppressed line costs a call

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on. Adds the response header ``X-Request-Id``.

        A request that is canceled before its response is answered that the server is stopping.
        """
        request_id = f"{getrandbits(128):032x}"  # an identifier, not a secret
        started = time.perf_counter()
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self.under_way -= 1
                self._measured(scope, status, time.perf_counter() - started - request.waited)
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        request = _Request(request_id, scope, self)
        facts = request.facts
        before = _request.set(request)
        self.under_way += 1
        try:
            await next_app(scope, receive, send_on)
        except asyncio.CancelledError:
            if status:
                raise
            await STOPPING(scope, receive, send_on)
        finally:
            if not status:
                self.under_way -= 1
            if (self._every or "events" in facts) and self._log.is_enabled_for(logging.INFO):
                client = scope.get("client")
                if client and self.address_key is not None:
                    told = blake2b(client[0].encode(), key=self.address_key, digest_size=8, person=b"address")
                    facts["address"] = told.hexdigest()
                self._log.info(
                    "request",
                    method=scope.get("method"),
                    path=scope["path"],
                    status=status,
                    milliseconds=round((time.perf_counter() - started) * 1000, 1),
                    **facts,
                )
            _request.reset(before)

    def _measured(self, scope: Scope, status: int, seconds: float) -> None:
        """Record a finished request."""
        handler: Any = scope.get("route_handler")
        kind = (handler, status)
        tallied = self._tallies.get(kind)
        if tallied is None:
            declared = None if handler is None else handler.opt.get("operation")
            tallied = tally(NO_OPERATION if declared is None else declared.id, f"{status // 100}xx")
            self._tallies[kind] = tallied
        tallied.counts[bisect_left(SECONDS, seconds)] += 1
        tallied.seconds += seconds


def configure(*, json: bool, level: str = "info", worker: int | None = None) -> None:
    """Send the log to standard error: one JSON object per line, or lines for people. Includes warnings of libraries.

    `level`: the lowest level to log: debug, info, warning, or error. Every line has the `worker`, if any. A line is
    written in one call, so that processes with the same standard error do not mix their lines.
    """
    grave = logging.getLevelNamesMapping()[level.upper()]
    render = _as_json if json else _as_text
    shared: list[Processor] = [_with_context(worker), structlog.processors.format_exc_info]
    structlog.configure(
        processors=[*shared, render],
        wrapper_class=structlog.make_filtering_bound_logger(grave),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    formatter = structlog.stdlib.ProcessorFormatter
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        formatter(
            processors=[formatter.remove_processors_meta, lambda *line: render(*line).decode()],
            foreign_pre_chain=shared,
        )
    )
    logging.basicConfig(handlers=[handler], level=max(logging.WARNING, grave))
    # It logs every connection attempt, several per second; requests without a connection are logged anyway.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


def unfiltered() -> structlog.typing.FilteringBoundLogger:
    """A logger that ignores the configured level, for the start and the end of a server."""
    wrapper = structlog.make_filtering_bound_logger(logging.NOTSET)
    logger: structlog.typing.FilteringBoundLogger = structlog.wrap_logger(None, wrapper_class=wrapper)
    return logger


def _with_context(worker: int | None) -> Processor:
    """Adds the fields of every line. It is one processor, since each would cost every request a call."""
    by = {} if worker is None else {"worker": worker}

    def add_context(_: WrappedLogger, level: str, line: EventDict) -> EventDict:
        told: EventDict = {**by, "level": level, "timestamp": datetime.now(UTC)}
        request = _request.get()
        if request is None:
            return {**line, **told}
        told["request_id"] = request.id
        game = request.scope.get("path_params", {}).get("game")
        if game is not None:
            told["game_id"] = game
        return {**told, **request.facts, **line}

    return add_context


_encode = msgspec.json.Encoder(enc_hook=str).encode


def _as_json(_: WrappedLogger, __: str, line: EventDict) -> bytes:
    try:
        return _encode(line)
    except UnicodeEncodeError:  # such as half a surrogate pair from a file name
        return lenient.dumps(line, default=str).encode()


def _as_text(_: WrappedLogger, __: str, line: EventDict) -> bytes:
    moment = line.pop("timestamp").isoformat(timespec="milliseconds").removesuffix("+00:00")
    exception = line.pop("exception", None)
    head = f"{moment}Z [{line.pop('level'):<8}] {line.pop('event'):<30}"
    text = " ".join([head, *(f"{name}={_shown(line[name])}" for name in sorted(line))]).rstrip()
    return (f"{text}\n{exception}" if exception else text).encode(errors="backslashreplace")


def _shown(fact: Any) -> str:
    """A field value for people, quoted if it would look like the next field or line."""
    if isinstance(fact, str) and (" " in fact or not fact.isprintable()):
        return repr(fact)
    return str(fact)
