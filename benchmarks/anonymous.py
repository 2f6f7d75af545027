"""Requests to a server without a token: the one of each operation that costs the most.

`costs` measures one of each, on a server that has nothing cached. `siege` has a hostile address repeat them, each time
about something else, next to an honest player.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from secrets import token_hex
from statistics import quantiles
from typing import Any, NamedTuple
from uuid import UUID

import httpx

from mcmulti.events.ports.log import Log
from mcmulti.notify.mail.links import CONFIRMATION, UNSUBSCRIPTION
from tests.api.stream_server import finished_game

NDJSON, CSV, MARKDOWN = "application/x-ndjson", "text/csv", "text/markdown"
AT_ONCE = 4
"""Concurrent requests of the hostile address."""
PATIENCE = 120.0
"""Seconds for a response."""


class Ask(NamedTuple):
    """A request.

    Its path contains `{game}`, a finished game; `{post}`, one by post; `{at}`, an event; `{early}`, one 25 before; and
    `{name}`.
    """

    path: str
    accept: str = "application/json"
    sent: Mapping[str, str] | None = None
    """The body of a POST, with the same placeholders. None for a GET."""

    def request(self, client: httpx.AsyncClient, address: str, **named: Any) -> httpx.Request:
        """The request as it comes from an address."""
        named["early"] = named["at"] - 25
        body = None if self.sent is None else {field: text.format(**named) for field, text in self.sent.items()}
        headers = {"Accept": self.accept, "X-Forwarded-For": address}
        method = "GET" if body is None else "POST"
        return client.build_request(method, self.path.format(**named), json=body, headers=headers)


_GAME = "/v1/games/{game}"
ASKS: Mapping[str, Ask] = {
    "getIndex": Ask("/", "text/html"),
    "isAlive": Ask("/healthz"),
    "isReady": Ask("/readyz"),
    "listKeys": Ask("/v1/keys"),
    "registerPlayer": Ask("/v1/players", sent={"name": "Eve {name}"}),
    "getPlayer": Ask("/v1/players/00000000-0000-4000-8000-0000000{at:05}"),
    "listRatings": Ask("/v1/ratings?ruleset=mcmulti&limit=100"),
    "listRulesets": Ask("/v1/rulesets"),
    "getRuleset": Ask("/v1/rulesets/mcmulti"),
    "getGuide": Ask("/v1/rulesets/mcmulti/guide"),
    "drawExample": Ask("/v1/rulesets/mcmulti/example.svg?step=6", "image/svg+xml"),
    "listPuzzles": Ask("/v1/rulesets/mcmulti/puzzles"),
    "drawPuzzle": Ask("/v1/rulesets/mcmulti/puzzle.svg?puzzle=1", "image/svg+xml"),
    "confirmEmail": Ask("/v1/email/confirm", sent={"token": "A" * CONFIRMATION}),
    "unsubscribeEmail": Ask(f"/v1/email/unsubscribe/{'A' * UNSUBSCRIPTION}", sent={}),
    "listGames": Ask("/v1/games?limit=100&named=a"),
    "followLobby": Ask("/v1/games/stream?limit=1000", NDJSON),
    "getSeries": Ask("/v1/series/00000000-0000-4000-8000-0000000{at:05}"),
    "downloadGames": Ask("/v1/games/finished?limit=1000", NDJSON),
    "getGame": Ask(f"{_GAME}?at={{at}}"),
    "getRating": Ask(f"{_GAME}/rating"),
    "readChat": Ask(f"{_GAME}/chat"),
    "getReview": Ask(f"{_GAME}/review"),
    "listEvents": Ask(f"{_GAME}/events?limit=1000&until={{at}}"),
    "listBoards": Ask(f"{_GAME}/boards?limit=25&after={{early}}"),
    "drawBoard": Ask(f"{_GAME}/board.svg?at={{at}}", "image/svg+xml"),
    "writeBoard": Ask(f"{_GAME}/board.txt?at={{at}}", "text/plain"),
    "shareBoard": Ask(f"{_GAME}/board.png?at={{at}}", "image/png"),
    "getProof": Ask(f"{_GAME}/proof?at={{at}}&limit=1000"),
    "getGameFile": Ask(f"{_GAME}/file", NDJSON),
    "getPosition": Ask(f"{_GAME}/position?at={{at}}"),
    "getLedger": Ask(f"{_GAME}/ledger?at={{at}}", CSV),
    "getBalances": Ask(f"{_GAME}/balances?at={{at}}", CSV),
    "getStatements": Ask(f"{_GAME}/statements?at={{at}}", CSV),
    "getFlows": Ask(f"{_GAME}/flows?at={{at}}", CSV),
    "getHledgerJournal": Ask(f"{_GAME}/ledger.journal?at={{at}}", "text/plain"),
    "getBeancountJournal": Ask(f"{_GAME}/ledger.beancount?at={{at}}", "text/plain"),
    "replayGame": Ask(f"{_GAME}/replay?until={{at}}", NDJSON),
    "getGameReport": Ask(f"{_GAME}/report?at={{at}}", MARKDOWN),
    "listRounds": Ask("/v1/games/{post}/rounds?limit=1000"),
    "getRoundReport": Ask("/v1/games/{post}/rounds/2", MARKDOWN),
    "drawChart": Ask(f"{_GAME}/charts/cash?at={{at}}", "image/svg+xml"),
    "getStatistics": Ask(f"{_GAME}/statistics?at={{at}}"),
}
"""By operation."""


class Games(NamedTuple):
    """The games that are requested, and how many events the first of them has before its last, which ends it."""

    game: UUID
    post: UUID
    events: int


async def prepared(log: Log) -> Games:
    """A finished game of the box, and one by post, written to a log."""
    game, post = await finished_game(log), await finished_game(log, ruleset="postal")
    return Games(game, post, (await log.game(game)).head.seq - 1)


class Besieged(NamedTuple):
    """An honest player's view: latencies in milliseconds, and responses other than success.

    `hostile`: the statuses that the hostile address got, by operation, with their numbers.
    """

    latencies: list[float]
    failures: list[str]
    hostile: dict[str, Counter[int]]

    def beside(self) -> dict[str, list[float]]:
        """The latencies beside each operation."""
        each = len(self.latencies) // len(self.hostile)
        return {name: self.latencies[each * n : each * (n + 1)] for n, name in enumerate(self.hostile)}


def percentile_99(latencies: Sequence[float]) -> float:
    """The 99th percentile."""
    return quantiles(latencies, n=100, method="inclusive")[98]


async def siege(url: str, games: Games, most: int, rounds: int, seconds: float) -> Besieged:
    """A hostile address repeats the costliest request of an operation until it is refused, `most` times, or this long.

    Each operation has an address of its own, and beside it an honest player, also new, who plays this many rounds. The
    server must trust its proxies at the loopback address.
    """
    found, names = Besieged([], [], {}), token_hex(4)
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE, limits=limits) as client:
        for number, (operation, ask) in enumerate(ASKS.items(), 1):
            numbers = count()
            address, name = f"192.0.2.{number}", f"{names} {number}"
            hostile = (_hostile(client, games, ask, address, name, numbers, most, seconds) for _ in range(AT_ONCE))
            honest = _honest(client, f"198.51.100.{number}", name, rounds, found)
            statuses, _ = await asyncio.gather(asyncio.gather(*hostile), honest)
            found.hostile[operation] = sum(statuses, Counter())
    return found


async def _hostile(
    client: httpx.AsyncClient,
    games: Games,
    ask: Ask,
    address: str,
    name: str,
    numbers: "count[int]",
    most: int,
    seconds: float,
) -> Counter[int]:
    """The number of responses with each status."""
    until, statuses = time.monotonic() + seconds, Counter[int]()
    while 429 not in statuses and time.monotonic() < until and (turn := next(numbers)) < most:
        at = games.events - turn % (games.events // 2)
        named = {"game": games.game, "post": games.post, "at": at, "name": f"{name} {turn}"}
        response = await client.send(ask.request(client, address, **named), stream=True)
        statuses[response.status_code] += 1
        if "/stream" in ask.path:
            await response.aclose()
        else:
            await response.aread()
    return statuses


async def _honest(client: httpx.AsyncClient, address: str, name: str, rounds: int, found: Besieged) -> None:
    """A player opens a table, sits down, looks around, and stands up again, for this many rounds."""
    headers = {"X-Forwarded-For": address}

    async def send(method: str, path: str, body: object = None) -> httpx.Response:
        began = time.perf_counter()
        response = await client.request(method, path, json=body, headers=headers)
        found.latencies.append(1000 * (time.perf_counter() - began))
        if not response.is_success:
            found.failures.append(f"{method} {path}: {response.status_code} {response.text}")
        return response

    registered = await send("POST", "/v1/players", {"name": f"Ada {name}"})
    headers["Authorization"] = f"Bearer {registered.json()['token']}"
    opened = await send("POST", "/v1/games", {"ruleset": "mcmulti", "setup": {"seats": 2}})
    table = f"/v1/games/{opened.json()['game']}"
    for _ in range(rounds):
        await send("POST", f"{table}/seats", {})
        await send("GET", table)
        await send("GET", f"{table}/offers")
        await send("POST", f"{table}/commands", {"commands": [{"type": "LeaveSeat"}]})
