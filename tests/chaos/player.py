"""Clients that play games to their ends, whatever happens to the servers, and note down what they are told."""

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

import httpx
import msgspec

from mcmulti.bots.strategies import strategy_for
from tests.chaos.history import Denied, Followed, History, Link, Outcome, Request, Seen, Span, Told, Try

PAUSE = 0.1
SECONDS = 12.0
"""How long a client waits for an answer: servers promise one within ten."""
AGAIN = 0.1
"""How many requests are sent once more when their end is known."""
SEATS = {"postal": 4}
SETUP = {"postal": {"round_hours": 1}}


NOWHERE = Told(0, "")
"""Before the first event of a game."""


def moment() -> float:
    """What moment it is, in seconds."""
    return asyncio.get_running_loop().time()


@dataclass
class Manners:
    """How clients behave at the moment: how many requests are broken off, and how many are sent twice at once."""

    hang_up: float = 0.0
    twice: float = 0.0


class Refused(Exception):
    """A read was refused: what the client knows is not known there."""

    def __init__(self, code: str, span: Span) -> None:
        super().__init__(code)
        self.code = code
        self.span = span


class Player:
    """All the players of one game in turn, at any of several servers, until told to stop; and one who follows it."""

    def __init__(self, servers: Sequence[str], history: History, seed: int, ruleset: str, manners: Manners) -> None:
        self._servers = servers
        self._history = history
        self._dice = random.Random(seed)
        self._ruleset = ruleset
        self._strategy = strategy_for(ruleset, "random")(seed)
        self._manners = manners
        self._http = httpx.AsyncClient(timeout=SECONDS, trust_env=False)
        self.slowest = 0.0
        """Seconds that an answer took at most, and where there was none, that a client waited for."""
        self.following: Stream | None = None
        """The stream of the game that is open."""

    async def play(self, stop: asyncio.Event) -> None:
        """Play one game after the other."""
        async with self._http:
            while not stop.is_set():
                since = moment()
                game = "that was not opened yet"
                try:
                    tokens = await self._registered()
                    game = await self._opened(tokens[0])
                    follower = asyncio.create_task(self._follow(game, stop))
                    try:
                        await self._game(game, tokens, stop)
                    finally:
                        await self._ended(follower)
                except Refused as refused:
                    self._history.denied.append(Denied(game, refused.code, since, refused.span))

    async def _registered(self) -> list[str]:
        names = [f"P {uuid4().hex[:12]}" for _ in range(SEATS.get(self._ruleset, 3))]
        return [str((await self._made("/v1/players", {"name": name}))["token"]) for name in names]

    async def _opened(self, token: str) -> str:
        setup = {"seats": SEATS.get(self._ruleset, 3), **SETUP.get(self._ruleset, {})}
        return str((await self._made("/v1/games", {"ruleset": self._ruleset, "setup": setup}, token))["game"])

    async def _game(self, game: str, tokens: Sequence[str], stop: asyncio.Event) -> None:
        for token in tokens:
            await self._send(game, token, f"/v1/games/{game}/seats", {})
        await self._send(game, tokens[0], f"/v1/games/{game}/commands", {"commands": [{"type": "StartGame"}]})
        while not stop.is_set():
            view = await self._shown(game, tokens[0])
            if view["status"] != "running":  # it is finished, or open again, because the log went back
                return
            for seat in view["to_move"]:
                offered, _ = await self._asked("GET", f"/v1/games/{game}/offers", tokens[seat])
                if offered["offers"]:
                    seen, _ = await self._asked("GET", f"/v1/games/{game}?at={offered['seq']}", tokens[seat])
                    if commands := self._strategy(seen["view"], offered["offers"])[:1]:
                        await self._send(game, tokens[seat], f"/v1/games/{game}/commands", {"commands": commands})
                        break
            else:
                await asyncio.sleep(PAUSE)

    async def _shown(self, game: str, token: str) -> dict[str, Any]:
        """A game as the present shows it, which is noted down."""
        shown, span = await self._asked("GET", f"/v1/games/{game}", token)
        view: dict[str, Any] = shown["view"]
        self._history.seen.append(Seen(game, Told(shown["seq"], shown["hash"]), span, token, digest(view)))
        return view

    async def _send(self, game: str, token: str, path: str, body: dict[str, Any]) -> None:
        """Send a command until its end is known; now and then once more under the same key."""
        request, key = self._history.invoke(game), uuid4().hex
        while request.outcome == "info" or not request.tries:
            tries = 2 if self._dice.random() < self._manners.twice else 1
            await asyncio.gather(*(self._try(request, key, token, path, body) for _ in range(tries)))
            if request.tries[-1].outcome == "fail":
                break  # it is settled only if no try before it has an unknown end
            if request.outcome != "ok":
                await asyncio.sleep(PAUSE)
        if request.outcome == "ok" and self._dice.random() < AGAIN:
            await self._try(request, key, token, path, body)

    async def _try(self, request: Request, key: str, token: str, path: str, body: dict[str, Any]) -> None:
        answer, span = await self._answer("POST", path, token, json=body, headers={"Idempotency-Key": key})
        outcome: Outcome = "info"
        told = None
        if answer is not None and answer.is_success:
            result = answer.json()
            outcome, told = "ok", Told(result["seq"], result["hash"])
        elif answer is not None and answer.is_client_error:
            outcome = "fail"
        request.tries.append(Try(span, outcome, told))

    async def _made(self, path: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        """Register a player or open a game, as often as it takes; under a key, so that there is one only."""
        made, _ = await self._asked("POST", path, token, json=body, headers={"Idempotency-Key": uuid4().hex})
        return made

    async def _asked(self, method: str, path: str, token: str | None, **more: Any) -> tuple[dict[str, Any], Span]:
        while True:
            answer, span = await self._answer(method, path, token, **more)
            if answer is not None and answer.is_success:
                return answer.json(), span
            if answer is not None and answer.is_client_error:
                raise Refused(answer.json()["code"], span)
            await asyncio.sleep(PAUSE)

    async def _answer(
        self, method: str, path: str, token: str | None, **more: Any
    ) -> tuple[httpx.Response | None, Span]:
        """The answer of any server, None if there is none, and when it was waited for."""
        headers = {**more.pop("headers", {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        patience = self._dice.uniform(0.0, 0.05) if self._dice.random() < self._manners.hang_up else SECONDS + 1
        url = self._dice.choice(self._servers) + path
        began = moment()
        answer = None
        try:
            async with asyncio.timeout(patience):
                answer = await self._http.request(method, url, headers=headers, **more)
        except (httpx.TransportError, TimeoutError):
            pass
        if answer is not None and answer.status_code == httpx.codes.INTERNAL_SERVER_ERROR:
            self._history.complaints.append(f"{method} {path} was answered with 500: {answer.text}")
        span = Span(began, moment())
        self.slowest = max(self.slowest, span.ended - span.began)
        return answer, span

    async def _follow(self, game: str, stop: asyncio.Event) -> None:
        """Follow a game by its stream, resumed where it broke off, and from its beginning where that is gone."""
        last: Told | None = NOWHERE
        while last is not None:
            self.following = stream = Stream(game, moment(), last)
            try:
                async with aclosing(self._items(game, last)) as items:
                    async for item in items:
                        stream.take(item)
                stream.end = stream.end or "over"
            except (httpx.HTTPError, msgspec.DecodeError):
                stream.end = stream.end or "cut"
            finally:
                if stream.end is None and not stop.is_set():
                    stream.end = "left"
                self._history.followed.append(stream.followed())
                self.following = None
            last = stream.next()
            await asyncio.sleep(PAUSE)

    async def _items(self, game: str, last: Told) -> AsyncGenerator[dict[str, Any], None]:
        headers = {"Accept": "application/x-ndjson"}
        if last.seq:
            headers["Last-Event-ID"] = f"{last.seq}-{last.hash}"
        url = f"{self._dice.choice(self._servers)}/v1/games/{game}/events"
        async with self._http.stream("GET", url, headers=headers, timeout=httpx.Timeout(SECONDS, read=40)) as answer:
            if answer.is_client_error:
                yield {"type": "unknown"}
                return
            answer.raise_for_status()
            async for line in answer.aiter_lines():
                yield msgspec.json.decode(line)

    async def _ended(self, follower: "asyncio.Task[None]") -> None:
        follower.cancel()
        await asyncio.wait((follower,))


class Stream:
    """A stream of a game, as it comes."""

    def __init__(self, game: str, began: float, first: Told) -> None:
        self.game = game
        self._began = began
        self._first = self.last = first
        self._events: list[Link] = []
        self.end: str | None = None

    def take(self, item: dict[str, Any]) -> None:
        """Its next item."""
        if "prev_hash" in item:
            self.last = Told(item["seq"], item["hash"])
            self._events.append(Link(self.last, item["prev_hash"], moment()))
        elif item["type"] in ("WentBack", "Stopping", "unknown"):
            self.end = item["type"]

    def next(self) -> Told | None:
        """Behind which event the next stream of the game begins; None if there is no more to come."""
        if self.end == "over":
            return None
        return NOWHERE if self.end in ("WentBack", "unknown") else self.last

    def followed(self) -> Followed:
        """What came of it."""
        return Followed(self.game, self._began, self._first, self._events, self.end)


def digest(view: dict[str, Any]) -> str:
    """What tells one view from another."""
    return sha256(msgspec.json.encode(view, order="deterministic")).hexdigest()
