"""uvicorn's HTTP protocol, with four differences.

- The head and the body of a response are sent in one piece. Two pieces would be two system calls, and would wake the
  client twice. The transport that combines them uses no internals of uvicorn; the rest does.
- A client's offer to upgrade from HTTP/1.1 is ignored, as RFC 9110 (7.8) allows. httptools treats it as accepted,
  loses the body, and reads what follows as the next request (https://github.com/Kludex/uvicorn/issues/2722).
- A malformed request is answered with a problem, after the responses to earlier ones, and nothing after it is read.
- Requests have limits of time and size, responses must be taken in time, and the number of connections is limited.
"""

import asyncio
from collections import Counter
from typing import Any, Literal, cast

import httptools
import structlog
import uvicorn
from litestar.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from mcmulti.api.admission.gate import Admission
from mcmulti.api.http.browsers import for_browsers
from mcmulti.api.http.failures import answer_problem
from mcmulti.api.http.problems import ApiError
from mcmulti.server.connections import Connections

MOST_TARGET = 8_192
"""The most characters of a request target."""
MOST_HEAD = 65_536
"""The most bytes of a head."""
MOST_FRAMING = 65_536
"""The most bytes of a chunked body in addition to twice its content: sizes, extensions, trailers."""

STALLED = 60.0
"""Seconds after which a client that takes nothing of its response is disconnected."""

_Awaited = Literal["request", "head", "body"]
_SECONDS: dict[_Awaited, float] = {"request": 20.0, "head": 20.0, "body": 60.0}
"""Seconds until the first byte on a new connection, until a head is complete, and until its body is."""

_ONCE = frozenset(
    (b"authorization", b"content-type", b"host", b"idempotency-key", b"last-event-id", b"transfer-encoding")
)
"""Headers whose repetition different parsers could read differently."""

UVICORN = "0.54"
"""The uvicorn version that this protocol is written for, ignoring patch releases: it depends on internals."""

_log = structlog.get_logger(__name__)


class OtherUvicorn(Exception):
    """The installed uvicorn is not the one that this protocol is written for. The message is a sentence."""


def check_uvicorn() -> None:
    """Raise `OtherUvicorn` unless the protocol fits the installed uvicorn."""
    if ".".join(uvicorn.__version__.split(".")[:2]) != UVICORN:
        raise OtherUvicorn(
            f"This build speaks HTTP through uvicorn {UVICORN}, and uvicorn {uvicorn.__version__} is installed: "
            f"pip install 'uvicorn=={UVICORN}.*'."
        )


