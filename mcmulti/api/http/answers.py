"""Ready-made responses, and their content codings (RFC 9110, 8.4): negotiation and compression.

They are ASGI applications, which Litestar passes on unchanged. Building and encoding its own `Response` takes longer
than the rest of a short request.
"""

import asyncio
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import cache, lru_cache

import msgspec
from litestar.datastructures.headers import MediaTypeHeader
from litestar.types import Receive, Scope, Send

from mcmulti.api.caching.tags import ANY, coded, uncoded
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metering import metered, stepped

GZIP = "gzip"
LEAST = 1400
"""Compress bodies from this size on, in bytes: a smaller one fits in one packet anyway."""
BESIDE = 16 * 2**10
"""Compress bodies from this size on in a thread, in bytes: it takes about half a millisecond."""
KEPT = 32 * 2**20
"""The most bytes of cached bodies, plain and compressed together."""
APIECE = 400
LONGEST = 500
"""The most characters in ``Accept-Encoding``: for a longer one, the plain body is sent."""
_SMALL, _FAST = 6, 4
"""Levels of zlib: for bodies that are cached, and for others, where it takes half the time for a sixth more bytes."""
_FORMAT = 16 + zlib.MAX_WBITS  # zlib's number for gzip

_packing: dict[bytes, asyncio.Task[bytes]] = {}
_packed: LruCache[bytes, tuple[bytes, bytes]] = LruCache(KEPT, lambda both: APIECE + len(both[0]) + len(both[1]))
encoded: Callable[[msgspec.Struct], bytes] = msgspec.json.Encoder().encode
"""Encodes as JSON."""
HTML = "text/html"
PIECE = 64 * 2**10
"""Bytes of a body that are sent at a time: what a connection buffers for a client that reads slowly."""
BODILESS = (204, 304)
"""Statuses that HTTP allows no body for."""


def accepted(scope: Scope) -> bool | None:
    """Whether the client accepts gzip, and prefers it at least as much as the plain body; None if it does not say."""
    accept = b",".join([value for name, value in scope["headers"] if name == b"accept-encoding"])
    if len(accept) > LONGEST:
        return False
    return _accepted(accept.decode("latin-1")) if accept else None


@lru_cache(maxsize=256)
def _accepted(accept: str) -> bool:
    """RFC 9110, 12.5.3: a named coding decides, then ``*``. An invalid list asks for the plain body."""
    qualities: dict[str, int] = {}
    for member in accept.split(","):
        named = MediaTypeHeader(member.strip())
        try:
            qualities[named.maintype.lower()] = named.priority[0]
        except OverflowError:
            return False
    others = qualities.get("*", 0)
    quality = qualities.get(GZIP, qualities.get(f"x-{GZIP}", others))
    return quality > 0 and quality >= qualities.get("identity", 0)


async def packed(body: bytes, *, keep: bool) -> bytes:
    """The body in gzip. With `keep`, it is cached; concurrent requests share the work."""
    both = _packed.get(body)
    if both is not None:
        return both[1]
    level = _SMALL if keep else _FAST
    if len(body) < BESIDE:
        small = _pack(body, level)
    else:
        packing = _packing.get(body)
        if packing is None:
            packing = _packing[body] = asyncio.create_task(asyncio.to_thread(metered, _pack, body, level))
            packing.add_done_callback(lambda _: _packing.pop(body))
        small = await asyncio.shield(packing)
    return _packed.put(body, (body, small))[1] if keep else small


def _pack(body: bytes, level: int) -> bytes:
    return zlib.compress(body, level, _FORMAT)


