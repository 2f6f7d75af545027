"""Servers that are killed between what players do and the message about it."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec
import psycopg
import pytest
from httpx import AsyncClient, Response, TransportError

from tests.api.guests import Guest
from tests.cli.command import Command, running
from tests.notify.receiver import receiving

PATIENCE = 60
"""Seconds, long enough for a busy machine."""
STUCK = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE '%INSERT INTO notice%'"""
SETUP = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}
GAMES = "/v1/games"


class Killed:
    """`mcmulti serve` on a database. A server that is killed is followed by another one."""

    client: AsyncClient

    def __init__(self, database: str, folder: Path, servers: ExitStack) -> None:
        self.database, self._folder, self._servers = database, folder, servers
        self._server = self._next()

    def _next(self) -> Command:
        arguments = ("--port=0", "--site=http://localhost", "--private-webhooks", f"--database-url={self.database}")
        server = self._servers.enter_context(running("serve", *arguments, temporary=self._folder))
        self.client = AsyncClient(base_url=server.line("Serving at "), trust_env=False)
        return server

    async def kill(self, meanwhile: str = "SELECT") -> None:
        """Kill it, and start another one after this statement."""
        self._server.interrupt(signal.SIGKILL)
        await self.client.aclose()
        with psycopg.connect(self.database) as connection:
            connection.execute(meanwhile)
        self._server = self._next()

    async def ask(self, guest: Guest, method: str, path: str, body: Any) -> Response:
        """Send a request. If it is sent again, it has the same key."""
        headers = {"Authorization": f"Bearer {guest.token}", "Idempotency-Key": f'"{uuid5(NAMESPACE_URL, str(body))}"'}
        return await self.client.request(method, path, json=body, headers=headers)

    async def done(self, guest: Guest, method: str, path: str, body: Any = None) -> Any:
        answered = await self.ask(guest, method, path, body)
        assert answered.is_success, answered.text
        return answered.json()

    async def killed_before_the_message(self, guest: Guest, method: str, path: str, body: Any) -> None:
        """Send a request, and kill the server while it puts the message into the outbox."""
        async with self._outbox_held() as is_stuck, asyncio.timeout(PATIENCE):
            asking = asyncio.create_task(self.ask(guest, method, path, body))
            while not await is_stuck():
                assert not asking.done(), (await asking).text
                await asyncio.sleep(0.02)
            self._server.interrupt(signal.SIGKILL)
            with pytest.raises(TransportError):
                await asking
        await self.kill()

    @asynccontextmanager
    async def _outbox_held(self) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
        """Nobody changes the outbox during the block. Yields a function that tells whether somebody waits to."""
        connect = psycopg.AsyncConnection.connect
        async with await connect(self.database) as holder, await connect(self.database, autocommit=True) as observer:

            async def is_stuck() -> bool:
                [(waiting,)] = await (await observer.execute(STUCK)).fetchall()
                return bool(waiting)

            await holder.execute("LOCK TABLE notice IN EXCLUSIVE MODE")
            yield is_stuck


async def test_what_players_are_told_survives_a_server_that_is_killed(database: str, tmp_path: Path) -> None:
    """An invitation, or what somebody says, is stored together with the message about it, or not at all. If the request
    is sent again, there is one message.
    """
    with ExitStack() as servers:
        here = Killed(database, tmp_path, servers)
        ada, ben = [
            Guest(here.client, name, (await here.client.post("/v1/players", json={"name": name})).json()["token"])
            for name in ("Ada", "Ben")
        ]
        closed = (await here.done(ada, "POST", GAMES, {**SETUP, "invited": []}))["game"]
        table = (await here.done(ben, "POST", GAMES, {**SETUP, "chat": ["players"]}))["game"]
        for guest in (ada, ben):
            await here.done(guest, "POST", f"{GAMES}/{table}/seats", {})

        async with receiving() as receiver:
            await here.done(ben, "POST", "/v1/players/me/webhooks", {"url": receiver.url})
            await here.done(ben, "PUT", "/v1/players/me/notifications", {"topics": ["game.invitation", "chat.message"]})
            opening = "POST", GAMES, {**SETUP, "invited": ["Ben"], "listed": False}
            inviting = "PATCH", f"{GAMES}/{closed}/invitations", {"invite": ["Ben"]}
            saying = "POST", f"{GAMES}/{table}/chat", {"room": "players", "text": "Hello"}
            for request in (opening, inviting, saying):
                await here.killed_before_the_message(ada, *request)
            assert (await here.done(ben, "GET", f"{GAMES}?invited=true"))["games"] == []
            assert (await here.done(ben, "GET", f"{GAMES}/{table}/chat"))["messages"] == []

            for request in (opening, inviting, saying):
                await here.done(ada, *request)
            assert receiver.received == []
            await here.kill("UPDATE notice SET due_at = now()")
            received = await receiver.count(3)
            types = [msgspec.json.decode(each.body)["type"] for each in received]
            assert sorted(types) == ["chat.message", "game.invitation", "game.invitation"]
            assert len({each.headers["webhook-id"] for each in received}) == 3
        await here.client.aclose()
