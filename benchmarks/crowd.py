"""Sixty onlookers replay a game turn by turn, all at once: how long others wait for their answers meanwhile."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from statistics import median
from time import perf_counter

import httpx

from mcmulti.api.logging import configure
from mcmulti.events.memory import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.stream_server import finished_game

CROWD = 60


async def serve() -> None:
    """Run a server, and its clients in a process of their own."""
    configure(json=False, level="error")
    log = MemoryLog()
    game = await finished_game(log)
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener) as address:
            clients = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "benchmarks.crowd", address, f"/v1/games/{game}"
            )
            await clients.wait()


async def ask(address: str, game: str) -> None:
    """Ask one after the other, alone and in the crowd, and print milliseconds."""
    async with (
        httpx.AsyncClient(base_url=address, trust_env=False, timeout=100) as crowd,
        httpx.AsyncClient(base_url=address, trust_env=False, timeout=100) as player,
    ):
        token = (await player.post("/v1/players", json={"name": "Ada"})).json()["token"]
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
            for name, send in asked.items():
                start = perf_counter()
                (await send()).raise_for_status()
                taken[name].append(1000 * (perf_counter() - start))

        for _ in range(20):
            await waits(alone)
        start = perf_counter()
        parts = [f"{game}/replay?by=turn&limit=1000&after={after}" for after in range(CROWD)]
        replays = asyncio.gather(*(crowd.get(part) for part in parts))
        await asyncio.sleep(0.3)
        while not replays.done():
            await waits(among)
            await asyncio.sleep(0.02)
        for replay in await replays:
            replay.raise_for_status()
        print(f"{CROWD} replays took {perf_counter() - start:.1f} s")
        for name in asked:
            print(f"{name}: alone {median(alone[name]):.1f} ms, meanwhile {median(among[name]):.1f} ms, ", end="")
            print(f"at most {max(among[name]):.0f} ms of {len(among[name])}")


if __name__ == "__main__":
    asyncio.run(ask(*sys.argv[1:]) if len(sys.argv) > 1 else serve())
