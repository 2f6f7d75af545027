"""Headers of requests and responses."""

from typing import Any

from mcmulti.api.caching.tags import LONGEST
from mcmulti.api.http.browsers import GUARDED, POLICY

_ETAG = '^"[0-9]{1,10}-[0-9a-f]{64}(;[0-9a-z-]+)*"$'
_TAGS = r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$'
OF_KEYS = ("key_reused", "weak_key")
"""The codes with status 422 for an idempotency key."""
EVERYWHERE = (
    "X-Request-Id",
    *GUARDED,
    POLICY,
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "Vary",
)
LIMITED = ("RateLimit", "RateLimit-Policy")
BY_STATUS = {
    401: ("WWW-Authenticate",),
    412: ("ETag",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
"""Headers of problems, by status."""


def _header(description: str, **schema: Any) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string", **schema}}


REQUEST: dict[str, dict[str, Any]] = {
    "If-Match": _header(
        "The `ETag` you decided on. If the game has moved on, the request is refused with 412. Any "
        "`ETag` of this "
        "position works, including weak ones (`W/`), lists, and `*`.",
        pattern=_TAGS,
        maxLength=LONGEST,
    ),
    "If-None-Match": _header(
        "One or more `ETag`s that you have cached. If one is current, the response is 304 without a body.",
        pattern=_TAGS,
        maxLength=LONGEST,
    ),
    "Idempotency-Key": _header(
        "A unique key for this request. If you repeat the request with it, you get the first response again.",
        pattern="^[!-~]{1,255}$",
    ),
    "Last-Event-ID": _header(
        "The last id you received. The stream continues after it.", pattern="^[0-9]{1,13}(-[0-9a-f]{64})?$"
    ),
}
"""Request headers by name; all are optional."""

HEADERS: dict[str, dict[str, Any]] = {
    "ETag": _header(
        "The game's head (number and hash of its last event), then what else the response depends "
        "on: format, language, the reader's seat, and content coding.",
        pattern=_ETAG,
    ),
    "Location": _header("URL of the new game.", format="uri-reference"),
    "Idempotent-Replayed": _header(
        "Present if this is the first response again: the request was not carried out twice.", enum=["true"]
    ),
    "Content-Disposition": _header("File name.", pattern='^attachment; filename="[0-9A-Za-z.-]+"$'),
    "Content-Security-Policy": _header(
        "Opened as a page, a response loads and runs nothing. Pictures contain their own styles. Where "
        "the response is a page (`text/html`), it loads and runs only files of this server.",
        pattern="^default-src 'none'; [ -~]+$",
    ),
    "X-Content-Type-Options": _header(
        "Browsers do not guess another media type.", enum=[GUARDED["X-Content-Type-Options"]]
    ),
    "Referrer-Policy": _header("Browsers send no referrer when following a link.", enum=[GUARDED["Referrer-Policy"]]),
    POLICY: _header(
        "Whether pages of other origins may embed the response. `same-origin` if the operator restricts origins.",
        enum=["cross-origin", "same-origin"],
    ),
    "Access-Control-Allow-Origin": _header(
        "Which pages may read the response: `*`, or the request's `Origin` if the operator names the "
        "origins. Missing for other origins. Preflight requests (`OPTIONS`) get 204 and what is allowed.",
        pattern=r"^(\*|[!-~]+)$",
    ),
    "Access-Control-Expose-Headers": _header(
        "Pages that may read the response may also read all of its headers. Missing for other origins.", enum=["*"]
    ),
    "Vary": _header(
        "The request headers that the response depends on, for caches. Missing if it depends on none.",
        pattern="^[A-Z][A-Za-z-]*(, [A-Z][A-Za-z-]*)*$",
    ),
    "X-Accel-Buffering": _header(
        "Present if the response is sent in pieces, which proxies such as nginx must pass on at once.", enum=["no"]
    ),
    "Cache-Control": _header(
        "How long the response may be cached. The past of a game may be cached forever.", pattern="^[a-z0-9=, -]+$"
    ),
    "X-Request-Id": _header("Identifies the request in the server's log.", pattern="^[0-9a-f]{32}$"),
    "RateLimit": _header(
        'What is left of each quota: `"requests";r=<requests>;t=<seconds>`, and of processor time '
        '`"processor_ms";r=<milliseconds>;t=<seconds>`. Missing if the server sets no limits.',
        pattern='^"[a-z_]+";r=[0-9]+;t=[0-9]+(, "[a-z_]+";r=[0-9]+;t=[0-9]+)*$',
    ),
    "RateLimit-Policy": _header(
        'The limits: `"requests";q=<requests>;w=<seconds>`, and of processor time '
        '`"processor_ms";q=<milliseconds>;w=<seconds>`. Missing if the server sets none.',
        pattern='^"[a-z_]+";q=[0-9]+;w=[0-9]+(, "[a-z_]+";q=[0-9]+;w=[0-9]+)*$',
    ),
    "Retry-After": _header("Seconds to wait before you retry.", pattern="^[0-9]{1,5}$"),
    "WWW-Authenticate": _header("How to authenticate.", enum=["Bearer"]),
}
"""Response headers by name."""

ANNOUNCED: dict[str, dict[str, Any]] = {
    "Deprecation": _header(
        "Since when the operation is deprecated, in seconds since 1970 (RFC 9745).", pattern="^@[0-9]+$"
    ),
    "Sunset": _header(
        "The operation does not go before this time (RFC 8594).",
        pattern="^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$",
    ),
}
"""Response headers of deprecated operations."""


def headers(*names: str) -> dict[str, Any]:
    """References to response headers."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
