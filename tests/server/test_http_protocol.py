"""Responses go out in one piece."""

import asyncio
import contextlib
from typing import Any, cast

import uvicorn

from mcmulti.api.admission.gate import EVERYBODY
from mcmulti.server.http_protocol import Gathering, protocol_for
from mcmulti.server.process import bound


class Wire:
    """A transport that records what is written to it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def get_extra_info(self, name: str) -> str:
        return f"the {name}"


def gathering(wire: Wire) -> Gathering:
    return Gathering(cast(asyncio.Transport, wire), asyncio.get_running_loop())


async def test_two_pieces_go_together_at_once() -> None:
    wire = Wire()
    transport = gathering(wire)
    transport.write(b"head ")
    assert wire.sent == []
    transport.write(b"body")
    assert wire.sent == [b"head body"]
    await asyncio.sleep(0)
    assert wire.sent == [b"head body"]


async def test_a_piece_that_stays_alone_goes_when_the_loop_has_come_round() -> None:
    wire = Wire()
    transport = gathering(wire)
    transport.write(b"first event of a stream")
    await asyncio.sleep(0)
    assert wire.sent == [b"first event of a stream"]
    transport.write(b"next")
    await asyncio.sleep(0)
    assert wire.sent[1:] == [b"next"]


async def test_closing_sends_what_is_held() -> None:
    wire = Wire()
    transport = gathering(wire)
    transport.write(b"last words")
    transport.close()
    assert wire.sent == [b"last words"]
    assert wire.closed


async def test_nothing_is_written_to_a_connection_that_is_lost_meanwhile() -> None:
    wire = Wire()
    gathering(wire).write(b"too late")
    wire.closed = True
    await asyncio.sleep(0)
    assert wire.sent == []


async def test_it_is_the_transport_in_everything_else() -> None:
    assert gathering(Wire()).get_extra_info("peername") == "the peername"


class Counted(protocol_for(EVERYBODY)):  # type: ignore[misc]
    """Counts writes to the underlying sockets."""

    writes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        class Counting(Gathering):
            def write(self, data: bytes) -> None:
                Counted.writes += 1
                self._transport.write(data)

        counting = Counting(cast(asyncio.Transport, transport), self.loop)
        super().connection_made(cast(asyncio.Transport, counting))


async def test_a_server_writes_an_answer_at_once() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-length", b"5")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"whole"})

    with bound("127.0.0.1", 0) as listener:
        server = uvicorn.Server(uvicorn.Config(app, http=Counted, lifespan="off", log_config=None))
        serving = asyncio.create_task(server._serve([listener]))  # without its handling of signals
        try:
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            for _ in range(3):
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = await reader.readuntil(b"whole")
                assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
        finally:
            server.should_exit = True
            await serving
    assert Counted.writes == 3
