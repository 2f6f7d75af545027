"""A load fails loudly if its results would be invalid."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import repeat

import pytest

from mcmulti.cli.bench import load as loading
from mcmulti.cli.bench.load import LoadError, load

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK"


@asynccontextmanager
async def answering(answer: Callable[[asyncio.StreamWriter], None]) -> AsyncIterator[int]:
    """A server that reads each request and sends this response; yields its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                answer(writer)
        except asyncio.IncompleteReadError:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def test_an_answer_may_come_in_pieces() -> None:
    def piecewise(writer: asyncio.StreamWriter) -> None:
        writer.write(OK[:30])
        asyncio.get_running_loop().call_later(0.01, writer.write, OK[30:])

    async with answering(piecewise) as port:
        done = await load("127.0.0.1", port, [iter([REQUEST] * 3)], 60)
    assert done.answers == 3
    assert done.latency.p50 >= 10_000


async def test_a_load_lasts_as_long_as_it_was_told() -> None:
    async with answering(lambda writer: writer.write(OK)) as port:
        done = await load("127.0.0.1", port, [repeat(REQUEST)] * 3, 0.2)
    assert done.seconds >= 0.2
    assert done.clients == 3
    assert 0 < done.rate == done.answers / done.seconds


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            lambda writer: writer.write(b'HTTP/1.1 409 No\r\nContent-Length: 16\r\n\r\n{"code":"funds"}'),
            'the server responded with status 409: {"code":"funds"}',
        ),
        (
            lambda writer: writer.write(
                b"HTTP/1.1 429 No\r\nContent-Length: 68\r\n\r\n"
                b'{"detail":"No more than 9 requests in 1 second.","quota":"requests"}'
            ),
            r"the server responded with status 429 \(serve --rate-limit\): No more than 9 requests in 1 second\.",
        ),
        (lambda writer: writer.write(b"Good morning\r\n\r\n"), "a response is not HTTP: "),
        (lambda writer: writer.close(), "the server closed a connection without a response: serve --connections "),
        (lambda writer: None, "2 requests got no response within 0 seconds"),
    ],
    ids=["another status", "over a limit", "not HTTP", "closed", "silent"],
)
async def test_a_wrong_answer_ends_the_load(
    answer: Callable[[asyncio.StreamWriter], None], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "PATIENCE", 0.1)
    async with answering(answer) as port:
        with pytest.raises(LoadError, match="^" + reason.replace("{", r"\{")):
            await load("127.0.0.1", port, [repeat(REQUEST)] * 2, 0.1)


async def test_a_server_that_is_not_there() -> None:
    with pytest.raises(LoadError, match=r"^no connection to 127\.0\.0\.1:1: "):
        await load("127.0.0.1", 1, [repeat(REQUEST)], 0.1)


async def test_nothing_to_send() -> None:
    async with answering(lambda writer: writer.write(OK)) as port:
        with pytest.raises(LoadError, match="there was nothing to send"):
            await load("127.0.0.1", port, [iter([])], 0.1)
