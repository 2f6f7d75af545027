"""How much an arena plays: decisions of random players beside catanatron's, and games by all processors beside one.

Every round measures each candidate once, in turn, so that a noisy machine is noisy for all of them; ratios are taken
round by round. A process of the arena plays, and another one, that counts, waits for it.
"""

import os
import statistics
import time
from collections.abc import Callable

import click
from rich.console import Console
from rich.table import Table

from benchmarks.rules import catan_games, catanatron_version, timed
from mcmulti.arena.pool import Contest, played, usable_processors
from mcmulti.arena.schedule import ArenaPlan, pairings
from mcmulti.domain.rulesets import CURRENT

SEATS = 4


def contest(ruleset: str, seed: int, strategy: str = "random") -> Contest:
    """A contest of one strategy with itself."""
    plan = ArenaPlan(1, ruleset, CURRENT[ruleset].version, {"seats": SEATS}, SEATS, seed, ("one", "another"))
    return Contest(plan, (strategy, strategy), 60.0, None)


def decisions(ruleset: str, games: int, seed: int) -> Callable[[], int]:
    """Games by one process; counts decisions."""
    asked = contest(ruleset, seed)
    return lambda: sum(game.decisions for game in played(asked, pairings(asked.plan, games), 1))


def games_by(processes: int, ruleset: str, games: int, seed: int) -> float:
    """Games a second of so many processes, which are started before the clock is."""
    asked = contest(ruleset, seed)
    wanted = pairings(asked.plan, games * processes)
    running = played(asked, wanted, processes)
    next(running)
    start = time.perf_counter()
    return sum(1 for _ in running) / (time.perf_counter() - start)


@click.command()
@click.option("--rounds", default=7, show_default=True, help="How often everything is measured.")
@click.option("--games", default=60, show_default=True, help="Games a round and process.")
def main(rounds: int, games: int) -> None:
    """Measure arenas and print two tables."""
    rates: dict[str, list[float]] = {name: [] for name in CURRENT}
    theirs: list[float] = []
    speeds: dict[int, list[float]] = {1: [], usable_processors(): []}
    for number in range(rounds):
        done, seconds = timed(catan_games(games, number * games))
        theirs.append(done / seconds)
        for ruleset, each in rates.items():
            done, seconds = timed(decisions(ruleset, games if ruleset != "postal" else max(4, games // 8), number))
            each.append(done / seconds)
        for processes, speed in speeds.items():
            speed.append(games_by(processes, "mcmulti", games, number))
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
    title = f"random against random, {SEATS} seats, one process; {rounds} rounds; load {load}"
    table = Table(
        "What", "Decisions/s, median", f"Times catanatron {catanatron_version()}", "Least to greatest", title=title
    )
    table.add_row("catanatron", f"{statistics.median(theirs):,.0f}", "", "")
    for ruleset, each in rates.items():
        ratios = [ours / other for ours, other in zip(each, theirs, strict=True)]
        spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
        table.add_row(ruleset, f"{statistics.median(each):,.0f}", f"{statistics.median(ratios):.2f}", spread)
    Console().print(table)
    one, all_ = speeds[1], speeds[usable_processors()]
    shares = [many / single / usable_processors() for many, single in zip(all_, one, strict=True)]
    alone, together = statistics.median(one), statistics.median(all_)
    print(f"box games/s by one process: {alone:.1f}; by {usable_processors()}: {together:.1f}")
    print(f"of one's rate times processors: {statistics.median(shares):.2f} ({min(shares):.2f} to {max(shares):.2f})")


if __name__ == "__main__":
    main()
