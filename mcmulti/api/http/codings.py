"""Content codings (RFC 9110, 8.4): negotiation and compression."""

import asyncio
import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import lru_cache

from litestar.datastructures.headers import MediaTypeHeader
from litestar.types import Scope

from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metering import metered

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
