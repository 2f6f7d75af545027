"""What browsers may do with responses: security headers on each, and access for pages of other origins (CORS).

Callers are identified by tokens that a page must hold, never by cookies, so a page cannot act for a visitor who did not
give it one. The API is open to all pages, or to those that the operator names. Litestar's own middleware replaces our
`Vary`, and responds without a problem.
"""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.failures import answer_problem

GUARDED = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Referrer-Policy": "no-referrer",
}
"""The headers of every response. Opened as a page, it is what its media type says, loads nothing, and runs nothing.
Pictures may style themselves. Links do not reveal where they came from.
"""
POLICY = "Cross-Origin-Resource-Policy"
"""Whether other origins may embed a response, such as an image, without CORS. The header cannot name one of them."""

METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"
HEADERS = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
"""The request headers that a page may send."""
MAX_AGE = 7200
"""Seconds for which a browser may cache the permission: browsers allow no more."""

_EXPOSED = (b"access-control-expose-headers", b"*")
_GUARDED = [(name.lower().encode(), value.encode()) for name, value in GUARDED.items()]
_TO_ALL = [
    *_GUARDED,
    (POLICY.lower().encode(), b"cross-origin"),
    (b"access-control-allow-origin", b"*"),
    _EXPOSED,
]
_TO_OURS = [*_GUARDED, (POLICY.lower().encode(), b"same-origin")]


def for_browsers(app: ASGIApp, origins: tuple[str, ...] | None) -> ASGIApp:
    """Wrap the application for pages of these origins: None for all.

    It wraps everything else, so that problems and streams are protected and readable too.
    """
    named = None if origins is None else frozenset(origin.encode() for origin in origins)

    def told(scope: Scope) -> list[tuple[bytes, bytes]]:
        if named is None:
            return _TO_ALL
        origin = next((value for name, value in scope["headers"] if name == b"origin"), b"")
        return [*_TO_OURS, (b"access-control-allow-origin", origin), _EXPOSED] if origin in named else _TO_OURS

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        headers = told(scope)
        started = False

        async def send_on(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                sent = _with_policy([*message["headers"]], headers)
                message["headers"] = _varying(sent) if named else sent
            await send(message)

        asked = origins != () and scope["method"] == "OPTIONS" and any(name == _METHOD for name, _ in scope["headers"])
        try:
            await (_PREFLIGHT if asked else app)(scope, receive, send_on)
        except Exception as error:
            if started:
                raise
            await answer_problem(error)(scope, receive, send_on)  # the framework's response would not be a problem

    return answer


_POLICY = b"content-security-policy"
_METHOD = b"access-control-request-method"
_PREFLIGHT = Answer(
    status_code=204,
    headers={
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": HEADERS,
        "Access-Control-Max-Age": str(MAX_AGE),
    },
)


def _with_policy(sent: list[tuple[bytes, bytes]], told: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """All headers of a response. A page sets its own policy."""
    if _POLICY in [name for name, _ in sent]:
        told = [header for header in told if header[0] != _POLICY]
    return [*sent, *told]


def _varying(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of a response that depends on the origin too."""
    vary = [value for name, value in headers if name == b"vary"]
    return [*(header for header in headers if header[0] != b"vary"), (b"vary", b", ".join([*vary, b"Origin"]))]
