"""Clients that ask for large responses and take little of them: their memory is bounded, and they are disconnected."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import NamedTuple
from uuid import UUID

import pytest
from httpx import AsyncClient, Response

from mcmulti.api.admission.gate import Admission
from mcmulti.api.admission.unsent import UNKNOWN, Unsent
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server import http_protocol
from mcmulti.server.process import answering, bound
from tests.api.stream_client import StreamClient
from tests.api.stream_server import finished_game

EVE, ADA = "192.0.2.6", "192.0.2.1"
JSON = "application/json"


class Besieged(NamedTuple):
    """A server where an address has room for two large responses. `unsent`: what it holds."""

    address: str
    client: AsyncClient
    game: UUID
    unsent: Unsent

    async def read(self, who: str) -> Response:
        """A page of the log, as somebody behind the proxy reads it."""
        headers = {"X-Forwarded-For": who, "Accept-Encoding": "identity"}
        return await self.client.get(f"/v1/games/{self.game}/events?limit=1000", headers=headers)

    async def free(self) -> None:
        """Return once nothing is held."""
        async with asyncio.timeout(60):
            while self.unsent.bytes:  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.02)


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Besieged]:
    unsent, log = Unsent(each=2 * UNKNOWN, patience=0), MemoryLog()
    monkeypatch.setattr("mcmulti.api.service.Unsent", lambda: unsent)
    game = await finished_game(log)
    with bound("127.0.0.1", 0) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)  # its connections buffer no more
        async with (
            answering(log, listener, Admission(trusted_proxies=("127.0.0.1",))) as address,
            AsyncClient(base_url=address, timeout=30, trust_env=False) as client,
        ):
            yield Besieged(address, client, game, unsent)


async def test_slow_readers_have_bounded_memory_and_others_are_answered(server: Besieged) -> None:
    whole = await server.read(ADA)
    assert len(whole.content) > 400_000, "more than a connection holds"
    async with AsyncExitStack() as connections:
        statuses = []
        for _ in range(20):
            reader = StreamClient.open(
                server.address,
                f"/v1/games/{server.game}/events?limit=1000",
                JSON,
                buffer=4096,
                X_Forwarded_For=EVE,
            )
            statuses.append((await connections.enter_async_context(reader)).status)
        assert statuses[0] == 200
        assert statuses[-1] == 429
        assert server.unsent.bytes == statuses.count(200) * len(whole.content) <= 2 * UNKNOWN
        refused = await server.read(EVE)
        told = refused.json()
        assert (refused.status_code, told["quota"], refused.headers["Retry-After"]) == (429, "unsent_bytes", "5")
        assert told["retry_after"] == 5
        assert (await server.read(ADA)).content == whole.content
        assert (await server.client.get(f"/v1/games/{server.game}", headers={"X-Forwarded-For": EVE})).is_success
    await server.free()
    assert (await server.read(EVE)).content == whole.content


async def test_a_reader_that_takes_nothing_is_disconnected(server: Besieged, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "STALLED", 0.1)
    path = f"/v1/games/{server.game}/events?limit=1000"
    async with StreamClient.open(server.address, path, JSON, buffer=4096, X_Forwarded_For=EVE) as reader:
        await server.free()
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await reader._reader.readexactly(int(reader.headers["content-length"]))
