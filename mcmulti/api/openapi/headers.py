"""Headers of requests and answers."""

from typing import Any

from mcmulti.api.caching.tags import LONGEST
from mcmulti.api.http.browsers import GUARDED, POLICY

_ETAG = '^"[0-9]{1,10}-[0-9a-f]{64}(;[0-9a-z-]+)*"$'
_TAGS = r'^(\*|(W/)?"[!#-~]*"(, ?(W/)?"[!#-~]*")*)$'

REQUEST: dict[str, dict[str, Any]] = {
    "If-Match": {
        "description": "The `ETag` the commands were decided on: refused with 412 if the game has moved on. It names "
        "the position: the tag of any answer about it will do, a weak one (`W/`) as well, and a list, and `*`.",
        "schema": {"type": "string", "pattern": _TAGS, "maxLength": LONGEST},
    },
    "If-None-Match": {
        "description": "The `ETag` of what the client has, or several: answered with 304 and no body if one is "
        "still true.",
        "schema": {"type": "string", "pattern": _TAGS, "maxLength": LONGEST},
    },
    "Idempotency-Key": {
        "description": "A key of your own for this request: sent again, it gets the first answer again.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
    "Last-Event-ID": {
        "description": "The last id that the client got: the stream goes on behind it.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,13}(-[0-9a-f]{64})?$"},
    },
}
"""By name; all are optional."""

HEADERS: dict[str, dict[str, Any]] = {
    "ETag": {
        "description": "The game's head, number and hash of its last event, and behind it what else the answer depends "
        "on: its form, its language, the seat of its reader, its content coding.",
        "schema": {"type": "string", "pattern": _ETAG},
    },
    "Location": {
        "description": "Where the new game is.",
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Idempotent-Replayed": {
        "description": "There when this is the first answer again: nothing was done now.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Content-Disposition": {
        "description": "The name for the file.",
        "schema": {"type": "string", "pattern": '^attachment; filename="[0-9A-Za-z.-]+"$'},
    },
    "Content-Security-Policy": {
        "description": "Opened as a page, an answer loads nothing and runs nothing; pictures style themselves.",
        "schema": {"type": "string", "enum": [GUARDED["Content-Security-Policy"]]},
    },
    "X-Content-Type-Options": {
        "description": "An answer is never taken for something else than its media type says.",
        "schema": {"type": "string", "enum": [GUARDED["X-Content-Type-Options"]]},
    },
    "Referrer-Policy": {
        "description": "Nobody learns from a link where it came from.",
        "schema": {"type": "string", "enum": [GUARDED["Referrer-Policy"]]},
    },
    POLICY: {
        "description": "Whether pages of other origins may embed the answer; not where the operator named origins.",
        "schema": {"type": "string", "enum": ["cross-origin", "same-origin"]},
    },
    "Cache-Control": {
        "description": "How long the answer may be kept. The past of a game may be kept for ever.",
        "schema": {"type": "string", "pattern": "^[a-z0-9=, -]+$"},
    },
    "X-Request-Id": {
        "description": "Names the request in the server's log.",
        "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    },
    "RateLimit": {
        "description": 'What is left of each quota: `"requests";r=<requests>;t=<seconds>`, and of processor time '
        '`"processor_ms";r=<milliseconds>;t=<seconds>`. Not there without limits.',
        "schema": {"type": "string", "pattern": '^"[a-z_]+";r=[0-9]+;t=[0-9]+(, "[a-z_]+";r=[0-9]+;t=[0-9]+)*$'},
    },
    "RateLimit-Policy": {
        "description": 'The limits: `"requests";q=<requests>;w=<seconds>`, and of processor time '
        '`"processor_ms";q=<milliseconds>;w=<seconds>`. Not there if the server sets none.',
        "schema": {"type": "string", "pattern": '^"[a-z_]+";q=[0-9]+;w=[0-9]+(, "[a-z_]+";q=[0-9]+;w=[0-9]+)*$'},
    },
    "Retry-After": {
        "description": "Seconds to wait before the request is sent again.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,5}$"},
    },
    "WWW-Authenticate": {
        "description": "How to authenticate.",
        "schema": {"type": "string", "enum": ["Bearer"]},
    },
}
"""Of answers, by name."""

EVERYWHERE = ("X-Request-Id", *GUARDED, POLICY)
LIMITED = ("RateLimit", "RateLimit-Policy")
BY_STATUS = {
    401: ("WWW-Authenticate",),
    412: ("ETag",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
"""What problems carry."""


def headers(*names: str) -> dict[str, Any]:
    """References to headers of answers."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
