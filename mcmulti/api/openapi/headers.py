"""Headers of requests and responses."""

from typing import Any

from mcmulti.api.caching.tags import LONGEST
from mcmulti.api.http.browsers import GUARDED, POLICY

_ETAG = '^"[0-9]{1,10}-[0-9a-f]{64}(;[0-9a-z-]+)*"$'
_TAGS = r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$'

OF_KEYS = ("key_reused", "weak_key")
"""The codes with status 422 for an idempotency key."""

REQUEST: dict[str, dict[str, Any]] = {
    "If-Match": {
        "description": "The `ETag` you decided on. If the game has moved on, the request is refused with 412. Any "
        "`ETag` of this "
        "position works, including weak ones (`W/`), lists, and `*`.",
        "schema": {"type": "string", "pattern": _TAGS, "maxLength": LONGEST},
    },
    "If-None-Match": {
        "description": "One or more `ETag`s that you have cached. If one is current, the response is 304 without a "
        "body.",
        "schema": {"type": "string", "pattern": _TAGS, "maxLength": LONGEST},
    },
    "Idempotency-Key": {
        "description": "A unique key for this request. If you repeat the request with it, you get the first response "
        "again.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
    "Last-Event-ID": {
        "description": "The last id you received. The stream continues after it.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,13}(-[0-9a-f]{64})?$"},
    },
}
"""Request headers by name; all are optional."""

HEADERS: dict[str, dict[str, Any]] = {
    "ETag": {
        "description": "The game's head (number and hash of its last event), then what else the response depends "
        "on: format, language, the reader's seat, and content coding.",
        "schema": {"type": "string", "pattern": _ETAG},
    },
    "Location": {
        "description": "URL of the new game.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Idempotent-Replayed": {
        "description": "Present if this is the first response again: the request was not carried out twice.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Content-Disposition": {
        "description": "File name.",
        "schema": {"type": "string", "pattern": '^attachment; filename="[0-9A-Za-z.-]+"$'},
    },
    "Content-Security-Policy": {
        "description": "Opened as a page, a response loads and runs nothing. Pictures contain their own styles. Where "
        "the response is a page (`text/html`), it loads and runs only files of this server.",
        "schema": {"type": "string", "pattern": "^default-src 'none'; [ -~]+$"},
    },
    "X-Content-Type-Options": {
        "description": "Browsers do not guess another media type.",
        "schema": {"type": "string", "enum": [GUARDED["X-Content-Type-Options"]]},
    },
    "Referrer-Policy": {
        "description": "Browsers send no referrer when following a link.",
        "schema": {"type": "string", "enum": [GUARDED["Referrer-Policy"]]},
    },
    POLICY: {
        "description": "Whether pages of other origins may embed the response. `same-origin` if the operator restricts "
        "origins.",
        "schema": {"type": "string", "enum": ["cross-origin", "same-origin"]},
    },
    "Access-Control-Allow-Origin": {
        "description": "Which pages may read the response: `*`, or the request's `Origin` if the operator names the "
        "origins. Missing for other origins. Preflight requests (`OPTIONS`) get 204 and what is allowed.",
        "schema": {"type": "string", "pattern": r"^(\*|[!-~]+)$"},
    },
    "Access-Control-Expose-Headers": {
        "description": "Pages that may read the response may also read all of its headers. Missing for other origins.",
        "schema": {"type": "string", "enum": ["*"]},
    },
    "Vary": {
        "description": "The request headers that the response depends on, for caches. Missing if it depends on none.",
        "schema": {"type": "string", "pattern": "^[A-Z][A-Za-z-]*(, [A-Z][A-Za-z-]*)*$"},
    },
    "X-Accel-Buffering": {
        "description": "Present if the response is sent in pieces, which proxies such as nginx must pass on at once.",
        "schema": {"type": "string", "enum": ["no"]},
    },
    "Cache-Control": {
        "description": "How long the response may be cached. The past of a game may be cached forever.",
        "schema": {"type": "string", "pattern": "^[a-z0-9=, -]+$"},
    },
    "X-Request-Id": {
        "description": "Identifies the request in the server's log.",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    },
    "RateLimit": {
        "description": 'What is left of each quota: `"requests";r=<requests>;t=<seconds>`, and of processor time '
        '`"processor_ms";r=<milliseconds>;t=<seconds>`. Missing if the server sets no limits.',
        "schema": {"type": "string", "pattern": '^"[a-z_]+";r=[0-9]+;t=[0-9]+(, "[a-z_]+";r=[0-9]+;t=[0-9]+)*$'},
    },
    "RateLimit-Policy": {
        "description": 'The limits: `"requests";q=<requests>;w=<seconds>`, and of processor time '
        '`"processor_ms";q=<milliseconds>;w=<seconds>`. Missing if the server sets none.',
        "schema": {"type": "string", "pattern": '^"[a-z_]+";q=[0-9]+;w=[0-9]+(, "[a-z_]+";q=[0-9]+;w=[0-9]+)*$'},
    },
    "Retry-After": {
        "description": "Seconds to wait before you retry.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,5}$"},
    },
    "WWW-Authenticate": {
        "description": "How to authenticate.",
        "schema": {"type": "string", "enum": ["Bearer"]},
    },
}
"""Response headers by name."""

ANNOUNCED: dict[str, dict[str, Any]] = {
    "Deprecation": {
        "description": "Since when the operation is deprecated, in seconds since 1970 (RFC 9745).",
        "schema": {"type": "string", "pattern": "^@[0-9]+$"},
    },
    "Sunset": {
        "description": "The operation does not go before this time (RFC 8594).",
        "schema": {"type": "string", "pattern": "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$"},
    },
}
"""Response headers of deprecated operations."""

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


def headers(*names: str) -> dict[str, Any]:
    """References to response headers."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
