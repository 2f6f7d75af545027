"""What the record of who played what costs: for a command, a whole game, and a profile that is read.

Servers with and without it take turns, so that other work slows both.
"""

import asyncio
from contextlib import AsyncExitStack, nullcontext
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from unittest.mock import patch
from uuid import UUID

import psycopg

from benchmarks.clocks import PLAYERS
from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.scale import Scale
from mcmulti.api.telling.records import GAMES, record
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.referee.referee import Referee
from mcmulti.server.database import embedded, opened_log

_PLAYED = """
    INSERT INTO tenure SELECT gen_random_uuid(), %(player)s, %(ruleset)s, now(), false, 'lost',
        ARRAY[gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid()], 0, 0, 0
    FROM generate_series(1, %(games)s) AS number
"""

MOVES, READS = 20, 20


async def _opened(referee: Referee) -> UUID:
    game = (await referee.open(RULESET, RULESET.setup(seats=5))).position.game_id
    for player in PLAYERS:
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    return game


async def _moved(referee: Referee, game: UUID) -> None:
    for _ in range(MOVES):
        state = (await referee.known(game)).state
        (seat,) = RULESET.to_move(state)
        await referee.command(game, PLAYERS[seat], [RULESET.flow.default_answer(state, seat)])


async def _started(referee: Referee, game: UUID) -> None:
    await referee.command(game, PLAYERS[0], [StartGame()])


async def _ended(referee: Referee, game: UUID) -> None:
    for player in PLAYERS[1:]:
        await referee.command(game, player, [Resign()])


async def _round(referee: Referee, number: int) -> list[float]:
    """Seconds to start games, to move in them, and to leave them until one player is left."""
    games = await asyncio.gather(*(_opened(referee) for _ in range(number)))
    taken = []
    for part in (_started, _moved, _ended):
        start = perf_counter()
        await asyncio.gather(*(part(referee, game) for game in games))
        taken.append(perf_counter() - start)
    return taken


PARTS = ("start 25 games", "500 moves", "leave 25 games, to the last player")
TAKEN = {
    kept: [Figure(f"{part}, {'with' if kept else 'without'} records", "ms") for part in PARTS] for kept in (False, True)
}
PROFILE = Figure("read the record of a player of 1,000 games, of which 500 count", "ms")
AIMS = tuple(
    Aim(f"{part}: with records / without", kept, (without,), "under")
    for part, kept, without in zip(PARTS, TAKEN[True], TAKEN[False], strict=True)
)


async def _prepared(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    folder = Path(exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
    database = await exits.enter_async_context(embedded(folder))
    log = await exits.enter_async_context(opened_log(database))
    reader = UUID(int=99)
    with psycopg.connect(database) as owner:
        owner.execute(_PLAYED, {"player": reader, "ruleset": RULESET.name, "games": 2 * GAMES})
    order = cycle(((False, True), (True, False)))

    async def compared() -> Taken:
        taken: dict[Figure, float] = {}
        for kept in next(order):
            without = patch("mcmulti.referee.referee.rows", lambda *_: ())
            with nullcontext() if kept else without:
                seconds = await _round(Referee(log), max(1, scale.played // 2))
            taken |= {figure: 1000 * each for figure, each in zip(TAKEN[kept], seconds, strict=True)}
        return taken

    async def read() -> Taken:
        taken = []
        for _ in range(READS):
            start = perf_counter()
            assert record(await log.tenures_of(reader, GAMES), ()).rulesets
            taken.append(1000 * (perf_counter() - start))
        return {PROFILE: median(taken)}

    return [compared, read]


ITEMS = (Item("records", _prepared, (*TAKEN[False], *TAKEN[True], PROFILE)),)
