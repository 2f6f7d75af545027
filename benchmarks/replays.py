"""How fast games are replayed: from the log to frames, and to any moment over HTTP.

Every round measures each candidate once, in turn; ratios are taken round by round and their median is reported.
"""

import asyncio
import platform
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from uuid import UUID

import click
import httpx
from rich.console import Console
from rich.table import Table

from benchmarks.rules import ratio
from mcmulti.api.logging import configure
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.envelope import Recorded
from mcmulti.events.log import Log, TableRow
from mcmulti.projections.proof import verify
from mcmulti.projections.replay import frames
from mcmulti.server.process import answering, bound, embedded, opened_log
from mcmulti.simulation import any_offer, carry_on, play, set_up
from tests.games import record

LONG = 5000
"""Events of the long game."""
ASKED = 50
"""Requests of a round."""


def long_game() -> list[Recorded]:
    """A game in which nobody ever declares victory, cut off behind its event `LONG`."""
    random = Random(1)
    game_id = "00000000-0000-4000-8000-00000000abcd"
    chance = SeededChance(bytes(32), game_id)
    steps = list(set_up(RULESET, Setup(seats=4), game_id, chance))
    steps += carry_on(RULESET, steps[-1].state, chance, random, _without_end, most_steps=LONG)
    events = record(UUID(game_id), steps)
    if len(events) < LONG:
        raise AssertionError(f"the long game has {len(events)} events only")
    return events[:LONG]


def _without_end(random: Random, offers: tuple[Offer, ...]) -> Offer:
    undeclared = tuple(offer for offer in offers if offer.command != "DeclareVictory")
    return any_offer(random, undeclared, RULESET.commands.weights)


async def replayed(log: Log, rounds: int) -> list[tuple[str, str]]:
    """Events/s of a whole finished game, from Postgres: read, verify, fold and tell."""
    steps = list(play(RULESET, Setup(seats=4), 7))
    events = record(UUID(steps[0].state.game_id), steps)
    game = events[0].game_id
    await log.create(game, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), events)
    rates: dict[str, list[float]] = {"read": [], "verify": [], "frames": [], "all of it": []}
    for _ in range(rounds):
        start = time.perf_counter()
        read = await log.read(game)
        after_read = time.perf_counter()
        if verify(read).fault is not None:
            raise AssertionError("the game is not proven")
        after_verify = time.perf_counter()
        told = sum(1 for _ in frames(RULESET, None, read))
        end = time.perf_counter()
        for name, seconds in (
            ("read", after_read - start),
            ("verify", after_verify - after_read),
            ("frames", end - after_verify),
            ("all of it", end - start),
        ):
            rates[name].append(told / seconds)
    return [(f"a game of {len(events):,} events: {name}, events/s", f"{median(of):,.0f}") for name, of in rates.items()]


async def moments(log: Log, rounds: int) -> list[tuple[str, str]]:
    """Milliseconds of ``?at=`` near the beginning and at the end of a long game, and their ratio."""
    events = long_game()
    game = events[0].game_id
    await log.create(game, RULESET.name, RULESET.version, TableRow("running"), bytes(32), events)
    taken: dict[int, list[float]] = {100: [], LONG - 1: []}
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener) as address, httpx.AsyncClient(base_url=address, trust_env=False) as client:
            for number in range(rounds + 1):
                for seq, milliseconds in taken.items():
                    start = time.perf_counter()
                    for _ in range(ASKED):
                        (await client.get(f"/v1/games/{game}?at={seq}")).raise_for_status()
                    if number:  # the first round makes the snapshots
                        milliseconds.append(1000 * (time.perf_counter() - start) / ASKED)
    rows = [(f"?at={seq} of {LONG:,} events, ms", f"{median(of):.2f}") for seq, of in taken.items()]
    return [*rows, (f"?at={LONG - 1} against ?at=100", ratio(taken[LONG - 1], taken[100]))]


async def measured(rounds: int) -> list[tuple[str, str]]:
    """All rows."""
    with tempfile.TemporaryDirectory() as folder:
        async with embedded(Path(folder)) as conninfo, opened_log(conninfo) as log:
            return await replayed(log, rounds) + await moments(log, rounds)


@click.command()
@click.option("--rounds", default=7, show_default=True, help="How often everything is measured.")
def main(rounds: int) -> None:
    """Measure replays and print a table."""
    configure(json=False, level="error")
    title = f"{platform.machine()}, Python {platform.python_version()}, {rounds} rounds"
    table = Table("What", "Median (least to greatest)", title=title)
    for row in asyncio.run(measured(rounds)):
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