async def flushed(chunks: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """The chunks in gzip, each of which can be decompressed completely on arrival."""
    packing = zlib.compressobj(_FAST, zlib.DEFLATED, _FORMAT)

    def pack(chunk: bytes) -> bytes:
        return packing.compress(chunk) + packing.flush(zlib.Z_SYNC_FLUSH)

    async with aclosing(chunks):
        async for chunk in chunks:
            yield await asyncio.to_thread(metered, pack, chunk)
    yield packing.flush()


class Answer:
    """A status, headers, and a body. `media_type`: the type of the body; text is UTF-8.

    `sized` is called with the bytes of the body that memory must hold while it is sent, and with 0 at the end.
    """

    __slots__ = ("body", "headers", "media_type", "sized", "status_code")

    def __init__(
        self,
        body: bytes = b"",
        status_code: int = 200,
        media_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        self.body = body
        self.status_code = status_code
        self.media_type = media_type
        self.headers = headers or {}
        self.sized: Callable[[int], None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, compressed if it is large and the client accepts that."""
        body, headers, sized = self.body, self.headers, self.sized
        try:
            if len(body) >= LEAST:
                coding = GZIP if accepted(scope) else None
                headers = _negotiated(headers, coding)
                if coding is not None:
                    body = await packed(body, keep="no-store" not in headers.get("Cache-Control", ""))
            encoded = self._encoded(headers)
            if self.status_code not in BODILESS:
                encoded.append((b"content-length", b"%d" % len(body)))
            body = b"" if scope.get("method") == "HEAD" else body
            if sized is not None:
                self.body = b""  # if it is compressed, nobody needs it anymore
                sized(len(body))
            await send({"type": "http.response.start", "status": self.status_code, "headers": encoded})
            sent = 0
            while len(body) - sent > PIECE:
                await send({"type": "http.response.body", "body": body[sent : sent + PIECE], "more_body": True})
                sent += PIECE
            await send({"type": "http.response.body", "body": body[sent:], "more_body": False})
        finally:
            if sized is not None:
                sized(0)

    def _encoded(self, headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
        encoded = [(_header_name(name), value.encode("latin-1")) for name, value in headers.items()]
        if self.status_code not in BODILESS:
            encoded.append((b"content-type", _content_type(self.media_type)))
        return encoded


def not_modified(scope: Scope, known: tuple[str, ...], tag: str, vary: str) -> Answer | None:
    """304 if one of the known tags is this one, in a content coding that the client accepts."""
    for each in known:
        if each in (ANY, tag) or (uncoded(each) == tag and accepted(scope) is not False):
            return Answer(status_code=304, headers={"ETag": tag if each == ANY else each, "Vary": vary})
    return None


def _negotiated(headers: dict[str, str], coding: str | None) -> dict[str, str]:
    """The headers of a response whose content coding was negotiated."""
    vary = f"{headers['Vary']}, Accept-Encoding" if "Vary" in headers else "Accept-Encoding"
    if coding is None:
        return {**headers, "Vary": vary}
    tag = {"ETag": coded(headers["ETag"], coding)} if "ETag" in headers else {}
    return {**headers, **tag, "Vary": vary, "Content-Encoding": coding}


@cache
def _header_name(name: str) -> bytes:
    return name.lower().encode()


@cache
def _content_type(media_type: str) -> bytes:
    return f"{media_type}{'; charset=utf-8' if media_type.startswith('text/') else ''}".encode()


class StreamAnswer(Answer):
    """Sends chunks as fast as the client takes them: the next one is made while the last one is being sent.

    `whole`: the chunks are complete now, and are compressed if the client accepts that. For an endless stream,
    compression would need a quarter of a megabyte, for little data at a time.

    It ends when one of `until` returns.
    """

    __slots__ = ("_chunks", "_whole", "until")

    def __init__(self, chunks: AsyncGenerator[bytes, None], media_type: str, *, whole: bool = False) -> None:
        headers = {"Cache-Control": "no-store", "Vary": "Accept, Authorization", "X-Accel-Buffering": "no"}
        super().__init__(media_type=media_type, headers=headers)
        self._chunks = chunks
        self._whole = whole
        self.until: list[Callable[[], Awaitable[None]]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the chunks end, or the client disconnects. The generator is closed before this returns."""
        try:
            await self._streamed(scope, receive, send)
        finally:
            if self.sized is not None:
                self.sized(0)

    async def _streamed(self, scope: Scope, receive: Receive, send: Send) -> None:
        chunks, headers = self._chunks, self.headers
        if self._whole:
            coding = GZIP if accepted(scope) else None
            headers = _negotiated(headers, coding)
            chunks = flushed(chunks) if coding else chunks
        await send({"type": "http.response.start", "status": self.status_code, "headers": self._encoded(headers)})
        if scope.get("method") == "HEAD":
            await self._chunks.aclose()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        sending = asyncio.create_task(stepped(self._send_all(chunks, send)))
        until = [asyncio.ensure_future(ended()) for ended in self.until]
        others = [asyncio.create_task(_gone(receive)), *until]
        try:
            await asyncio.wait((sending, *others), return_when=asyncio.FIRST_COMPLETED)
            ended = any(task.done() for task in until)
        finally:
            for task in (sending, *others):
                await _ended(task)
        if not sending.cancelled():
            sending.result()
        elif ended:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, chunks: AsyncGenerator[bytes, None], send: Send) -> None:
        async with aclosing(chunks):
            async for chunk in chunks:
                if self.sized is not None:
                    self.sized(len(chunk))
                for begin in range(0, len(chunk), PIECE):
                    piece = chunk[begin : begin + PIECE]
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _ended(task: asyncio.Future[None]) -> None:
    """Cancel a task, repeatedly if needed: `asyncio.wait_for` of Python 3.11 can lose a cancellation.

    The database driver uses it. See https://github.com/python/cpython/issues/86296.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait((task,), timeout=0.1)
