"""A client of streams on a bare socket, to see the raw bytes and to cut the connection anywhere."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec

Json = dict[str, Any]
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"


@dataclass
class Message:
    """An SSE message, or a line of NDJSON. A comment or an opening without data has `data` None."""

    text: bytes
    id: str | None = None
    data: Json | None = None


class StreamClient:
    """One stream. An asynchronous iterator of its messages, heartbeats included."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.status = 0
        self.headers: dict[str, str] = {}

    @classmethod
    @asynccontextmanager
    async def open(
        cls, server: str, path: str, accept: str = SSE, token: str | None = None, buffer: int = 0, **headers: str
    ) -> AsyncIterator[Self]:
        """Ask for a stream; header names are given with underscores. `buffer`: bytes the socket may hold."""
        address = urlsplit(server)
        connection = socket.socket()
        connection.setblocking(False)
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        try:
            await asyncio.get_running_loop().sock_connect(connection, (address.hostname, address.port))
            reader, writer = await asyncio.open_connection(sock=connection, limit=buffer or 2**16)
        except BaseException:
            connection.close()
            raise
        try:
            lines = [f"GET {path} HTTP/1.1", f"Host: {address.netloc}", f"Accept: {accept}"]
            lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
            if token is not None:
                lines.append(f"Authorization: Bearer {token}")
            writer.write("\r\n".join([*lines, "", ""]).encode())
            stream = cls(reader, writer)
            await stream._begin()
            yield stream
        finally:
            writer.transport.abort()

    async def _begin(self) -> None:
        self.status = int((await self._reader.readuntil(b"\r\n")).split()[1])
        while line := (await self._reader.readuntil(b"\r\n")).strip().decode():
            name, _, value = line.partition(": ")
            self.headers[name.lower()] = value

    def abort(self) -> None:
        """Reset the connection."""
        self._writer.transport.abort()

    async def problem(self) -> str:
        """The code of the problem sent instead of a stream."""
        content = await self._reader.readexactly(int(self.headers["content-length"]))
        return str(msgspec.json.decode(content)["code"])

    async def chunks(self) -> AsyncIterator[bytes]:
        """The chunks of the body, to its end; IncompleteReadError if it breaks off."""
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            chunk = await self._reader.readexactly(size + 2)
            yield chunk[:-2]

    async def messages(self) -> AsyncIterator[Message]:
        """The messages, to the end of the stream."""
        end = b"\n" if self.headers["content-type"].startswith(NDJSON) else b"\n\n"
        rest = b""
        async for chunk in self.chunks():
            *whole, rest = (rest + chunk).split(end)
            for text in whole:
                yield _message(text) if end == b"\n\n" else Message(text, None, msgspec.json.decode(text))

    async def items(self) -> AsyncIterator[Json]:
        """The content of messages, without heartbeats, and tables that come after events."""
        async for message in self.messages():
            if message.data is not None and message.data["type"] not in ("Heartbeat", "TableMoved"):
                yield message.data

    async def next(self) -> Json:
        """The next item; fails if there is none within a minute."""
        return await asyncio.wait_for(anext(self._all_items()), 300)

    def _all_items(self) -> AsyncIterator[Json]:
        if not hasattr(self, "_items"):
            self._items = self.items()
        return self._items


def _message(text: bytes) -> Message:
    fields = dict(line.split(b": ", 1) for line in text.split(b"\n") if not line.startswith(b":"))
    assert fields.keys() <= {b"id", b"data", b"retry"}, text
    return Message(
        text,
        fields[b"id"].decode() if b"id" in fields else None,
        msgspec.json.decode(fields[b"data"]) if b"data" in fields else None,
    )
