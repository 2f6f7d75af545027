"""Everything about the server, side by side on one Postgres: limits, a peer, commands, reads, streams, growth.

Every round measures each candidate once, in turn. Ratios are taken round by round. Postgres has fsync and
synchronous_commit on, as it always has here; servers are processes of their own, logging as operators have it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import psycopg
import uvloop
from rich.console import Console

from benchmarks import limits
from benchmarks.commands import Games
from benchmarks.comparisons import AIMS
from benchmarks.figures import Figures, print_markdown, print_tables, versions
from benchmarks.items import PARTS, QUICK, Bench, Scale
from benchmarks.sample import events_per_command
from mcmulti.api.logging import configure
from mcmulti.server.process import embedded, opened_log, settle

CONNECTIONS = 300
"""Enough for all that is measured: several servers, and the clients of pgbench."""


@asynccontextmanager
async def prepared_bench(scale: Scale) -> AsyncIterator[Bench]:
    """A Postgres of its own in a temporary folder, with the log in it."""
    async with AsyncExitStack() as exits:
        folder = Path(exits.enter_context(TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
        async with embedded(folder) as conninfo:
            with psycopg.connect(conninfo, autocommit=True) as connection:
                connection.execute(f"ALTER SYSTEM SET max_connections = {CONNECTIONS}".encode())
        conninfo = await exits.enter_async_context(embedded(folder))
        log = await exits.enter_async_context(opened_log(conninfo))
        limits.prepare(conninfo)
        yield Bench(conninfo, folder, log, Games(log), scale, exits)


async def measured(only: Sequence[str], scale: Scale, console: Console) -> Figures:
    """All figures of these items."""
    figures = Figures()
    async with prepared_bench(scale) as bench:
        measures = {item: await PARTS[item](bench) for item in only}
        for number in range(scale.rounds):
            for item, candidates in measures.items():
                start = time.perf_counter()
                for measure in candidates:
                    figures.add(await measure())
                took = time.perf_counter() - start
                console.print(f"round {number + 1}, item {item}: {took:.0f} s", highlight=False)
    return figures


@click.command()
@click.option("--rounds", default=5, show_default=True, help="How often everything is measured.")
@click.option("--seconds", default=1.5, show_default=True, help="How long a measurement lasts.")
@click.option("--only", default=",".join(PARTS), show_default=True, metavar="ITEMS", help="Which items.")
@click.option("--quick", is_flag=True, help="Little of everything, to see that it runs; the figures are worth nothing.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
def main(rounds: int, seconds: float, only: str, quick: bool, markdown: bool) -> None:
    """Measure the server and print tables."""
    configure(json=False, level="error")
    settle()
    scale = QUICK if quick else Scale(rounds, seconds)
    items = [item for item in only.split(",") if item]
    if unknown := set(items) - PARTS.keys():
        raise click.BadParameter(f"no such items: {', '.join(sorted(unknown))}", param_hint="--only")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        figures = runner.run(measured(items, scale, Console(stderr=True)))
    title = f"{versions()}, {scale.rounds} rounds, {events_per_command():.1f} events a command"
    show = print_markdown if markdown else print_tables
    show(Console(), figures, AIMS, title)


if __name__ == "__main__":
    main()
