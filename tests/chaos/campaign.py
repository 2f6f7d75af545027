"""A campaign: two servers on one database, clients that play, one fault after the other, and the verdict."""

import asyncio
import random
import socket
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import httpx

from mcmulti.events.embedded import EmbeddedPostgres
from mcmulti.events.envelope import Recorded
from mcmulti.events.migrate import migrate
from mcmulti.events.postgres import PostgresLog
from tests.chaos.checker import Verdict, check
from tests.chaos.faults import Faults, Server
from tests.chaos.history import History
from tests.chaos.player import Player
from tests.events.deaf import way_to

SERVERS = 2
PLAYERS = 6
BETWEEN = (0.5, 2.5)
"""Seconds between two faults."""
RECOVERY = 60.0
"""Seconds within which all servers have to answer again, once the last fault is over."""
RULESETS = ("mcmulti", "marracash", "millionenspiel")


class Outcome(NamedTuple):
    """What came of a campaign. `faults`: how many of each kind; `slowest` and `recovered`: seconds."""

    faults: Mapping[str, int]
    games: int
    tries: int
    acknowledged: int
    refused: int
    unknown: int
    slowest: float
    recovered: float
    verdict: Verdict


async def campaign(folder: Path, seconds: float, seed: int) -> Outcome:
    """Play for so many seconds under faults that the seed chooses, and look at what is left."""
    dice = random.Random(seed)
    postgres = EmbeddedPostgres(folder / "data")
    await asyncio.to_thread(postgres.start)
    try:
        await migrate(postgres.url())
        async with way_to(postgres.url()) as (way, database):
            servers = [Server(database, _free_port(), folder / f"server-{number}.log") for number in range(SERVERS)]
            await asyncio.gather(*(server.start() for server in servers))
            try:
                return await _under_faults(servers, Faults(servers, postgres, way, dice), postgres, seconds, dice)
            finally:
                for server in servers:
                    await server.end(9)
    finally:
        await asyncio.to_thread(postgres.stop)


async def _under_faults(
    servers: list[Server], faults: Faults, postgres: EmbeddedPostgres, seconds: float, dice: random.Random
) -> Outcome:
    history, stop, done = History(), asyncio.Event(), Counter[str]()
    addresses = [server.address for server in servers]
    players = [
        Player(addresses, history, dice.randrange(2**31), RULESETS[number % len(RULESETS)]) for number in range(PLAYERS)
    ]
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(stop))
        end = time.monotonic() + seconds
        kinds = list(faults.kinds)
        while time.monotonic() < end:
            await asyncio.sleep(dice.uniform(*BETWEEN))
            kind = dice.choice(kinds)
            await faults.kinds[kind]()
            done[kind] += 1
        recovered = await _until_ready(addresses)
        stop.set()
    logs = await _logs(postgres.url(), history.games())
    return Outcome(
        done,
        len(logs),
        history.tries(),
        history.number("ok"),
        history.number("fail"),
        history.number("info"),
        max(player.slowest for player in players),
        recovered,
        check(history, logs),
    )


async def _until_ready(addresses: Sequence[str]) -> float:
    """Seconds until all servers are ready. Raises TimeoutError."""
    began = time.monotonic()
    async with asyncio.timeout(RECOVERY), httpx.AsyncClient(trust_env=False, timeout=15) as client:
        for address in addresses:
            while True:
                try:
                    if (await client.get(f"{address}/readyz")).is_success:
                        break
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.1)
    return time.monotonic() - began


async def _logs(database: str, games: Sequence[str]) -> dict[str, list[Recorded]]:
    async with PostgresLog.open(database) as log:
        return {game: await log.read(UUID(game)) for game in games}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])
