"""What clocks cost: a command in a game with one, the look for deadlines among 10,000 that run, an outage given back.

Run as ``python -m benchmarks.clocks``. Games with a clock and without take turns, so that other work slows both.
"""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any
from uuid import UUID

import psycopg
from msgspec import convert

from benchmarks.growth import FILL
from mcmulti.domain.core.commands import StartGame, TakeSeat
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.events.log import Log, Player
from mcmulti.referee.referee import Referee
from mcmulti.server.process import embedded, opened_log

RUNNING = 10_000
"""Clocks that run besides."""
GAMES, STAKES, ROUNDS = 50, 20, 40
"""Games at a time, stakes in each of them, and how often."""
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
    """Stakes of nothing, each of which ends a move, and a throw that is accepted now and then."""
    for _ in range(STAKES):
        position = await referee.known(game)
        (seat,) = RULESET.to_move(position.state)
        command: Any = RULESET.flow.least_move(position.state, seat)
        await referee.command(game, PLAYERS[seat], [command])


async def _seconds(referee: Referee, clock: dict[str, int] | None) -> tuple[float, float]:
    """How long all games took, and how long the processor worked for them here."""
    games = await asyncio.gather(*(_begun(referee, clock) for _ in range(GAMES)))
    start, worked = perf_counter(), process_time()
    await asyncio.gather(*(_played(referee, game) for game in games))
    return perf_counter() - start, process_time() - worked


async def _compared(referee: Referee) -> None:
    taken: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for number in range(ROUNDS):
        for timed in (False, True) if number % 2 else (True, False):
            taken[timed].append(await _seconds(referee, CLOCK if timed else None))
    rates = [GAMES * STAKES / median(seconds for seconds, _ in each) for each in taken.values()]
    print("commands a second: {:,.0f} without a clock, {:,.0f} with one, of which each ends a move".format(*rates))
    for place, what in enumerate(("time", "work of the server's processor")):
        ratios = [after[place] / before[place] for before, after in zip(*taken.values(), strict=True)]
        low, _, high = quantiles(ratios, n=4)
        print(f"ratio of the {what}: median {median(ratios):.3f}, half of the rounds {low:.2f} to {high:.2f}")


async def _milliseconds(log: Log) -> list[float]:
    """Of the looks that a scheduler takes, by one worker, once a second."""
    taken = []
    for _ in range(200):
        start = perf_counter()
        await log.keep_time()
        assert await log.due(datetime.now(UTC), 100) == []
        taken.append(1000 * (perf_counter() - start))
    return taken


async def measure(database: str) -> None:
    """Print what was measured."""
    async with opened_log(database) as log:
        referee = Referee(log)
        print(f"the look, no clock runs: median {median(await _milliseconds(log)):.2f} ms")
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute(FILL.format(games=RUNNING, events=5))
            owner.execute("UPDATE game SET deadline_at = now() + interval '1 day'")
            owner.execute("ANALYZE")
        print(f"the look, {RUNNING:,} clocks run: median {median(await _milliseconds(log)):.2f} ms")
        await _compared(referee)
        with psycopg.connect(database, autocommit=True) as owner:
            owner.execute("UPDATE heartbeat SET at = at - interval '1 minute'")
        start = perf_counter()
        assert await log.keep_time()
        print(f"an outage given back to {RUNNING:,} games: {1000 * (perf_counter() - start):.0f} ms")


async def main() -> None:
    """Measure in a database of its own."""
    with TemporaryDirectory(prefix="mcmulti-clocks-") as folder:
        async with embedded(Path(folder)) as database:
            await measure(database)


if __name__ == "__main__":
    asyncio.run(main())
