"""The response of an operation about a game at a moment: one key for the cache, one tag for clients.

Both follow from the declaration: the operation, the rest of its path, its whole query, the media type, the seat of the
reader, the names in it, and what it shows beside the log. A handler writes the body, and cannot forget what it depends
on.
"""

from collections.abc import AsyncGenerator, Callable, Coroutine, Hashable
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import Struct

from mcmulti.api.caching.bodies import ResponseCache
from mcmulti.api.caching.tags import etag
from mcmulti.api.http.answers import Answer, StreamAnswer, encoded, not_modified
from mcmulti.api.http.contract import NOTHING, Beside, Call
from mcmulti.api.http.received import Tags
from mcmulti.api.logging import note
from mcmulti.api.streams.items import NDJSON
from mcmulti.api.telling.names import Names
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.log.positions import Position

FOR_EVER = "max-age=31536000, immutable"
"""The past of a game never changes."""
A_DAY = "max-age=86400"
"""Pictures and statistics of the past stay true, but a later version may improve them."""
ASKED_ANEW = "no-cache"
"""For the present, and for names, which can change or be erased."""

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
"""Hexadecimal digits that identify a query in a tag."""


class Perspective(NamedTuple):
    """A game at a moment, as a call may see it: its operation declares all of this.

    `past`: whether a moment was requested. `seat`: the reader's, None for a spectator, and if all readers get the same.
    `names`: those in the position; None if there are none. `beside`: what the log does not determine.
    """

    position: Position
    past: bool
    seat: int | None
    names: Names | None = None
    beside: Beside = NOTHING

    @property
    def called(self) -> Called:
        """The players' names."""
        return NOBODY if self.names is None else self.names.called


class Representation:
    """The response to a call about a game, as the call may see it."""

    __slots__ = ("_call", "_game", "_kind", "_moment", "_responses", "head", "seat", "tag")

    def __init__(self, call: Call, at: Perspective) -> None:
        game, _, _, head = at.position
        seat, names, beside = at.seat, "" if at.names is None else at.names.digest, at.beside.key
        self.head, self.seat = head, seat
        self._call, self._game = call, game
        self._responses: ResponseCache = call.service.responses
        self._kind = (call.operation.id, call.media_type, call.path, call.parameters)
        self._moment = (head, names, beside)
        parts = _FORMS[call.media_type]
        if call.path or call.parameters != call.operation.unasked:
            parts = (*parts, f"query-{_digest(call.path, call.parameters)}")
        if seat is not None:
            parts = (*parts, f"seat-{seat}")
        if names:
            parts = (*parts, f"names-{names}")
        if beside is not None:
            parts = (*parts, f"also-{_digest(beside)}")
        self.tag = etag(head, *parts)

    def unchanged(self, known: Tags) -> Answer | None:
        """304 if the client has it already; `known`: the tags of its ``If-None-Match``."""
        if not known:
            return None
        return not_modified(self._call.request.scope, known, self.tag, f"{self._call.varies}, Accept-Encoding")

    def kept(self) -> bytes | None:
        """The body, if it is cached."""
        return self._responses.get(self._game, self._kind, self.seat, self._moment)

    def keep(self, body: bytes) -> bytes:
        """Cache a body, and return it."""
        return self._responses.put(self._game, self._kind, self.seat, self._moment, body)

    def written(self, write: Callable[[], bytes]) -> bytes:
        """The body, written if it is not cached."""
        body = self._responses.get(self._game, self._kind, self.seat, self._moment)
        if body is None:
            return self._responses.put(self._game, self._kind, self.seat, self._moment, write())
        return body

    async def get_or_make(self, make: Callable[[], Coroutine[Any, Any, Struct | bytes]]) -> bytes:
        """The body, made if it is not cached. Concurrent requests share the work. Raises what `make` raises."""

        async def body() -> bytes:
            content = await make()
            return content if isinstance(content, bytes) else await self._call.service.apart(encoded, content)

        return await self._responses.get_or_make(self._game, self._kind, self.seat, self._moment, body)

    def answer(self, body: bytes, keep: str = ASKED_ANEW) -> Answer:
        """The response with this body; `keep`: how long clients may cache it."""
        call = self._call
        note(seq=self.head.seq)
        headers = {
            "ETag": self.tag,
            "Cache-Control": f"{'private' if call.caller else 'public'}, {keep}",
            "Vary": call.varies,
        }
        return Answer(body, media_type=call.media_type, headers=headers)

    def streamed(self, chunks: AsyncGenerator[bytes, None], keep: str = ASKED_ANEW) -> Answer:
        """The response in chunks, which are not cached here."""
        streamed = StreamAnswer(chunks, self._call.media_type, whole=True)
        streamed.headers |= self.answer(b"", keep).headers
        return streamed


def _digest(*of: Hashable) -> str:
    return sha256(repr(of).encode()).hexdigest()[:_DIGITS]
