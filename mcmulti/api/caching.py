"""What clients may keep, and what they have already."""

from mcmulti.api import codings
from mcmulti.api.answers import Answer
from mcmulti.api.contract import AnyRequest, accepted, tags
from mcmulti.api.stream import NDJSON
from mcmulti.api.tags import ANY, etag, uncoded
from mcmulti.events.envelope import Head

FOR_EVER = "max-age=31536000, immutable"
"""The past of a game never changes."""
_FORMS = {
    "application/json": (),
    "image/svg+xml": ("svg",),
    "text/csv": ("csv",),
    "text/plain": ("text",),
    NDJSON: ("ndjson",),
}


def varies(request: AnyRequest) -> str:
    """What else the answer depends on, besides the content coding."""
    return "Accept, Authorization" if _several(request) else "Authorization"


def tag_of(request: AnyRequest, head: Head, *, seat: int | None = None, language: str = "en") -> str:
    """The tag of what the client asks for, in the form that it likes best.

    `seat` is the reader's where players get other answers than onlookers.
    """
    form = accepted(request) if _several(request) else request.route_handler.opt["operation"].media_types[0]
    told = () if language == "en" else (language,)
    return etag(head, *_FORMS[form], *told, *(() if seat is None else (f"seat-{seat}",)))


def unchanged(request: AnyRequest, tag: str, vary: str | None = None) -> Answer | None:
    """304 if the client's ``If-None-Match`` has this tag already, in a content coding that it takes.

    `vary`: what else the answer depends on, where the request is for no operation.
    """
    named = tags(request, "If-None-Match")
    for known in named or ():
        if known in (ANY, tag) or (uncoded(known) == tag and codings.accepted(request.scope) is not False):
            vary = vary or f"{varies(request)}, Accept-Encoding"
            return Answer(status_code=304, headers={"ETag": tag if known == ANY else known, "Vary": vary})
    return None


def _several(request: AnyRequest) -> bool:
    return len(request.route_handler.opt["operation"].media_types) > 1