class Protocol(HttpToolsProtocol):
    """uvicorn's protocol, on a transport that combines writes."""

    held: Connections

    def readable(self, answer: ASGIApp) -> ASGIApp:
        """A response with headers for browsers."""
        return answer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        gathering = Gathering(cast(asyncio.Transport, transport), self.loop)
        self._head = 0
        self._over = False
        self._body = False
        self._framing = 0
        self._awaited: _Awaited | None = None
        self._late: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        super().connection_made(cast(asyncio.Transport, gathering))
        self._caller = self.held.accept(transport)
        if self._caller is None:
            self._over = True
            cast(asyncio.Transport, transport).abort()
        else:
            self._wait("request")

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place."""
        for timer in (self._late, self._stalled):
            if timer is not None:
                timer.cancel()
        if self._caller is not None:
            self.held.release(self._caller)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client takes less than is sent. Disconnect it unless it takes some of that in time."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has taken most of it."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def data_received(self, data: bytes) -> None:
        """Continue with a request, or with the next ones."""
        self._unset_keepalive_if_required()
        if self._over:
            return
        if self._body:
            self._framing += len(data)  # minus what turns out to be content, counted twice
        rest = memoryview(data)
        while True:
            try:
                self.parser.feed_data(rest)
            except httptools.HttpParserUpgrade as offer:
                rest = rest[offer.args[0] :]
            except httptools.HttpParserError as error:
                self._refuse(_reason(error))
                return
            else:
                break
            if not self._continued():
                return
        scope: Any = self.scope  # None before the first request
        if self._body and self._framing > MOST_FRAMING:
            self._refuse(ApiError("bad_request", f"The chunk framing of the body exceeds {MOST_FRAMING} bytes."))
        elif scope is None or "method" in scope:
            self._head = 0
            self._wait("body" if self._body else None)
        else:  # the first piece may contain the end of another request
            self._head += len(data) if self._head else 1
            if self._head > MOST_HEAD:
                self._refuse(_too_long(self.url))
            else:
                self._wait("head")

    def _wait(self, what: _Awaited | None) -> None:
        """Start the timeout for this, unless it is running already."""
        if what == self._awaited:
            return
        if self._late is not None:
            self._late.cancel()
        self._awaited = what
        self._late = None if what is None else self.loop.call_later(_SECONDS[what], self._hang_up)

    def _hang_up(self) -> None:
        """What was awaited did not arrive in time."""
        if self._over or self.transport.is_closing():
            return
        if self._awaited == "request":
            self.transport.close()
        else:
            self._refuse(ApiError("request_timeout", f"The {self._awaited} of the request did not arrive in time."))

    def _continued(self) -> bool:
        """Parse the head of a request again without its upgrade. Returns whether that was possible."""
        method = self.parser.get_method()
        if method == b"CONNECT":
            self._refuse(
                ApiError("method_not_allowed", "This server is not a proxy.", {"Allow": "GET, HEAD, OPTIONS, POST"})
            )
            return False
        head = [b"%b %b HTTP/%b" % (method, self.url, self.parser.get_http_version().encode())]
        head += [b"%b: %b" % header for header in self.scope["headers"] if header[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # like uvicorn
        try:
            self.parser.feed_data(b"\r\n".join([*head, b"", b""]))
        except httptools.HttpParserError as error:
            self._refuse(_reason(error))
            return False
        return True

    def _should_upgrade(self) -> bool:
        """For uvicorn, every upgrade is accepted, so that it leaves such a request to us."""
        return True

    def on_headers_complete(self) -> None:
        """Start the request, if it can be read in only one way."""
        headers = dict(self.headers)
        if len(headers) < len(self.headers):
            twice = Counter(name for name, _ in self.headers if name in _ONCE).most_common(1)
            if twice and twice[0][1] > 1:
                raise ApiError("bad_request", f"The header {twice[0][0].decode().title()} appears twice.")
        version = self.parser.get_http_version()
        if version not in ("1.1", "1.0"):
            raise ApiError("bad_request", f"HTTP {version} is not supported. Use HTTP/1.1 or HTTP/1.0.")
        if version == "1.1" and b"host" not in headers:
            raise ApiError("bad_request", "The Host header is missing.")
        if version == "1.0" and b"transfer-encoding" in headers:
            raise ApiError("bad_request", "HTTP/1.0 does not support Transfer-Encoding.")
        if headers.get(b"transfer-encoding", b"chunked").lower() != b"chunked":
            raise ApiError("bad_request", "The only supported transfer coding is chunked.")
        sizes = sum(len(name) + len(value) for name, value in self.headers)
        if len(self.url) > MOST_TARGET or len(self.url) + sizes > MOST_HEAD:
            raise _too_long(self.url)
        self._body = True
        self._framing = 0
        super().on_headers_complete()
        self.headers = []  # of trailers, which must not become headers of a request in progress

    def on_body(self, body: bytes) -> None:
        """Receive a piece of the content."""
        self._framing -= 2 * len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete."""
        self._body = False
        super().on_message_complete()

    def _refuse(self, reason: ApiError) -> None:
        """Respond with a problem when all earlier requests are answered, and close."""
        self._over = True
        _log.info("no request", code=reason.problem.code, reason=str(reason))
        refusal = self.readable(answer_problem(reason))
        begun = cast(Any, self.scope) or {}
        told = RequestResponseCycle(
            scope=cast(Any, {"type": "http", "headers": [], **begun, "method": "GET"}),
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=False,
            on_response=self.on_response_complete,
        )
        last = cast(RequestResponseCycle | None, self.cycle)
        self.cycle = told
        broken = last is not None and last.scope is self.scope and last.more_body
        if last is None or (last.response_complete and not broken):
            self._start_asgi_task(told, cast(Any, refusal))
        elif broken and last.response_started:
            self.transport.close()  # it has its response, or the start of it
        elif not broken:
            self.pipeline.appendleft((told, cast(Any, refusal)))
        elif self.pipeline:
            self.pipeline[0] = (told, cast(Any, refusal))
        else:
            last.disconnected = True  # its handler waits for the rest
            last.message_event.set()
            self._start_asgi_task(told, cast(Any, refusal))


def protocol_for(admission: Admission, *, measured: bool = True) -> type[Protocol]:
    """The HTTP protocol with an admission policy; `measured`: whether its connections count in metrics."""

    class Admitting(Protocol):
        held = Connections(admission, measured=measured)

        def readable(self, answer: ASGIApp) -> ASGIApp:
            return for_browsers(answer, admission.origins)

    return Admitting


def _reason(error: httptools.HttpParserError) -> ApiError:
    """Why the parser failed."""
    match error:
        case httptools.HttpParserCallbackError(__context__=ApiError() as reason):
            return reason
        case httptools.HttpParserInvalidMethodError():
            return ApiError("bad_request", "The request does not start with a known method.")
        case httptools.HttpParserInvalidURLError() | httptools.HttpParserCallbackError():
            return ApiError("bad_request", "Malformed request target. Percent-encode non-ASCII characters.")
    return ApiError("bad_request", f"{error}.")


def _too_long(url: bytes) -> ApiError:
    if len(url) > MOST_TARGET:
        return ApiError("target_too_long", f"The request target is longer than {MOST_TARGET} characters.")
    return ApiError("head_too_large", f"The request headers are larger than {MOST_HEAD} bytes.")


class Gathering:
    """A transport that holds what is written until the next piece comes, or until the next turn of the loop."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send it with what is held, or hold it if nothing is."""
        if self._held:
            self._held += data
            self._send()
        else:
            self._held = data
            self._loop.call_soon(self._send)

    def close(self) -> None:
        """Send what is held, and close."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        held, self._held = self._held, b""
        if held and not self._transport.is_closing():
            self._transport.write(held)
