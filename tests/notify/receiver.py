"""A receiver of webhooks that responds as a test tells it to."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import NamedTuple

Answering = Callable[[asyncio.StreamWriter], Awaitable[None]]


class Received(NamedTuple):
    """A request: its first line, its headers by lowercase name, and its body."""

    line: str
    headers: dict[str, str]
    body: bytes


def status(line: str, *headers: str, body: bytes = b"") -> Answering:
    """Responds with a status, such as ``204 No Content``."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        head = [f"HTTP/1.1 {line}", f"Content-Length: {len(body)}", *headers]
        writer.write("".join(f"{each}\r\n" for each in [*head, ""]).encode() + body)
        await writer.drain()

    return answer


async def hang(writer: asyncio.StreamWriter) -> None:
    """Never responds."""
    await asyncio.Event().wait()


async def close(writer: asyncio.StreamWriter) -> None:
    """Closes the connection."""


async def nonsense(writer: asyncio.StreamWriter) -> None:
    """Responds with something that is not HTTP."""
    writer.write(b"220 smtp.example.org ESMTP\r\n")
    await writer.drain()


async def endless_head(writer: asyncio.StreamWriter) -> None:
    """Responds with endless headers."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-More: " + b"x" * 8000 + b"\r\n")
        await writer.drain()


async def endless_body(writer: asyncio.StreamWriter) -> None:
    """Responds with an endless body."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


OK = status("204 No Content")


@dataclass
class Receiver:
    """Each of `answers` is for one request, in turn. After that, `otherwise` responds."""

    port: int = 0
    answers: list[Answering] = field(default_factory=list)
    otherwise: Answering = OK
    received: list[Received] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    """The server names that clients asked for over TLS."""
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/hook"

    async def count(self, number: int) -> list[Received]:
        """The requests, once there are this many."""
        async with asyncio.timeout(60):
            while len(self.received) < number:
                self.bell.clear()
                await self.bell.wait()
        return self.received

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Receive a request, and respond."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:-2])}
            body = await reader.readexactly(int(headers.get("content-length", "0")))
            self.received.append(Received(head[0], headers, body))
            self.bell.set()
            await (self.answers.pop(0) if self.answers else self.otherwise)(writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiving(tls: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """A receiver on a port of this machine, for the block."""
    receiver = Receiver()
    taking: set[asyncio.Task[None]] = set()

    def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(receiver.take(reader, writer))
        taking.add(task)
        task.add_done_callback(taking.discard)
        task.add_done_callback(lambda _: writer.close())  # even one that was canceled before it began

    if tls is not None:
        tls.sni_callback = lambda _socket, name, _context: receiver.names.append(name)
    server = await asyncio.start_server(take, "127.0.0.1", 0, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for task in taking:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*taking, return_exceptions=True)
