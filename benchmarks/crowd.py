"""Sixty spectators replay a game turn by turn at once: how long others wait for responses meanwhile."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from statistics import median
from time import perf_counter

import httpx

from benchmarks.clients import tell, told_by
from benchmarks.figures import Aim, Figure, Item, Measure
from benchmarks.scale import Scale
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.stream_server import finished_game

PATIENCE = 100.0
"""Seconds for a response."""
REPLAYS = Figure("sixty replays at once", "s")
_ASKED = ("/readyz", "a command")
ALONE = {name: Figure(f"{name}, alone: p50", "ms") for name in _ASKED}
MEDIAN = {name: Figure(f"{name}, during sixty replays: p50", "ms") for name in _ASKED}
LONGEST = {name: Figure(f"{name}, during sixty replays: longest", "ms") for name in _ASKED}
FIGURES = (REPLAYS, *ALONE.values(), *MEDIAN.values(), *LONGEST.values())
AIMS = tuple(Aim(f"{name}: during sixty replays / alone", MEDIAN[name], (ALONE[name],), "under") for name in _ASKED)


async def _prepared(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    log = MemoryLog()
    game = await finished_game(log)
    listener = exits.enter_context(bound("127.0.0.1", 0))
    address = await exits.enter_async_context(answering(log, listener))
    names = iter(range(10**6))
    return [lambda: told_by("benchmarks.crowd", address, f"/v1/games/{game}", str(scale.replays), f"Ada {next(names)}")]


ITEMS = (Item("crowd", _prepared, FIGURES),)


async def ask(address: str, game: str, replays: int, name: str) -> None:
    """Send one request after another, alone and in the crowd, and report the times."""
    async with (
        httpx.AsyncClient(base_url=address, trust_env=False, timeout=PATIENCE) as crowd,
        httpx.AsyncClient(base_url=address, trust_env=False, timeout=PATIENCE) as player,
    ):
        token = (await player.post("/v1/players", json={"name": name})).json()["token"]
        player.headers["Authorization"] = f"Bearer {token}"
        new = {"ruleset": "mcmulti", "setup": {"seats": 2}}
        table = f"/v1/games/{(await player.post('/v1/games', json=new)).json()['game']}"
        await player.post(f"{table}/seats", json={})
        leave = {"commands": [{"type": "LeaveSeat"}]}
        asked: dict[str, Callable[[], Awaitable[httpx.Response]]] = {
            "/readyz": lambda: player.get("/readyz"),
            "a command": lambda: player.post(f"{table}/commands?dry_run=true", json=leave),
        }
        alone: dict[str, list[float]] = {name: [] for name in asked}
        among: dict[str, list[float]] = {name: [] for name in asked}

        async def waits(taken: dict[str, list[float]]) -> None:
            for what, send in asked.items():
                start = perf_counter()
                (await send()).raise_for_status()
                taken[what].append(1000 * (perf_counter() - start))

        for _ in range(20):
            await waits(alone)
        start = perf_counter()
        parts = [f"{game}/replay?by=turn&limit=1000&after={after}" for after in range(replays)]
        coming = asyncio.gather(*(crowd.get(part) for part in parts))
        await asyncio.sleep(0.3)
        await waits(among)
        while not coming.done():
            await asyncio.sleep(0.02)
            await waits(among)
        for replay in await coming:
            replay.raise_for_status()
        took = perf_counter() - start
    tell(
        [
            (REPLAYS, took),
            *((figure, median(alone[name])) for name, figure in ALONE.items()),
            *((figure, median(among[name])) for name, figure in MEDIAN.items()),
            *((figure, max(among[name])) for name, figure in LONGEST.items()),
        ]
    )


if __name__ == "__main__":
    asyncio.run(ask(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]))
