"""A campaign from the command line: a table of what was done and what came of it; exit code 1 if anything is wrong."""

import asyncio
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from tests.chaos.campaign import Outcome, campaign


@click.command()
@click.option("--seconds", default=120.0, show_default=True, help="How long faults go on.")
@click.option("--seed", default=1, show_default=True, help="Which faults, and when.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the logs of the servers stay.")
def main(seconds: float, seed: int, folder: Path | None) -> None:
    """Drive servers through faults, and compare what clients were told with the log."""
    console = Console()
    console.print(f"seed {seed}, {seconds:g} s")
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        outcome = asyncio.run(campaign(place, seconds, seed))
    console.print(table(outcome))
    for what, sentences in outcome.verdict._asdict().items():
        for sentence in sentences:
            console.print(f"{what}: {sentence}")
    sys.exit(not outcome.verdict.sound)


def table(outcome: Outcome) -> Table:
    """What was done, and what came of it."""
    rows = Table("what", "number", title="faults, and what clients were told")
    for kind, number in sorted(outcome.faults.items()):
        rows.add_row(kind, str(number))
    rows.add_section()
    for name in ("games", "tries", "acknowledged", "refused", "unknown"):
        rows.add_row(name, f"{getattr(outcome, name):,}")
    rows.add_row("slowest answer, s", f"{outcome.slowest:.1f}")
    rows.add_row("all ready again after, s", f"{outcome.recovered:.1f}")
    rows.add_section()
    for what, sentences in outcome.verdict._asdict().items():
        rows.add_row(what, str(len(sentences)))
    return rows


if __name__ == "__main__":
    main()
