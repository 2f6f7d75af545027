"""Servers that are killed, stopped, and frozen, and clocks that jump."""

import asyncio
import random
import signal

from tests.slow.chaos.stage import Server, Stage, send, until

JUMPS = (-3 * 365 * 86400, -86400, -3600, 3600, 86400, 3 * 365 * 86400)
"""Seconds that a clock jumps by."""


async def kill_a_server(stage: Stage, dice: random.Random) -> None:
    server = dice.choice(stage.servers)
    await server.end(signal.SIGKILL)
    await asyncio.sleep(dice.uniform(0.0, 1.5))
    await server.start()


async def kill_all_servers(stage: Stage, dice: random.Random) -> None:
    """The database with them: no process holds it anymore."""
    for server in stage.servers:
        await server.end(signal.SIGKILL)
    await asyncio.gather(*(server.start() for server in stage.servers))


async def stop_a_server(stage: Stage, dice: random.Random) -> None:
    server = dice.choice(stage.servers)
    if status := await server.end(signal.SIGTERM):
        stage.complain(f"{server.log.stem} was to end in order, and did so with status {status}")
    await server.start()


async def kill_a_worker(stage: Stage, dice: random.Random) -> None:
    """Another one takes its place."""
    before = stage.keeper.workers()
    send([dice.choice(before)], signal.SIGKILL)
    await until(lambda: len(stage.keeper.workers()) == len(before) and stage.keeper.workers() != before)


async def freeze_a_server(stage: Stage, dice: random.Random) -> None:
    server: Server = dice.choice(stage.servers)
    pids = server.workers()
    frozen = dice.sample(pids, dice.randint(1, len(pids)))
    send(frozen, signal.SIGSTOP)
    try:
        await asyncio.sleep(dice.uniform(0.5, 5.0))
    finally:
        send(frozen, signal.SIGCONT)


async def put_the_clock(stage: Stage, dice: random.Random) -> None:
    """The guest's clock jumps, shows another time for a while, in which it may be restarted, and jumps back."""
    stage.clock.write_text(str(dice.choice(JUMPS)))
    await asyncio.sleep(dice.uniform(1.5, 3.0))
    if dice.random() < 0.5:
        await stage.guest.end(signal.SIGKILL)
        await stage.guest.start()
    stage.clock.write_text("0")


FAULTS = {
    "a server killed": kill_a_server,
    "all servers killed, and the database with them": kill_all_servers,
    "a server stopped in order": stop_a_server,
    "a worker killed": kill_a_worker,
    "a server frozen for a while": freeze_a_server,
    "the clock of a server jumps": put_the_clock,
}
