"""Two servers on one log, and clients of both."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from httpx import ASGITransport, AsyncClient, Response

from mcmulti.api.admission.gate import EVERYBODY, Admission
from mcmulti.api.app import application
from mcmulti.api.service import Service
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from tests.api.applications import application_of
from tests.api.guests import Guest, Json

BOX: Json = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}


class Visitor:
    """A registered player, who uses either server."""

    def __init__(self, name: str, registered: Json, clients: tuple[AsyncClient, ...]) -> None:
        self.name = name
        self.id: str = registered["player"]
        self._at = [Guest(client, name, registered["token"]) for client in clients]

    async def get(self, path: str, server: int = 0, **more: Any) -> Response:
        return await self._at[server].get(path, **more)

    async def post(self, path: str, body: Json | None = None, server: int = 0, **headers: str) -> Response:
        more = {} if body is None else {"json": body}
        return await self._at[server].post(path, headers=_named(headers), **more)

    async def invites(self, game: str, body: Json, server: int = 0, **headers: str) -> Response:
        """Change the invitations to a table."""
        at = self._at[server]
        sent = {"Authorization": f"Bearer {at.token}", **_named(headers)}
        return await at.client.patch(f"/v1/games/{game}/invitations", json=body, headers=sent)

    async def opens(self, server: int = 0, key: str | None = None, **access: Any) -> Json:
        """A table of the box game for two."""
        headers = {} if key is None else {"Idempotency_Key": key}
        opened = await self.post("/v1/games", {**BOX, **access}, server, **headers)
        assert opened.status_code == 201, opened.text
        told: Json = opened.json()
        return told

    async def sits(self, game: str, server: int = 0, code: str | None = None, **headers: str) -> Response:
        body = {} if code is None else {"passcode": code}
        return await self.post(f"/v1/games/{game}/seats", body, server, **headers)

    async def sends(self, game: str, *types: str) -> None:
        sent = await self._at[0].send(game, *({"type": each} for each in types))
        assert sent.status_code == 200, sent.text

    async def lists(self, query: str = "", server: int = 0) -> list[str]:
        """The games in a list."""
        listed = await self.get(f"/v1/games?{query}", server)
        assert listed.status_code == 200, listed.text
        return [game["game"] for game in listed.json()["games"]]

    async def erases_itself(self) -> None:
        assert (await self._at[0].erase()).status_code == 204


class TwoServers:
    """The servers, and anonymous requests to the first of them."""

    def __init__(self, clients: tuple[AsyncClient, ...]) -> None:
        self.clients = clients
        self.client = clients[0]

    async def guest(self, name: str) -> Visitor:
        registered = await self.client.post("/v1/players", json={"name": name})
        assert registered.status_code == 201, registered.text
        return Visitor(name, registered.json(), self.clients)


@asynccontextmanager
async def two_servers(logs: tuple[Log, Log], admission: Admission = EVERYBODY) -> AsyncIterator[TwoServers]:
    """Two servers on these logs, which contain the same."""
    async with AsyncExitStack() as stack:
        clients = []
        for log in logs:
            if admission == EVERYBODY:
                app = stack.enter_context(application_of(Service(log)))
            else:
                app = application(log, admission)
            transport = ASGITransport(app)  # type: ignore[arg-type]
            client = AsyncClient(transport=transport, base_url="http://mcmulti")
            clients.append(await stack.enter_async_context(client))
        yield TwoServers(tuple(clients))


@asynccontextmanager
async def two_on_a_database(database: str, admission: Admission = EVERYBODY) -> AsyncIterator[TwoServers]:
    """Two servers on a PostgreSQL."""
    async with AsyncExitStack() as stack:
        one, other = [await stack.enter_async_context(PostgresLog.open(database)) for _ in range(2)]
        yield await stack.enter_async_context(two_servers((one, other), admission))


@asynccontextmanager
async def two_in_memory() -> AsyncIterator[TwoServers]:
    """Two servers on a log in memory."""
    log = MemoryLog()
    async with two_servers((log, log)) as servers:
        yield servers


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}
