"""The work of any request without a token about an uncached game of 1,500 events is bounded.

Time depends on the machine, so what takes time is counted: function calls, and events that are read.
"""

from typing import NamedTuple

import httpx

from benchmarks.anonymous import ASKS, Games, prepared
from mcmulti.api.app import application
from mcmulti.events.memory.log import MemoryLog
from mcmulti.metering import Meter, Payer, begin
from tests.guard.counting import counted, counting

CALLS = 52
"""Calls of our functions for each event of the game. A report of the game, which takes most, makes 47."""
PAGE = 300
"""Further events that may be read: a moment is up to 200 from the nearest snapshot."""
TWICE = {"getGame", "getGameFile", "getHledgerJournal", "getBeancountJournal", "downloadGames"}
"""Operations that may read each event twice.

What is sent in pieces is checked first, and the first request makes the snapshots. A download also has the game by
post, which is shorter.
"""
READINGS = [operation for operation, ask in ASKS.items() if ask.sent is None and "/stream" not in ask.path]


class Work(NamedTuple):
    """The cost of a request: function calls, and events that were read."""

    calls: int
    events: int


async def test_no_anonymous_request_costs_more_than_its_bound() -> None:
    log = MemoryLog()
    games = await prepared(log)
    with counting():
        app = application(log)
        transport = httpx.ASGITransport(app)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://mcmulti") as client:
            for operation in READINGS:
                app.state.service.referee.forget()
                found = await _asked(client, games, operation)
                assert found.calls <= CALLS * games.events, (operation, found)
                assert found.events <= (2 if operation in TWICE else 1) * games.events + PAGE, (operation, found)


async def _asked(client: httpx.AsyncClient, games: Games, operation: str) -> Work:
    named = {"game": games.game, "post": games.post, "at": games.events - 1, "name": 0}
    request = ASKS[operation].request(client, "192.0.2.1", **named)
    meter, statuses = Meter(Payer("192.0.2.1", "192.0.2.1")), list[int]()

    async def send() -> None:
        begin(meter)
        statuses.append((await client.send(request)).status_code)

    tally = await counted(send)
    assert statuses == [404 if operation in ("getPlayer", "getSeries") else 200]
    return Work(tally.calls.total(), meter.events)
