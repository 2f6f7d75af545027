"""What clocks cost: a command in a game with one, the check of deadlines among 10,000, an outage given back.

Games with a clock and without take turns, so that other work slows both.
"""

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any
from uuid import UUID

import psycopg
from msgspec import convert
from psycopg.conninfo import make_conninfo

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.growth import filled
from benchmarks.scale import Scale
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.log import Log
from mcmulti.referee.referee import Referee
from mcmulti.server.database import embedded

STAKES = 20
"""In each game."""
LOOKS = 50
PLAYERS = [Player(UUID(int=number + 1), "") for number in range(5)]
CLOCK = {"move_seconds": 3600, "bank_seconds": 600}


async def _begun(referee: Referee, clock: dict[str, int] | None) -> UUID:
    setup = convert({"seats": 5, "clock": clock}, RULESET.setup)
    game = (await referee.open(RULESET, setup)).position.game_id
    for player in PLAYERS:
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    await referee.command(game, PLAYERS[0], [StartGame()])
    return game


async def _played(referee: Referee, game: UUID) -> None:
    """Empty stakes, each of which ends a move, and an accepted throw now and then."""
    for _ in range(STAKES):
        position = await referee.known(game)
        (seat,) = RULESET.to_move(position.state)
        command: Any = RULESET.flow.default_answer(position.state, seat)
        await referee.command(game, PLAYERS[seat], [command])


async def _seconds(referee: Referee, clock: dict[str, int] | None, number: int) -> tuple[float, float]:
    """How long all games took, and how long the processor worked for them here."""
    games = await asyncio.gather(*(_begun(referee, clock) for _ in range(number)))
    start, worked = perf_counter(), process_time()
    await asyncio.gather(*(_played(referee, game) for game in games))
    return perf_counter() - start, process_time() - worked


LOOK = Figure("the scheduler looks for deadlines, no clock runs", "ms")
BUSY_LOOK = Figure("the scheduler looks for deadlines, 10,000 clocks run", "ms")
WALL = {timed: Figure(f"commands {'with' if timed else 'without'} a clock: time", "ms") for timed in (False, True)}
CPU = {timed: Figure(f"commands {'with' if timed else 'without'} a clock: CPU", "ms") for timed in (False, True)}
OUTAGE = Figure("an outage is added to 10,000 clocks", "ms")
AIMS = (
    Aim("time of commands with a clock / without", WALL[True], (WALL[False],), "under"),
    Aim("CPU of commands with a clock / without", CPU[True], (CPU[False],), "under"),
    Aim("the scheduler looks: 10,000 clocks / none", BUSY_LOOK, (LOOK,), "under"),
)


async def _look(log: Log) -> float:
    """Milliseconds of a scheduler, with one worker, once a second. The median of `LOOKS`."""
    taken = []
    for _ in range(LOOKS):
        start = perf_counter()
        await log.keep_time()
        assert await log.due(datetime.now(UTC), 100) == []
        taken.append(1000 * (perf_counter() - start))
    return median(taken)


async def _prepared(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    folder = Path(exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
    conninfo = await exits.enter_async_context(embedded(folder))
    quiet = await exits.enter_async_context(filled(conninfo, "quiet", 0))
    busy = await exits.enter_async_context(filled(conninfo, "busy", scale.clocks))
    database = make_conninfo(conninfo, dbname="busy")
    with psycopg.connect(database, autocommit=True) as owner:
        owner.execute("UPDATE game SET deadline_at = now() + interval '1 day'")
        owner.execute("ANALYZE")
    order = cycle(((False, True), (True, False)))

    async def looks() -> Taken:
        return {LOOK: await _look(quiet), BUSY_LOOK: await _look(busy)}

    async def compared() -> Taken:
        taken: dict[Figure, float] = {}
        for timed in next(order):
            wall, cpu = await _seconds(Referee(busy), CLOCK if timed else None, scale.played)
            each = 1000 / (scale.played * STAKES)
            taken |= {WALL[timed]: wall * each, CPU[timed]: cpu * each}
        return taken

    async def outage() -> Taken:
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute("UPDATE heartbeat SET at = at - interval '1 minute'")
        start = perf_counter()
        assert await busy.keep_time()
        return {OUTAGE: 1000 * (perf_counter() - start)}

    return [looks, compared, outage]


ITEMS = (Item("clocks", _prepared, (LOOK, BUSY_LOOK, *WALL.values(), *CPU.values(), OUTAGE)),)
