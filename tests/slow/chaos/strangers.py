"""Uninvited clients from an address of their own."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import httpx

ADDRESS = "127.0.0.66"
HUGE = 2_000_000
PATIENCE = 60.0
"""Seconds after which a response no longer counts, even on a busy machine."""


class Strangers:
    """Connections to a server that are closed at the end of the block."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._place = urlsplit(server)
        self._writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._place.hostname, self._place.port, local_addr=(ADDRESS, 0))
        self._writers.append(writer)
        return reader, writer

    async def crowd(self, number: int) -> None:
        """Open this many connections, send half a head on each, and leave them."""
        for _ in range(number):
            with suppress(OSError):
                _, writer = await self._opened()
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")

    async def said(self, request: bytes) -> int:
        """The status of the response, 0 if the connection is closed without one."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            reader, writer = await self._opened()
            sending = asyncio.ensure_future(self._sent(writer, request))
            try:
                async with asyncio.timeout(PATIENCE):
                    return int((await reader.readuntil(b"\r\n")).split()[1])
            finally:
                sending.cancel()
        return 0

    async def _sent(self, writer: asyncio.StreamWriter, request: bytes) -> None:
        with suppress(ConnectionError):
            writer.write(request)
            await writer.drain()

    async def statuses(self, paths: Sequence[str]) -> set[int]:
        """The statuses of these reads, all at once. 0 for those without a response."""
        transport = httpx.AsyncHTTPTransport(local_address=ADDRESS, limits=httpx.Limits(max_connections=None))
        async with httpx.AsyncClient(base_url=self._server, transport=transport, timeout=PATIENCE) as client:

            async def status(path: str) -> int:
                with suppress(httpx.TransportError):
                    return (await client.get(path)).status_code
                return 0

            return set(await asyncio.gather(*map(status, paths)))


def hostile(dice: random.Random) -> list[tuple[bytes, int]]:
    """What strangers send, and the status that it deserves."""
    head = b"GET /v1/rulesets HTTP/1.1\r\nHost: x\r\n"
    post = b"POST /v1/players HTTP/1.1\r\nHost: x\r\n"
    game = b"%032x" % dice.getrandbits(128)
    said = [
        (head + b"Accept: %b\r\n\r\n" % (b"a/b," * (HUGE // 4)), 431),
        (head + b"X: y\r\n" * (HUGE // 6) + b"\r\n", 431),
        (b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n" % (b"x" * HUGE), 414),
        (b"GET /v1/games/%b HTTP/1.1\r\nHost: x\r\n\r\n" % b"-".join([game] * 8), 404),
        (head + b"Host: y\r\n\r\n", 400),
        (b"GET /v1/rulesets HTTP/1.1\r\n\r\n", 400),
        (head + b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n", 400),
        (post + b"Idempotency-Key: a\r\nIdempotency-Key: b\r\n\r\n", 400),
        (post + b"Content-Type: application/json\r\nContent-Length: 2000000\r\n\r\n", 413),
        (dice.randbytes(200) + b"\r\n\r\n", 400),
    ]
    dice.shuffle(said)
    return said
