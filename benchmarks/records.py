"""What it costs to keep who played what: a command, a game from its start to its end, a profile that is read.

Run as ``python -m benchmarks.records``. Servers that keep it and servers that do not take turns, so that other work
slows both.
"""

import asyncio
from contextlib import nullcontext
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from unittest.mock import patch
from uuid import UUID

import psycopg

from benchmarks.clocks import PLAYERS
from mcmulti.api.records import GAMES, record
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.core.leaving import Resign
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.events.log import Log
from mcmulti.referee.referee import Referee
from mcmulti.server.process import embedded, opened_log

_PLAYED = """
    INSERT INTO tenure SELECT gen_random_uuid(), %(player)s, %(ruleset)s, now(), false, 'lost',
        ARRAY[gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid()], 0, 0, 0
    FROM generate_series(1, %(games)s) AS number
"""

AT_ONCE, MOVES, ROUNDS = 25, 20, 24
"""Games at a time, moves in each of them, and how often."""


async def _opened(referee: Referee) -> UUID:
    game = (await referee.open(RULESET, RULESET.setup(seats=5))).position.game_id
    for player in PLAYERS:
        await referee.command(game, player, [TakeSeat(str(player.player_id))])
    return game


async def _moved(referee: Referee, game: UUID) -> None:
    for _ in range(MOVES):
        state = (await referee.known(game)).state
        (seat,) = RULESET.to_move(state)
        await referee.command(game, PLAYERS[seat], [RULESET.flow.least_move(state, seat)])


async def _started(referee: Referee, game: UUID) -> None:
    await referee.command(game, PLAYERS[0], [StartGame()])


async def _ended(referee: Referee, game: UUID) -> None:
    for player in PLAYERS[1:]:
        await referee.command(game, player, [Resign()])


async def _round(referee: Referee) -> list[float]:
    """Seconds that it took to start games, to move in them, and to leave them until one player is left."""
    games = await asyncio.gather(*(_opened(referee) for _ in range(AT_ONCE)))
    taken = []
    for part in (_started, _moved, _ended):
        start = perf_counter()
        await asyncio.gather(*(part(referee, game) for game in games))
        taken.append(perf_counter() - start)
    return taken


async def _compared(log: Log) -> None:
    taken: dict[bool, list[list[float]]] = {False: [], True: []}
    for number in range(ROUNDS):
        for kept in (False, True) if number % 2 else (True, False):
            without = patch("mcmulti.referee.referee.changed", lambda *_: ())
            with nullcontext() if kept else without:
                taken[kept].append(await _round(Referee(log)))
    for place, what in enumerate(("starting games", "moves", "leaving, to the end")):
        ratios = [after[place] / before[place] for before, after in zip(taken[False], taken[True], strict=True)]
        low, _, high = quantiles(ratios, n=4)
        print(f"{what}: ratio of the time, median {median(ratios):.2f}, half of the rounds {low:.2f} to {high:.2f}")


async def _read(log: Log, database: str) -> None:
    with psycopg.connect(database) as owner:
        owner.execute(_PLAYED, {"player": PLAYERS[0].player_id, "ruleset": RULESET.name, "games": 2 * GAMES})
    taken = []
    for _ in range(100):
        start = perf_counter()
        assert record(await log.tenures_of(PLAYERS[0].player_id, GAMES), ()).rulesets
        taken.append(1000 * (perf_counter() - start))
    print(f"the record of who played {2 * GAMES:,} games: median {median(taken):.1f} ms")


async def main() -> None:
    """Measure in a database of its own."""
    with TemporaryDirectory(prefix="mcmulti-records-") as folder:
        async with embedded(Path(folder)) as database, opened_log(database) as log:
            await _compared(log)
            await _read(log, database)


if __name__ == "__main__":
    asyncio.run(main())
