"""What an operation answers about a game at a moment: one key for the bodies that are kept, one tag for clients.

Both follow from the declaration: the operation, the rest of its path, its whole query, the media type, the seat of the
reader, and the names that are said. A handler writes the body, and cannot forget what it depends on.
"""

from collections.abc import AsyncGenerator, Callable, Coroutine, Hashable
from hashlib import sha256
from typing import Any
from uuid import UUID

from msgspec import Struct

from mcmulti.api.caching.bodies import ResponseCache
from mcmulti.api.caching.freshness import not_modified
from mcmulti.api.caching.tags import etag
from mcmulti.api.http.answers import Answer, StreamAnswer, encoded
from mcmulti.api.http.contract import Call
from mcmulti.api.http.received import Tags
from mcmulti.api.logging import note
from mcmulti.api.streams.writing import NDJSON
from mcmulti.events.log.envelope import Head

FOR_EVER = "max-age=31536000, immutable"
"""The past of a game never changes."""
A_DAY = "max-age=86400"
"""What is drawn or counted of the past stays true, but a later build may say it better."""
ASKED_ANEW = "no-cache"
"""What is true of now, and what says names: a player may be called otherwise, or be erased."""

_FORMS = {
    "application/json": (),
    "image/png": ("png",),
    "image/svg+xml": ("svg",),
    "text/csv": ("csv",),
    "text/markdown": ("markdown",),
    "text/plain": ("text",),
    NDJSON: ("ndjson",),
}
_DIGITS = 8
"""Hexadecimal digits by which a tag tells a query from others."""


class Representation:
    """The answer to a call about a game at a head.

    `seat` is where the reader sits, None for an onlooker, and where all readers get the same. `names` is the digest of
    the names that are said, "" for none. `also` is what else the body depends on that the head does not determine.
    """

    __slots__ = ("_call", "_game", "_kind", "_moment", "_responses", "head", "seat", "tag")

    def __init__(
        self, call: Call, game: UUID, head: Head, seat: int | None, names: str = "", also: Hashable = None
    ) -> None:
        self.head, self.seat = head, seat
        self._call, self._game = call, game
        self._responses: ResponseCache = call.service.responses
        self._kind = (call.operation.id, call.media_type, call.path, call.parameters)
        self._moment = (head, names, also)
        parts = _FORMS[call.media_type]
        if call.path or call.parameters != call.operation.unasked:
            parts = (*parts, f"query-{_digest(call.path, call.parameters)}")
        if seat is not None:
            parts = (*parts, f"seat-{seat}")
        if names:
            parts = (*parts, f"names-{names}")
        if also is not None:
            parts = (*parts, f"also-{_digest(also)}")
        self.tag = etag(head, *parts)

    def unchanged(self, known: Tags) -> Answer | None:
        """304 if the client has it already: `known` are the tags of its ``If-None-Match``."""
        if not known:
            return None
        return not_modified(self._call.request.scope, known, self.tag, f"{self._call.varies}, Accept-Encoding")

    def kept(self) -> bytes | None:
        """The body, if it is at hand."""
        return self._responses.get(self._game, self._kind, self.seat, self._moment)

    def keep(self, body: bytes) -> bytes:
        """Keep a body, and return it."""
        return self._responses.put(self._game, self._kind, self.seat, self._moment, body)

    def written(self, write: Callable[[], bytes]) -> bytes:
        """The body, written if it is not at hand."""
        return self._responses.body(self._game, self._kind, self.seat, self._moment, write)

    async def made(self, make: Callable[[], Coroutine[Any, Any, Struct | bytes]]) -> bytes:
        """The body, made if it is not at hand: once for all who want it at a time. Raises what `make` raises."""

        async def body() -> bytes:
            content = await make()
            return content if isinstance(content, bytes) else await self._call.service.apart(encoded, content)

        return await self._responses.made(self._game, self._kind, self.seat, self._moment, body)

    def answer(self, body: bytes, keep: str = ASKED_ANEW) -> Answer:
        """The answer with this body; `keep` says how long clients may keep it."""
        call = self._call
        note(seq=self.head.seq)
        headers = {
            "ETag": self.tag,
            "Cache-Control": f"{'private' if call.caller else 'public'}, {keep}",
            "Vary": call.varies,
        }
        return Answer(body, media_type=call.media_type, headers=headers)

    def streamed(self, chunks: AsyncGenerator[bytes, None], keep: str = ASKED_ANEW) -> Answer:
        """The answer piece by piece, of which nothing is kept here."""
        streamed = StreamAnswer(chunks, self._call.media_type, whole=True)
        streamed.headers |= self.answer(b"", keep).headers
        return streamed


def _digest(*of: Hashable) -> str:
    return sha256(repr(of).encode()).hexdigest()[:_DIGITS]
