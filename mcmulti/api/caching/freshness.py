"""Conditional requests."""

from litestar.types import Scope

from mcmulti.api.caching.tags import ANY, uncoded
from mcmulti.api.http import codings
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.received import Tags


def not_modified(scope: Scope, known: Tags, tag: str, vary: str) -> Answer | None:
    """304 if one of the known tags is this one, in a content coding that the client accepts."""
    for each in known:
        if each in (ANY, tag) or (uncoded(each) == tag and codings.accepted(scope) is not False):
            return Answer(status_code=304, headers={"ETag": tag if each == ANY else each, "Vary": vary})
    return None
