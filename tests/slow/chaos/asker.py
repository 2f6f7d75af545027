"""Clients of several servers, which retry until they get a response."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from tests.slow.chaos.history import History, Span

PAUSE = 0.1
SECONDS = 12.0
"""How long a client waits for a response. Servers promise one within ten seconds."""


def moment() -> float:
    """The time, in seconds."""
    return asyncio.get_running_loop().time()


@dataclass
class Manners:
    """How clients behave now: how many requests are broken off, and how many are sent twice at once."""

    hang_up: float = 0.0
    twice: float = 0.0


def bearer(token: str) -> dict[str, str]:
    """The header that carries a token."""
    return {"Authorization": f"Bearer {token}"}


class Refused(Exception):
    """A read was refused: the server does not know something that the client knows."""

    def __init__(self, code: str, span: Span) -> None:
        super().__init__(code)
        self.code = code
        self.span = span


class Asker:
    """A client that knows several servers and asks any of them, with the current behavior of clients."""

    def __init__(self, servers: Sequence[str], history: History, seed: int, manners: Manners) -> None:
        self.servers = servers
        self.history = history
        self.dice = random.Random(seed)
        self.manners = manners
        self.http = httpx.AsyncClient(timeout=SECONDS, trust_env=False)
        self.slowest = 0.0
        """The maximum seconds of a response. If there was none, the seconds that a client waited."""

    async def registered(self) -> str:
        """A new player's first token."""
        return str((await self.made("/v1/players", {"name": f"P {uuid4().hex[:12]}"}))["token"])

    async def made(self, path: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        """Create a player, a token, or a game, with retries, under a key so that there is only one."""
        made, _ = await self.asked("POST", path, token, json=body, headers={"Idempotency-Key": uuid4().hex})
        return made

    async def asked(self, method: str, path: str, token: str | None, **more: Any) -> tuple[dict[str, Any], Span]:
        """The response, with retries, and its time. Raises `Refused`."""
        while True:
            answer, span = await self.answer(method, path, token, **more)
            if answer is not None and answer.is_success:
                return answer.json(), span
            if answer is not None and answer.is_client_error:
                raise Refused(answer.json()["code"], span)
            await asyncio.sleep(PAUSE)

    async def answer(
        self, method: str, path: str, token: str | None, **more: Any
    ) -> tuple[httpx.Response | None, Span]:
        """The response of any server, None if there is none, and the time span of the request."""
        headers = {**more.pop("headers", {}), **(bearer(token) if token else {})}
        patience = self.dice.uniform(0.0, 0.05) if self.dice.random() < self.manners.hang_up else SECONDS + 1
        url = self.dice.choice(self.servers) + path
        began = moment()
        answer = None
        try:
            async with asyncio.timeout(patience):
                answer = await self.http.request(method, url, headers=headers, **more)
        except (httpx.TransportError, TimeoutError):
            pass
        if answer is not None and answer.status_code == httpx.codes.INTERNAL_SERVER_ERROR:
            self.history.complaints.append(f"{method} {path} was answered with 500: {answer.text}")
        span = Span(began, moment())
        self.slowest = max(self.slowest, span.ended - span.began)
        return answer, span
