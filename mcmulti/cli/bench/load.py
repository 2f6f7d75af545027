"""A load generator that needs little processor time, since it runs on the machine that it measures.

Requests are made as bytes for the wire before the clock starts. Each client keeps one connection and sends its next
request when the last one was answered.
"""

import asyncio
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast
from uuid import UUID

import httptools
import msgspec

from mcmulti.cli.bench.games import Move, PreparedGame
from mcmulti.cli.bench.measured import Latency, Load

PATIENCE = 30.0
"""Seconds to wait for the last answers, after the last request was sent."""
OPTIONS = {
    "requests": "--rate-limit",
    "bot_requests": "--bot-requests",
    "registrations": "--registrations",
    "new_games": "--new-games",
    "bot_games": "--bot-games",
    "open_games": "--open-games",
    "events": "--events",
    "processor_ms": "--processor-time",
    "stored_bytes": "--stored-bytes",
}
"""The option that sets each quota."""
UNLIMITED = tuple(word for option in OPTIONS.values() for word in (option, "off"))
"""Options of `mcmulti serve` that lift every quota."""
HUNG_UP = "the server closed a connection without a response: serve --connections limits connections per address"
"""If there are too many connections, a server closes them without a response."""


class LoadError(Exception):
    """A response was not the expected one, so the measurement is invalid."""


async def load(host: str, port: int, clients: Sequence[Iterator[bytes]], seconds: float, expected: int = 200) -> Load:
    """Let each client send its requests, as complete HTTP messages, for N seconds, or until one has none left.

    Every request taken from an iterator was answered, so a later load can go on with the same iterators. Raises
    `LoadError` if a connection fails, and for a response whose status is not `expected`.
    """
    loop = asyncio.get_running_loop()
    run = _Run(expected)
    connected = []
    try:
        try:
            async with asyncio.timeout(PATIENCE):
                for requests in clients:
                    _, client = await loop.create_connection(partial(_Client, run, requests), host, port)
                    connected.append(client)
        except TimeoutError:
            raise LoadError(f"{host}:{port} took only {len(connected)} connections in {PATIENCE:.0f} seconds") from None
        except OSError as error:
            raise LoadError(f"no connection to {host}:{port}: {error.strerror or error}") from error
        cpu, start = time.process_time(), time.perf_counter()
        run.sending = len(connected)
        stop = loop.call_later(seconds, run.stop)
        for client in connected:
            client.send()
        try:
            async with asyncio.timeout(seconds + PATIENCE):
                await run.over
        except TimeoutError:
            raise LoadError(f"{run.sending} requests got no response within {PATIENCE:.0f} seconds") from None
        finally:
            stop.cancel()
        took, cpu = time.perf_counter() - start, time.process_time() - cpu
    finally:
        for client in connected:
            client.close()
    if not run.nanoseconds:
        raise LoadError("there was nothing to send")
    return Load(len(clients), len(run.nanoseconds), took, cpu, Latency.of(run.nanoseconds))


class _Run:
    """One load: the clients that still send, the latencies so far, and how the load ends."""

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.nanoseconds: list[int] = []
        self.sending = 0
        self.stopped = False
        self.over = asyncio.get_running_loop().create_future()

    def stop(self) -> None:
        """Stop: no client sends another request."""
        self.stopped = True

    def done(self) -> None:
        """A client has received its last answer."""
        self.stop()
        self.sending -= 1
        if self.sending == 0 and not self.over.done():
            self.over.set_result(None)

    def fail(self, reason: str) -> None:
        """End the load: it is invalid."""
        self.stop()
        if not self.over.done():
            self.over.set_exception(LoadError(reason))


class _Client(asyncio.Protocol):
    """One connection. httptools parses a response in half the time that searching its head in Python takes."""

    def __init__(self, run: _Run, requests: Iterator[bytes]) -> None:
        self._run = run
        self._requests = requests
        self._parser = httptools.HttpResponseParser(self)
        self._body = b""
        self._sent = 0
        self._waits = False
        self._answered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)  # uvloop's transports are not subclasses

    def send(self) -> None:
        """Send the next request, unless the load is over or there is none."""
        request = None if self._run.stopped else next(self._requests, None)
        if request is None:
            self._waits = False
            self._run.done()
            return
        self._waits = True
        self._sent = time.perf_counter_ns()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._run.fail(f"a response is not HTTP: {error}")

    def on_body(self, body: bytes) -> None:
        self._body = body

    def on_message_complete(self) -> None:
        run, self._answered = self._run, True
        run.nanoseconds.append(time.perf_counter_ns() - self._sent)
        status = self._parser.get_status_code()
        if status != run.expected:
            run.fail(refusal(status, self._body))
            return
        self.send()

    def connection_lost(self, error: Exception | None) -> None:
        if self._waits and not self._answered:
            self._run.fail(HUNG_UP)
        elif self._waits:
            self._run.fail(f"the server closed a connection{f': {error}' if error else ''}")

    def close(self) -> None:
        """Close the connection."""
        self._waits = False
        self._transport.close()


class _Refusal(msgspec.Struct, frozen=True):
    detail: str = ""
    quota: str = ""


def refusal(status: int, body: bytes) -> str:
    """Why a server refused a request, from the status and body of its response."""
    try:
        problem = msgspec.json.decode(body, type=_Refusal)
    except (msgspec.DecodeError, RecursionError):
        problem = _Refusal()
    option = OPTIONS.get(problem.quota)
    limit = f" (serve {option})" if option else ""
    return f"the server responded with status {status}{limit}: {problem.detail or body.decode(errors='replace')}"


def commanding(game: PreparedGame) -> Iterator[bytes]:
    """The requests that play a game, each with its own idempotency key, as careful clients send them."""
    for number, move in enumerate(game.moves, start=1):
        yield command(game.game_id, game.tokens[move.seat], move, f"{number}")


def command(game_id: UUID, token: str, move: Move, key: str) -> bytes:
    """One command with an idempotency key."""
    body = b'{"commands":[%b]}' % move.command
    return (
        f"POST /v1/games/{game_id}/commands HTTP/1.1\r\n"
        "Host: localhost\r\n"
        f"Authorization: Bearer {token}\r\n"
        f"Idempotency-Key: {key}\r\n"
        "Content-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n"
        "\r\n"
    ).encode() + body


def reading(path: str, token: str | None = None, accept: str = "*/*") -> bytes:
    """A GET of a path, with its query if it has one."""
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}Accept: {accept}\r\n\r\n".encode()
