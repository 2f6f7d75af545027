"""A proxy that holds responses back until they end, which streams never do."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class HoldingProxy:
    """Passes a response on when it has ended. `passes_heads`: its headers at once."""

    def __init__(self, server: str, passes_heads: bool) -> None:
        self._host, _, self._port = server.removeprefix("http://").partition(":")
        self._passes_heads = passes_heads
        self.lets_through = asyncio.Event()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._passed(reader, writer)
        finally:
            writer.transport.abort() if writer.transport.is_closing() else writer.close()

    async def _passed(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request; the connection ends with it."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            asked = await reader.readuntil(b"\r\n\r\n")
            asked = re.sub(rb"(?i)\r\nconnection: keep-alive\r\n", b"\r\nConnection: close\r\n", asked)
            length = re.findall(rb"(?i)\r\ncontent-length: *(\d+)", asked)
            answer, out = await asyncio.open_connection(self._host, int(self._port))
            try:
                out.write(asked + await reader.readexactly(int(length[0]) if length else 0))
                head = await answer.readuntil(b"\r\n\r\n")
                if self._passes_heads:
                    writer.write(head)
                    head = b""
                whole = asyncio.create_task(self._held(answer, writer, head))
                gone = asyncio.create_task(reader.read())  # the browser gives up
                await asyncio.wait((whole, gone), return_when=asyncio.FIRST_COMPLETED)
                for each in (whole, gone):
                    each.cancel()
            finally:
                out.transport.abort()

    async def _held(self, answer: asyncio.StreamReader, writer: asyncio.StreamWriter, held: bytes) -> None:
        passing = asyncio.create_task(self.lets_through.wait())
        try:
            while True:
                part = asyncio.create_task(answer.read(65536))
                await asyncio.wait((part, passing), return_when=asyncio.FIRST_COMPLETED)
                if passing.done():
                    writer.write(held)
                    held = b""
                held += await part
                if not part.result() or passing.done():
                    writer.write(held)
                    await writer.drain()
                    held = b""
                if not part.result():
                    return
        finally:
            passing.cancel()


@asynccontextmanager
async def holding(server: str, passes_heads: bool) -> AsyncIterator[tuple[str, HoldingProxy]]:
    """The address of a proxy in front of a server."""
    proxy = HoldingProxy(server, passes_heads)
    async with await asyncio.start_server(proxy.connected, "127.0.0.1", 0) as listening:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}", proxy
