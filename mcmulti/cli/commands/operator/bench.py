"""Measure a server: ``bench``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcmulti.cli.options import database_options, number_option, workers_option
from mcmulti.cli.running import console, run, say_json

if TYPE_CHECKING:
    from rich.console import Console

    from mcmulti.cli.bench.bench import LoadResult, Report

MOST_CLIENTS = 500


def _numbers(context: click.Context | None, option: click.Parameter | None, text: str) -> tuple[int, ...]:
    """Numbers of clients, such as 16,64."""
    try:
        numbers = tuple(int(number) for number in text.split(","))
    except ValueError:
        numbers = ()
    if not numbers or not all(1 <= number <= MOST_CLIENTS for number in numbers):
        raise click.BadParameter(f"{text!r} must look like 16,64, each number from 1 to {MOST_CLIENTS}.")
    return numbers


@click.command()
@database_options("measure")
@click.option(
    "--clients",
    callback=_numbers,
    default="16,64",
    metavar="N[,N...]",
    help="Number of clients that play at a time, each in its own game.",
)
@number_option(
    "--seconds",
    (1, 600),
    5,
    "How long to measure each number of clients.",
)
@workers_option(", as in serve")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def bench(database: Path | str, clients: tuple[int, ...], seconds: int, workers: int, as_json: bool) -> None:
    """Measure the throughput of a server on this machine and its database, and find the bottleneck.

    Your games are not touched: it plays in a separate database, mcmulti_bench_..., which it drops at the end. The
    server runs like "mcmulti serve". Games in progress slow the measurement down, and it slows them down.
    """
    report = run(_measured(database, clients, seconds, workers))
    if as_json:
        say_json(report)
    else:
        _print(report, console(highlight=False))


async def _measured(database: Path | str, clients: tuple[int, ...], seconds: int, workers: int) -> "Report":
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from mcmulti.cli.bench.bench import bench as benching
    from mcmulti.cli.bench.scratch import postgres_at

    errors = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        task = progress.add_task("Starting PostgreSQL", total=None)
        async with postgres_at(database) as conninfo:
            return await benching(
                conninfo, clients, seconds, workers, lambda now: progress.update(task, description=now)
            )


def _print(report: "Report", console: "Console") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from mcmulti.cli.bench.limit import milliseconds

    probe = report.database
    console.print(
        f"Round trip to PostgreSQL: {milliseconds(probe.round_trip.p50)}. "
        f"Durable write: {milliseconds(probe.commit.p50)} (medians of one connection).",
        soft_wrap=True,
    )
    table = Table(box=SIMPLE_HEAD, padding=(0, 0), title="Responses per second, latency in ms, CPUs used")
    for heading in ("", "clients", "a second", "p50", "p95", "p99", "server", "PostgreSQL", "load"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for measured in report.commands:
        table.add_row("commands", *_load_row(measured))
    table.add_row("reads", *_load_row(report.reads))
    console.print(table)
    settings = ", ".join(f"{name} {value}" for name, value in probe.settings.items())
    console.print(Text(f"PostgreSQL: {settings}.\n", style="dim"), soft_wrap=True)
    for warning in report.warnings:
        console.print(Text(f"Warning: {warning}", style="yellow"), soft_wrap=True)
    console.print(Text(report.limit.sentence, style="bold"), soft_wrap=True)


def _load_row(measured: "LoadResult") -> list[str]:
    latency, usage = measured.latency, measured.usage
    postgres = "?" if usage.postgres is None else f"{usage.postgres:.2f}"
    times = [f"{microseconds / 1000:.1f}" for microseconds in (latency.p50, latency.p95, latency.p99)]
    return [
        str(measured.clients),
        f"{measured.per_second:,}",
        *times,
        f"{usage.server:.2f}",
        postgres,
        f"{usage.generator:.2f}",
    ]
