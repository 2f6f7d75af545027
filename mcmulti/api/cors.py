"""Web pages of other origins (CORS): all may use the API, or those that the operator names.

Callers are known by tokens that a page has to hold, never by cookies, so no page can act for a visitor who did not
hand it one. Litestar's own middleware puts its `Vary` in the place of ours, and answers without a problem.
"""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.answers import Answer

METHODS = "GET, HEAD, OPTIONS, POST"
HEADERS = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
"""What a page may send."""
MAX_AGE = 7200
"""Seconds that a browser need not ask again: more than that, browsers do not take."""

_EXPOSED = (b"access-control-expose-headers", b"*")
_ANY = [(b"access-control-allow-origin", b"*"), _EXPOSED]


def cross_origin(app: ASGIApp, origins: tuple[str, ...] | None) -> ASGIApp:
    """The application for pages of these origins: None for all of them.

    It stands around everything else, so that problems and streams can be read as well.
    """
    named = None if origins is None else frozenset(origin.encode() for origin in origins)

    def told(scope: Scope) -> list[tuple[bytes, bytes]]:
        if named is None:
            return _ANY
        origin = next((value for name, value in scope["headers"] if name == b"origin"), b"")
        return [(b"access-control-allow-origin", origin), _EXPOSED] if origin in named else []

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        headers = told(scope)

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = [*message["headers"], *headers]
                message["headers"] = sent if named is None else _varying(sent)
            await send(message)

        asked = scope["method"] == "OPTIONS" and any(name == _METHOD for name, _ in scope["headers"])
        await (_PREFLIGHT if asked else app)(scope, receive, send_on)

    return app if origins == () else answer


_METHOD = b"access-control-request-method"
_PREFLIGHT = Answer(
    status_code=204,
    headers={
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": HEADERS,
        "Access-Control-Max-Age": str(MAX_AGE),
    },
)


def _varying(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of an answer that depends on the origin too."""
    vary = [value for name, value in headers if name == b"vary"]
    return [*(header for header in headers if header[0] != b"vary"), (b"vary", b", ".join([*vary, b"Origin"]))]
