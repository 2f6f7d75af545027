"""Streams over HTTP: how items are written, and how they get to a client that may be slow or leave."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, NamedTuple

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send
from msgspec import Struct

from mcmulti.api.contract import encoded
from mcmulti.api.stream_items import Heartbeat

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds without an item after which a stream shows that it is alive."""
RETRY = 1000
"""Milliseconds after which a client of an SSE stream that broke off should come again."""


class Format(NamedTuple):
    """How a stream is written. `item` takes the id that the client resumes with behind the item, if it has one."""

    media_type: str
    opening: bytes
    item: Callable[[Struct, int | None], bytes]
    heartbeat: bytes


def _line(item: Struct, seq: int | None) -> bytes:
    return encoded(item) + b"\n"


def _message(item: Struct, seq: int | None) -> bytes:
    number = b"" if seq is None else b"id: %d\n" % seq
    return b"%bdata: %b\n\n" % (number, encoded(item))


FORMATS = {
    NDJSON: Format(NDJSON, b"", _line, _line(Heartbeat(), None)),
    SSE: Format(SSE, b"retry: %d\n\n" % RETRY, _message, b": heartbeat\n\n"),
}


class StreamResponse(Response[bytes]):
    """Sends chunks as fast as the client takes them: the next one is made when the last one is on its way."""

    def __init__(self, chunks: AsyncGenerator[bytes, None], media_type: str) -> None:
        headers = {"Cache-Control": "no-store", "Vary": "Accept, Authorization", "X-Accel-Buffering": "no"}
        super().__init__(b"", media_type=media_type, headers=headers)
        self._chunks = chunks

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:
        """See `Response.to_asgi_response`."""
        return _Streaming(self._chunks, headers=self.headers, media_type=self.media_type)


class _Streaming(ASGIResponse):
    _should_set_content_length = False

    def __init__(self, chunks: AsyncGenerator[bytes, None], **more: Any) -> None:
        super().__init__(**more)
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until there is no more, or the client is gone. The generator is closed before this returns."""
        await self.start_response(send)
        sending = asyncio.create_task(self._send_all(send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _ended(sending)
            await _ended(leaving)
        if not sending.cancelled():
            sending.result()

    async def _send_all(self, send: Send) -> None:
        async with aclosing(self._chunks) as chunks:
            async for chunk in chunks:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _ended(task: asyncio.Task[None]) -> None:
    """End a task, however often it takes: `asyncio.wait_for` of Python 3.11 may lose a cancellation.

    The database driver waits with it. See https://github.com/python/cpython/issues/86296.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait((task,), timeout=0.1)
