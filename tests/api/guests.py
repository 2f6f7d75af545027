"""Players at an API, with short helpers for tests."""

from dataclasses import dataclass, field
from typing import Any

from httpx import AsyncClient, Response

from mcmulti.events.postgres.log import PostgresLog

Json = dict[str, Any]


@dataclass
class Guest:
    """A registered player."""

    client: AsyncClient
    name: str
    token: str

    async def get(self, path: str, **more: Any) -> Response:
        return await self.client.get(path, headers=self._headers(more), **more)

    async def post(self, path: str, **more: Any) -> Response:
        return await self.client.post(path, headers=self._headers(more), **more)

    async def put(self, path: str, **more: Any) -> Response:
        return await self.client.put(path, headers=self._headers(more), **more)

    async def delete(self, path: str) -> Response:
        return await self.client.delete(path, headers=self._headers({}))

    async def erase(self) -> Response:
        """Announce it, and do it: the servers of tests have no delay."""
        await self.post("/v1/players/me/pending", json={"action": "erase"})
        return await self.delete("/v1/players/me")

    def _headers(self, more: Json) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **more.pop("headers", {})}

    async def send(self, game: str, *commands: Json, dry_run: bool = False, **headers: str) -> Response:
        """Send commands; header names are given with underscores."""
        return await self.post(
            f"/v1/games/{game}/commands{'?dry_run=true' if dry_run else ''}",
            json={"commands": list(commands)},
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )


@dataclass
class Table:
    """A server with its guests."""

    client: AsyncClient
    log: PostgresLog
    guests: list[Guest] = field(default_factory=list)

    async def guest(self, name: str) -> Guest:
        answered = await self.client.post("/v1/players", json={"name": name})
        assert answered.status_code == 201, answered.text
        guest = Guest(self.client, name, answered.json()["token"])
        self.guests.append(guest)
        return guest

    async def open(self, seats: int = 2, ruleset: str = "mcmulti", **setup: Any) -> str:
        """A game with the guests Ada, Ben, ... on its seats, not started."""
        for name in ("Ada", "Ben", "Cleo", "Dan", "Eve")[len(self.guests) : seats]:
            await self.guest(name)
        settled = {"first_seat": 0} if ruleset == "mcmulti" else {}
        body = {"ruleset": ruleset, "setup": {"seats": seats, **settled, **setup}}
        opened = await self.guests[0].post("/v1/games", json=body)
        assert opened.status_code == 201, opened.text
        game = str(opened.json()["game"])
        for guest in self.guests[:seats]:
            seated = await guest.post(f"/v1/games/{game}/seats", json={})
            assert seated.status_code == 201, seated.text
        return game

    async def start(self, seats: int = 2, ruleset: str = "mcmulti", **setup: Any) -> str:
        """A game that has begun: in the special purchase round, with Ada to move, or in the first round by post."""
        game = await self.open(seats, ruleset, **setup)
        started = await self.guests[0].send(game, {"type": "StartGame"})
        assert started.status_code == 200, started.text
        return game

    async def market_phase(self, seats: int = 2) -> str:
        """A game in the market phase of its first turn, which is Ada's; nobody has bought anything."""
        game = await self.start(seats)
        for go in range(3 if seats == 3 else 4):
            ended = await self.guests[go % seats].send(game, {"type": "EndPurchases"})
            assert ended.status_code == 200, ended.text
        return game


def problem(answered: Response, status: int, code: str) -> Json:
    """The problem in a response, which must have this status and code."""
    assert answered.status_code == status, answered.text
    assert answered.headers["content-type"].startswith("application/problem+json")
    found: Json = answered.json()
    assert found["code"] == code, found
    assert found["status"] == status
    assert found["type"] == f"urn:mcmulti:problem:{code}"
    assert found["title"]
    assert found["detail"]
    return found
