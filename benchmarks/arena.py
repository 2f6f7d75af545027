"""How much an arena plays: decisions of random players beside catanatron's, and games by all processors beside one.

A process of the arena plays, and another one, which counts, waits for it.
"""

import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.rules import catanatron_rate, timed
from benchmarks.scale import Scale
from mcmulti.arena.play import Contest
from mcmulti.arena.pool import played, usable_processors
from mcmulti.arena.schedule import ArenaPlan, pairings
from mcmulti.domain.rulesets import CURRENT, PLAYED_BY_ORDERS

SEATS = 4


def contest(ruleset: str, seed: int, strategy: str = "random") -> Contest:
    """A contest of one strategy with itself."""
    plan = ArenaPlan(1, ruleset, CURRENT[ruleset].version, {"seats": SEATS}, SEATS, seed, ("one", "another"))
    return Contest(plan, (strategy, strategy), 60.0, None)


def decisions(ruleset: str, games: int, seed: int) -> Callable[[], int]:
    """Games by one process. Counts decisions."""
    asked = contest(ruleset, seed)
    return lambda: sum(game.decisions for game in played(asked, pairings(asked.plan, games), 1))


def games_by(processes: int, ruleset: str, games: int, seed: int) -> float:
    """Games per second with this many processes, which are started before the clock is."""
    asked = contest(ruleset, seed)
    wanted = pairings(asked.plan, games * processes)
    running = played(asked, wanted, processes)
    next(running)
    start = time.perf_counter()
    return sum(1 for _ in running) / (time.perf_counter() - start)


DECISIONS = {name: Figure(f"{name}, arena of random players", "decisions/s") for name in CURRENT}
CATANATRON = Figure("catanatron, its own random players", "decisions/s")
ONE = Figure("box games by one process", "games/s")
ALL = Figure("box games by a process for each processor", "games/s")
AIMS = (
    *(Aim(f"{name}, arena / catanatron", figure, (CATANATRON,)) for name, figure in DECISIONS.items()),
    Aim("box games: a process for each processor / one process", ALL, (ONE,)),
)


async def _played(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    numbers = count()

    async def measure() -> Taken:
        number, taken = next(numbers), {}
        for ruleset, figure in DECISIONS.items():
            games = max(4, scale.games // 8) if ruleset in PLAYED_BY_ORDERS else scale.games
            done, seconds = timed(decisions(ruleset, games, number))
            taken[figure] = done / seconds
        return taken

    return [measure]


async def _catan(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    return [catanatron_rate(CATANATRON, scale.games)]


async def _processes(scale: Scale, _: AsyncExitStack) -> list[Measure]:
    numbers = count()

    async def measure() -> Taken:
        number = next(numbers)
        return {
            figure: games_by(processes, "mcmulti", 2 * scale.games, number)
            for figure, processes in ((ONE, 1), (ALL, usable_processors()))
        }

    return [measure]


ITEMS = (
    Item("play", _played, tuple(DECISIONS.values())),
    Item("catanatron", _catan, (CATANATRON,), ("catanatron",)),
    Item("processes", _processes, (ONE, ALL)),
)
