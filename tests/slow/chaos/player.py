"""Clients that play games to their ends, whatever happens to the servers, and record what they receive."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import msgspec

from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.domain.rulesets import SHIPPED
from tests.profiles import profile_of
from tests.pure.properties.random_games import seats_of
from tests.slow.chaos.asker import PAUSE, SECONDS, Asker, Manners, Refused, moment
from tests.slow.chaos.history import Denied, Followed, History, Link, Request, Seen, Sent, Span, Told, Try

AGAIN = 0.1
"""The share of requests that are repeated after their end is known."""
DAWDLES = 0.1
"""The share of moves for which a client of a game with a clock takes too long, up to `LONGEST` seconds."""
LONGEST = 9.0
IDLE = 0.5
"""Seconds between two looks at a game without moves."""
STALE = 0.1
"""The share of moves that are also sent for an outdated position, which must be refused."""
TAKES_BACK = 0.25
"""The share of moves that are taken back where possible."""


class Kind(NamedTuple):
    """What a client plays. `idle`: it makes no moves, and the server makes them when its time runs out."""

    ruleset: str
    setup: Mapping[str, Any] = MappingProxyType({})
    seats: int = 3
    idle: bool = False


KINDS = tuple(
    Kind(name, each.setup, max(3, seats_of(name)[0]), each.idle)
    for name in SHIPPED
    for each in profile_of(name).disturbed
)
"""The games, each with players of its own."""
NO_HEADERS: Mapping[str, str] = MappingProxyType({})
NOWHERE = Told(0, "")
"""Before the first event of a game."""


class Player(Asker):
    """All players of one game in turn, and a spectator, at any of several servers, until told to stop."""

    def __init__(self, servers: Sequence[str], history: History, seed: int, kind: Kind, manners: Manners) -> None:
        super().__init__(servers, history, seed, manners)
        self._kind = kind
        self._strategy = strategy_for(kind.ruleset, "random")(seed)
        self._head: str | None = None
        """The position that the last move was sent for, or should have been."""
        self.following: Stream | None = None
        """The open stream of the game."""

    async def play(self, stop: asyncio.Event) -> None:
        """Play one game after another."""
        async with self.http:
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
                    self.history.denied.append(Denied(game, refused.code, since, refused.span))

    async def _registered(self) -> list[str]:
        return [await self.registered() for _ in range(self._kind.seats)]

    async def _opened(self, token: str) -> str:
        setup = {"seats": self._kind.seats, **self._kind.setup}
        return str((await self.made("/v1/games", {"ruleset": self._kind.ruleset, "setup": setup}, token))["game"])

    async def _game(self, game: str, tokens: Sequence[str], stop: asyncio.Event) -> None:
        for token in tokens:
            await self._send(game, token, f"/v1/games/{game}/seats", {})
        await self._send(game, tokens[0], f"/v1/games/{game}/commands", {"commands": [{"type": "StartGame"}]})
        while not stop.is_set():
            view = await self._shown(game, tokens[0])
            if view["status"] != "running":  # it is finished, or open again, because the log went back
                return
            for seat in () if self._kind.idle else view["to_move"]:
                if await self._moved(game, tokens[seat], stop):
                    break
            else:
                await asyncio.sleep(IDLE if self._kind.idle else PAUSE)

    async def _moved(self, game: str, token: str, stop: asyncio.Event) -> bool:
        """Make a move for a seat, or take its last one back. Return whether there was anything to send."""
        offered, _ = await self.asked("GET", f"/v1/games/{game}/offers", token)
        if not offered["offers"]:
            return False
        seen, _ = await self.asked("GET", f"/v1/games/{game}?at={offered['seq']}", token)
        commands = self._strategy(seen["view"], offered["offers"])[:1]
        back = any(offer["command"] == "TakeBack" for offer in offered["besides"])
        if back and self.dice.random() < TAKES_BACK:
            commands = [{"type": "TakeBack", "moves": 1}]
        if not commands:
            return False
        if "clock" in self._kind.setup and self.dice.random() < DAWDLES:
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self.dice.uniform(0.0, LONGEST))
        head = f'"{offered["seq"]}-{offered["hash"]}"'
        decided_on = {"If-Match": head} if "undo" in self._kind.setup else {}
        if self._head not in (None, head) and self.dice.random() < STALE:
            decided_on = {"If-Match": str(self._head)}
        self._head = head
        await self._send(game, token, f"/v1/games/{game}/commands", {"commands": commands}, decided_on)
        return True

    async def _shown(self, game: str, token: str) -> dict[str, Any]:
        """The current state of a game, which is recorded."""
        shown, span = await self.asked("GET", f"/v1/games/{game}", token)
        view: dict[str, Any] = shown["view"]
        self.history.seen.append(Seen(game, Told(shown["seq"], shown["hash"]), span, token, digest(view)))
        return view

    async def _send(
        self, game: str, token: str, path: str, body: dict[str, Any], headers: Mapping[str, str] = NO_HEADERS
    ) -> None:
        """Send a command until its end is known. Sometimes send it again under the same key."""
        sent = Sent(token, path, body, {"Idempotency-Key": uuid4().hex, **headers})
        request = self.history.invoke(game, sent)
        while request.outcome == "info" or not request.tries:
            tries = 2 if self.dice.random() < self.manners.twice else 1
            await asyncio.gather(*(self._try(request, sent) for _ in range(tries)))
            if request.tries[-1].outcome == "fail":
                break  # it is settled only if no earlier try has an unknown end
            if request.outcome != "ok":
                await asyncio.sleep(PAUSE)
        if request.outcome == "ok" and self.dice.random() < AGAIN:
            await self._try(request, sent)

    async def _try(self, request: Request, sent: Sent) -> None:
        token, path, body, headers = sent
        answer, span = await self.answer("POST", path, token, json=body, headers=headers)
        request.tries.append(tried_once(answer, span))

    async def _follow(self, game: str, stop: asyncio.Event) -> None:
        """Follow a game by its stream, resumed where it broke off, or from its beginning if that event is gone."""
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
                self.history.followed.append(stream.followed())
                self.following = None
            last = stream.next()
            await asyncio.sleep(PAUSE)

    async def _items(self, game: str, last: Told) -> AsyncGenerator[dict[str, Any], None]:
        headers = {"Accept": "application/x-ndjson"}
        if last.seq:
            headers["Last-Event-ID"] = f"{last.seq}-{last.hash}"
        url = f"{self.dice.choice(self.servers)}/v1/games/{game}/events"
        async with self.http.stream("GET", url, headers=headers, timeout=httpx.Timeout(SECONDS, read=40)) as answer:
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
    """A stream of a game, as it arrives."""

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
        """The event after which the next stream of the game begins. None if nothing more comes."""
        if self.end == "over":
            return None
        return NOWHERE if self.end in ("WentBack", "unknown") else self.last

    def followed(self) -> Followed:
        """Its result."""
        return Followed(self.game, self._began, self._first, self._events, self.end)


def tried_once(answer: httpx.Response | None, span: Span) -> Try:
    """The state of a command that was sent, according to its response."""
    if answer is not None and answer.is_success:
        result = answer.json()
        return Try(span, "ok", Told(result["seq"], result["hash"]), result["undone"])
    return Try(span, "fail" if answer is not None and answer.is_client_error else "info")


def digest(view: dict[str, Any]) -> str:
    """What distinguishes one view from another."""
    return sha256(msgspec.json.encode(view, order="deterministic")).hexdigest()
