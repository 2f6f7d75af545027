"""How requests get to a server: by asyncio, or by blocking calls. Neither knows what they mean."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing
from typing import Any, Protocol

import httpx

ANSWER_SECONDS = 30.0
"""The longest wait for a response, and for the next line of a stream."""


class Transport(Protocol):
    """What a client needs of the network. Every method can raise `httpx.TransportError`."""

    async def send(self, method: str, address: str, *, unread: bool, **request: Any) -> httpx.Response:
        """Send a request once. `unread`: return as soon as the headers are there."""

    async def read(self, response: httpx.Response) -> None:
        """Read the rest of a response."""

    def lines(self, response: httpx.Response) -> AsyncGenerator[str, None]:
        """The lines of an unread response as they come. Closing the generator gives up the response."""

    def pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """As `lines`, in pieces of any length."""

    async def pause(self, seconds: float) -> None:
        """Wait."""

    async def end(self) -> None:
        """Close all connections."""


class AsyncTransport:
    """Waits in the event loop."""

    def __init__(self, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._http = httpx.AsyncClient(timeout=ANSWER_SECONDS, trust_env=False, transport=transport)

    async def send(self, method: str, address: str, *, unread: bool, **request: Any) -> httpx.Response:
        return await self._http.send(self._http.build_request(method, address, **request), stream=unread)

    async def read(self, response: httpx.Response) -> None:
        await response.aread()

    async def lines(self, response: httpx.Response) -> AsyncGenerator[str, None]:
        async with aclosing(response):
            async for line in response.aiter_lines():
                yield line

    async def pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        async with aclosing(response):
            async for piece in response.aiter_bytes():
                yield piece

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def end(self) -> None:
        await self._http.aclose()


class BlockingTransport:
    """Waits in its thread: no coroutine of it is ever suspended."""

    def __init__(self, transport: httpx.BaseTransport | None = None) -> None:
        self._http = httpx.Client(timeout=ANSWER_SECONDS, trust_env=False, transport=transport)

    async def send(self, method: str, address: str, *, unread: bool, **request: Any) -> httpx.Response:
        return self._http.send(self._http.build_request(method, address, **request), stream=unread)

    async def read(self, response: httpx.Response) -> None:
        response.read()

    async def lines(self, response: httpx.Response) -> AsyncGenerator[str, None]:
        with closing(response):
            for line in response.iter_lines():
                yield line

    async def pieces(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        with closing(response):
            for piece in response.iter_bytes():
                yield piece

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)  # noqa: ASYNC251 - that is its purpose

    async def end(self) -> None:
        self._http.close()
