"""Clients that play games to their ends, whatever happens to the servers, and note down what they are told."""

import asyncio
import random
from typing import Any
from uuid import uuid4

import httpx

from mcmulti.bots.strategies import strategy_for
from tests.chaos.history import History, Outcome, Request, Told

PAUSE = 0.1
SECONDS = 12.0
"""How long a client waits for an answer: servers promise one within ten."""


class Player:
    """All the players of one game in turn, at any of several servers, until told to stop."""

    def __init__(self, servers: list[str], history: History, seed: int, ruleset: str) -> None:
        self._servers = servers
        self._history = history
        self._dice = random.Random(seed)
        self._ruleset = ruleset
        self._strategy = strategy_for(ruleset, "random")(seed)
        self._http = httpx.AsyncClient(timeout=SECONDS, trust_env=False)
        self.slowest = 0.0
        """Seconds that an answer took at most, and where there was none, that a client waited for."""

    async def play(self, stop: asyncio.Event) -> None:
        """Play one game after the other."""
        async with self._http:
            while not stop.is_set():
                await self._game(stop)

    async def _game(self, stop: asyncio.Event) -> None:
        seats = 3
        tokens = [
            str((await self._made("/v1/players", {"name": f"P {uuid4().hex[:12]}"}))["token"]) for _ in range(seats)
        ]
        body = {"ruleset": self._ruleset, "setup": {"seats": seats}}
        game = str((await self._made("/v1/games", body, tokens[0]))["game"])
        for token in tokens:
            await self._send(game, token, f"/v1/games/{game}/seats", {})
        await self._send(game, tokens[0], f"/v1/games/{game}/commands", {"commands": [{"type": "StartGame"}]})
        while not stop.is_set():
            shown = await self._asked("GET", f"/v1/games/{game}", tokens[0])
            self._history.read(game, Told(shown["seq"], shown["hash"]))
            view = shown["view"]
            if view["status"] == "finished":
                return
            for seat in view["to_move"]:
                offered = await self._asked("GET", f"/v1/games/{game}/offers", tokens[seat])
                if offered["offers"]:
                    seen = await self._asked("GET", f"/v1/games/{game}?at={offered['seq']}", tokens[seat])
                    commands = self._strategy(seen["view"], offered["offers"])[:1]
                    await self._send(game, tokens[seat], f"/v1/games/{game}/commands", {"commands": commands})
                    break

    async def _send(self, game: str, token: str, path: str, body: dict[str, Any]) -> None:
        """Send a command until its end is known; now and then once more under the same key."""
        key = uuid4().hex
        request = self._history.invoke(game, key)
        while request.outcome == "info" or not request.outcomes:
            await self._try(request, token, path, body)
            if request.outcomes[-1] == "fail":
                break  # it is settled only if no try before it has an unknown end
            if request.outcome != "ok":
                await asyncio.sleep(PAUSE)
        if request.outcome == "ok" and self._dice.random() < 0.1:
            await self._try(request, token, path, body)

    async def _try(self, request: Request, token: str, path: str, body: dict[str, Any]) -> None:
        answer = await self._answer("POST", path, token, json=body, headers={"Idempotency-Key": request.key})
        outcome: Outcome = "info"
        if answer is not None and answer.is_success:
            told = answer.json()
            request.told.append(Told(told["seq"], told["hash"]))
            outcome = "ok"
        elif answer is not None and 400 <= answer.status_code < 500:
            outcome = "fail"
        request.outcomes.append(outcome)

    async def _made(self, path: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        """Register a player or open a game, as often as it takes; under a key, so that there is one only."""
        return await self._asked("POST", path, token, json=body, headers={"Idempotency-Key": uuid4().hex})

    async def _asked(self, method: str, path: str, token: str | None, **more: Any) -> dict[str, Any]:
        while True:
            answer = await self._answer(method, path, token, **more)
            if answer is not None and answer.is_success:
                found: dict[str, Any] = answer.json()
                return found
            if answer is not None and 400 <= answer.status_code < 500:
                raise AssertionError(f"{method} {path}: {answer.status_code} {answer.text}")
            await asyncio.sleep(PAUSE)

    async def _answer(self, method: str, path: str, token: str | None, **more: Any) -> httpx.Response | None:
        """The answer of any server; None if there is none."""
        headers = {**more.pop("headers", {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        began = asyncio.get_running_loop().time()
        try:
            return await self._http.request(method, self._dice.choice(self._servers) + path, headers=headers, **more)
        except httpx.TransportError:
            return None
        finally:
            self.slowest = max(self.slowest, asyncio.get_running_loop().time() - began)
