"""A connection to a server, byte by byte."""

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

from httpx import Response

PAUSE = 0.02
"""Seconds between two pieces, so that they arrive separately."""
PATIENCE = 60
"""Seconds after which a server that neither sends nor closes is given up."""


async def said(address: str, *pieces: bytes) -> bytes:
    """What the server sends in response to these pieces, until it closes."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    found = b""
    try:
        sending = asyncio.create_task(_sent(writer, pieces))
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                while chunk := await reader.read(65536):
                    found += chunk
            await sending
    finally:
        writer.transport.abort()
    return found


async def _sent(writer: asyncio.StreamWriter, pieces: tuple[bytes, ...]) -> None:
    with suppress(ConnectionError):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(PAUSE if len(piece) > 1 else 0)


def answers(said: bytes) -> list[Response]:
    """The answers in what a server said, one behind the other; none of them to HEAD, and none in chunks."""
    found = []
    while said:
        top, _, said = said.partition(b"\r\n\r\n")
        status, *lines = top.split(b"\r\n")
        headers = [(name, value) for name, _, value in (line.partition(b": ") for line in lines)]
        length = int(dict(headers).get(b"content-length", b"0"))
        found.append(Response(int(status.split()[1]), headers=headers, content=said[:length]))
        said = said[length:]
    return found
