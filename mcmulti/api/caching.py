"""What clients may keep, and what they have already."""

from litestar import Response

from mcmulti.api.contract import AnyRequest
from mcmulti.api.wire import etag
from mcmulti.events.envelope import Head

FOR_EVER = "max-age=31536000, immutable"
"""The past of a game never changes."""


def unchanged(request: AnyRequest, head: Head) -> Response[bytes] | None:
    """304 if the client's ``If-None-Match`` names this head already."""
    known = request.headers.get("if-none-match", "")
    tags = {tag.strip().removeprefix("W/") for tag in known.split(",")}
    if etag(head) not in tags and known.strip() != "*":
        return None
    return Response(b"", status_code=304, headers={"ETag": etag(head), "Vary": "Authorization"})
