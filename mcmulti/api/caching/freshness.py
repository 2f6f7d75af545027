"""What clients may keep, and what they have already."""

from litestar.types import Scope

from mcmulti.api.caching.tags import ANY, etag, uncoded
from mcmulti.api.http import codings
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call
from mcmulti.api.http.received import Tags
from mcmulti.api.streams.writing import NDJSON
from mcmulti.events.log.envelope import Head

FOR_EVER = "max-age=31536000, immutable"
"""The past of a game never changes."""
_FORMS = {
    "application/json": (),
    "image/png": ("png",),
    "image/svg+xml": ("svg",),
    "text/csv": ("csv",),
    "text/markdown": ("markdown",),
    "text/plain": ("text",),
    NDJSON: ("ndjson",),
}


def tag_of(
    call: Call, head: Head, *, seat: int | None = None, language: str = "en", names: str = "", rematch: bool = False
) -> str:
    """The tag of what the client asks for, in the form that it likes best.

    `seat` is the reader's where players get other answers than onlookers. `names` is the digest of the names that the
    answer says: a player may be called otherwise though the game stands where it stood. `rematch`: whether it
    says that there is one.
    """
    told = () if language == "en" else (language,)
    named = (f"names-{names}",) if names else ()
    seated = () if seat is None else (f"seat-{seat}",)
    return etag(head, *_FORMS[call.media_type], *told, *seated, *named, *(("rematch",) if rematch else ()))


def unchanged(call: Call, known: Tags, tag: str) -> Answer | None:
    """304 if the client has the answer with this tag already: `known` are those of its ``If-None-Match``."""
    return not_modified(call.request.scope, known, tag, f"{call.varies}, Accept-Encoding") if known else None


def not_modified(scope: Scope, known: Tags, tag: str, vary: str) -> Answer | None:
    """304 if one of the known tags is this one, in a content coding that the client takes."""
    for each in known:
        if each in (ANY, tag) or (uncoded(each) == tag and codings.accepted(scope) is not False):
            return Answer(status_code=304, headers={"ETag": tag if each == ANY else each, "Vary": vary})
    return None
