"""A proxy that holds streams back until they end, which they never do: pages show a note, and poll."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from playwright.async_api import Browser, expect

from tests.api.guests import Table
from tests.web.browsing import visiting

pytestmark = pytest.mark.needs("chromium")
HELD = "Live updates do not get through"


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
            asked = asked.replace(b"Connection: keep-alive\r\n", b"Connection: close\r\n")
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


@pytest.mark.parametrize("passes_heads", [False, True])
async def test_the_page_of_a_game_polls_with_a_note_until_streams_get_through(
    browser: Browser, table: Table, passes_heads: bool
) -> None:
    game = await table.open(2)
    async with (
        holding(str(table.client.base_url).rstrip("/"), passes_heads) as (address, proxy),
        visiting(browser, address) as visit,
    ):
        page = await visit.go(f"/games/{game}")
        said = page.locator(".lost")
        await expect(said).to_contain_text(HELD)
        await table.guests[0].send(game, {"type": "StartGame"})
        await expect(page.locator("main")).to_contain_text("The game starts with Ada")
        await expect(said).to_contain_text(HELD)
        proxy.lets_through.set()
        await expect(said).to_be_hidden()


async def test_the_lobby_polls_with_a_note(browser: Browser, table: Table) -> None:
    first = await table.open(2)
    async with (
        holding(str(table.client.base_url).rstrip("/"), passes_heads=True) as (address, _),
        visiting(browser, address) as visit,
    ):
        page = await visit.go("/")
        said = page.locator(".problem", has_text=HELD)
        await expect(said).to_be_visible()
        await expect(page.locator(f'a[href="/games/{first}"]').first).to_be_visible()
        second = await table.open(3)
        await expect(page.locator(f'a[href="/games/{second}"]').first).to_be_visible()
        await expect(said).to_be_visible()
