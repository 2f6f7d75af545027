"""Strangers who ask for too much, in ways that nobody should."""

import random

from tests.slow.chaos.stage import Server, Stage
from tests.slow.chaos.strangers import Strangers, hostile

CROWD = 60
SLOW = 150


async def be_hostile(stage: Stage, dice: random.Random) -> None:
    """Huge heads, doubled headers, padded ids, and noise, while many connections wait in the middle of a head."""
    server: Server = dice.choice(stage.servers)
    async with Strangers(server.address) as strangers:
        await strangers.crowd(SLOW if server is stage.keeper else SLOW // 2)
        for request, deserved in hostile(dice):
            status = await strangers.said(request)
            if status not in (deserved, 0):  # a close without a response counts, too
                stage.complain(f"{server.log.stem} answered {request[:60]!r} with {status}, not {deserved}")


async def read_dearly(stage: Stage, dice: random.Random) -> None:
    """Sixty spectators request sixty parts of a long game in turn."""
    server: Server = dice.choice(stage.servers)
    ways = [f"/v1/games/{stage.long_game}/replay?by=turn&limit=1000&after={dice.randrange(700)}" for _ in range(CROWD)]
    async with Strangers(server.address) as strangers:
        statuses = await strangers.statuses(ways)
    if statuses - {200, 429, 503, 0}:  # on a slow machine, some wait in vain
        stage.complain(f"{server.log.stem} answered dear reads with {sorted(statuses)}")


FAULTS = {
    "hostile clients": be_hostile,
    "sixty replays at once": read_dearly,
}
