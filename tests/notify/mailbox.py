"""A mail server that accepts emails, or fails as a test tells it to."""

import asyncio
import ssl
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import NamedTuple


class Taken(NamedTuple):
    """An email, its recipients, and whether it came over TLS and from a logged-in user."""

    receivers: list[str]
    letter: EmailMessage
    encrypted: bool
    login: str | None

    @property
    def text(self) -> str:
        """Its body."""
        return str(self.letter.get_content()).replace("\r\n", "\n")


DROP, HANG, NONSENSE = "drop", "hang", "nonsense\r\nmore of it"


@dataclass
class Mailbox:
    """`fails`: replies by what arrives:

    ``connect``, a command, or ``content`` for the end of an email. `lost`: emails that got one of these replies.
    """

    port: int = 0
    fails: dict[str, str] = field(default_factory=dict)
    taken: list[Taken] = field(default_factory=list)
    lost: list[Taken] = field(default_factory=list)
    starttls: ssl.SSLContext | None = None
    connections: int = 0
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    async def count(self, number: int) -> list[Taken]:
        """The emails, once there are this many."""
        async with asyncio.timeout(60):
            while len(self.taken) < number:
                self.bell.clear()
                await self.bell.wait()
        return self.taken

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Receive emails from a client."""
        self.connections += 1
        with suppress(OSError, asyncio.IncompleteReadError, EOFError):
            await self._talk(reader, writer)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        encrypted = writer.get_extra_info("sslcontext") is not None
        login: str | None = None
        receivers: list[str] = []
        await self._say(writer, "connect", "220 mail.example.org ESMTP")
        while line := (await reader.readline()).decode().strip():
            verb = line.split(" ")[0].lower()
            if verb == "ehlo":
                offers = ["mail.example.org", "AUTH PLAIN", *(["STARTTLS"] if self.starttls and not encrypted else [])]
                answer = "\r\n".join([*(f"250-{offer}" for offer in offers), "250 SIZE 1000000"])
            elif verb == "data":
                await self._say(writer, "data", "354 Go on")
                content = (await reader.readuntil(b"\r\n.\r\n"))[:-3].replace(b"\r\n..", b"\r\n.")
                letter = message_from_bytes(content, _class=EmailMessage, policy=default)
                kept = self.lost if "content" in self.fails else self.taken
                kept.append(Taken(receivers, letter, encrypted, login))
                self.bell.set()
                verb, answer = "content", "250 Taken"
            elif verb == "auth":
                login, answer = b64decode(line.split(" ")[2]).decode().strip("\0"), "235 Welcome"
            else:
                receivers = [*receivers, line.partition("<")[2].rstrip(">")] if verb == "rcpt" else receivers
                answer = {"starttls": "220 Go on", "quit": "221 Bye"}.get(verb, "250 OK")
            await self._say(writer, verb, answer)
            if verb == "starttls" and self.starttls is not None:
                await writer.start_tls(self.starttls)
                encrypted = True

    async def _say(self, writer: asyncio.StreamWriter, what: str, answer: str) -> None:
        answer = self.fails.get(what, answer)
        if answer == DROP:
            raise EOFError
        if answer == HANG:
            await asyncio.Event().wait()
        writer.write(f"{answer}\r\n".encode())
        await writer.drain()


@asynccontextmanager
async def a_mailbox(tls: ssl.SSLContext | None = None) -> AsyncIterator[Mailbox]:
    """A mail server on a port of this machine, for the block. `tls`: from the start."""
    mailbox = Mailbox()
    taking: set[asyncio.Task[None]] = set()

    def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(mailbox.take(reader, writer))
        taking.add(task)
        task.add_done_callback(taking.discard)
        task.add_done_callback(lambda _: writer.close())

    server = await asyncio.start_server(take, "127.0.0.1", 0, ssl=tls)
    mailbox.port = server.sockets[0].getsockname()[1]
    try:
        yield mailbox
    finally:
        server.close()
        for task in taking:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*taking, return_exceptions=True)
