"""What clients may keep, and what they have already."""

import re

from mcmulti.api.answers import Answer
from mcmulti.api.contract import AnyRequest, header
from mcmulti.api.problems import ApiError
from mcmulti.api.wire import etag
from mcmulti.events.envelope import Head

FOR_EVER = "max-age=31536000, immutable"
"""The past of a game never changes."""
_KNOWN = re.compile("[ -~]{0,1000}")


def varies(request: AnyRequest) -> str:
    """What else the answer depends on."""
    several = len(request.route_handler.opt["operation"].media_types) > 1
    return "Accept, Authorization" if several else "Authorization"


def unchanged(request: AnyRequest, head: Head) -> Answer | None:
    """304 if the client's ``If-None-Match`` names this head already."""
    known = header(request, b"if-none-match")
    if known is None:
        return None
    if not _KNOWN.fullmatch(known):
        raise ApiError("invalid_header", "If-None-Match must be up to 1000 visible ASCII characters and spaces.")
    tags = {tag.strip().removeprefix("W/") for tag in known.split(",")}
    if etag(head) not in tags and known.strip() != "*":
        return None
    return Answer(status_code=304, headers={"ETag": etag(head), "Vary": varies(request)})
