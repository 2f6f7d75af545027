"""``make bench``: measure everything that RESULTS.md shows, and write it."""

import asyncio
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import click
import uvloop

from benchmarks import seeded
from benchmarks.figures import Item
from benchmarks.page import written
from benchmarks.run import Measured, measured
from benchmarks.scale import QUICK, Scale
from benchmarks.suite import GROUPS, Group

RESULTS = Path(__file__).with_name("RESULTS.md")
Chosen = list[tuple[Group, list[Item]]]


def chosen(only: Iterable[str]) -> Chosen:
    """The groups and items of these names, such as ``rules`` or ``server/streams``. All if there are none."""
    names = list(only)
    known = {f"{group.name}/{item.name}" for group in GROUPS for item in group.items()} | {g.name for g in GROUPS}
    if unknown := set(names) - known:
        raise click.BadParameter(
            f"there is no {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}", param_hint="--only"
        )
    found = []
    for group in GROUPS:
        items = [
            item for item in group.items() if not names or group.name in names or f"{group.name}/{item.name}" in names
        ]
        if items:
            found.append((group, items))
    return found


def say(line: str) -> None:
    """Print the progress."""
    click.echo(line, err=True)


async def measure(groups: Chosen, scale: Scale) -> dict[str, Measured]:
    """One group after the other."""
    found = {}
    for number, (group, items) in enumerate(groups, 1):
        start = time.perf_counter()
        say(f"[{number}/{len(groups)}] {group.title}")
        found[group.name] = await measured(group, items, scale, say)
        say(f"[{number}/{len(groups)}] {group.title}: {time.perf_counter() - start:.0f} s")
    return found


@click.command()
@click.option("--rounds", type=click.IntRange(1), metavar="N", help="Rounds of each group.  [default: each its own]")
@click.option("--only", metavar="NAME[,NAME...]", default="", help="Groups or items, e.g. rules,server/streams.")
@click.option("--quick", is_flag=True, help="Little of everything, to see that it runs; the numbers mean nothing.")
@click.option("--all", "everything", is_flag=True, help="Also compute what follows from seeds; takes much longer.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write the page.  [default: benchmarks/RESULTS.md; with --only or --quick: standard output]",
)
def main(rounds: int | None, only: str, quick: bool, everything: bool, output: Path | None) -> None:
    """Run the benchmarks and write the page of results."""
    start = time.perf_counter()
    scale = QUICK if quick else Scale()
    if rounds is not None:
        scale = scale._replace(rounds=rounds)
    groups = chosen(filter(None, only.split(",")))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(measure(groups, scale))
    minutes = (time.perf_counter() - start) / 60
    figures = seeded.kept()
    if everything:
        figures = seeded.computed(figures, say)
        seeded.keep(figures)
    page = written([group for group, _ in groups], found, scale.rounds, figures, minutes, quick)
    if output is None and (only or quick):
        click.echo(page, nl=False)
    else:
        output = output or RESULTS
        output.write_text(page)
        say(f"Wrote {output}.")
    failed = [f"{group}/{item}" for group, one in found.items() for item in one.failures]
    say(f"Took {(time.perf_counter() - start) / 60:.0f} minutes.")
    if failed:
        say(f"FAILED: {', '.join(failed)}")
        sys.exit(1)


if __name__ == "__main__":
    main()
