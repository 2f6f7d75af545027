"""Answers that are ready to be sent.

They are ASGI applications, which Litestar passes on as they are. Its own `Response` takes longer to build and to
encode than the rest of a short request.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache

from litestar.types import Receive, Scope, Send

BODILESS = (204, 304)
"""What HTTP lets no body follow."""


class Answer:
    """A status, headers and a body. `media_type` is what the body is; text is UTF-8."""

    __slots__ = ("body", "headers", "media_type", "status_code")

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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        headers = self._encoded()
        if self.status_code not in BODILESS:
            headers.append((b"content-length", b"%d" % len(self.body)))
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})

    def _encoded(self) -> list[tuple[bytes, bytes]]:
        headers = [(_name(name), value.encode("latin-1")) for name, value in self.headers.items()]
        if self.status_code not in BODILESS:
            headers.append((b"content-type", _content_type(self.media_type)))
        return headers


@cache
def _name(name: str) -> bytes:
    return name.lower().encode()


@cache
def _content_type(media_type: str) -> bytes:
    return f"{media_type}{'; charset=utf-8' if media_type.startswith('text/') else ''}".encode()


class StreamAnswer(Answer):
    """Sends chunks as fast as the client takes them: the next one is made when the last one is on its way."""

    __slots__ = ("_chunks",)

    def __init__(self, chunks: AsyncGenerator[bytes, None], media_type: str) -> None:
        headers = {"Cache-Control": "no-store", "Vary": "Accept, Authorization", "X-Accel-Buffering": "no"}
        super().__init__(media_type=media_type, headers=headers)
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until there is no more, or the client is gone. The generator is closed before this returns."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self._encoded()})
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
