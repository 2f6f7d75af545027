"""A campaign from the command line: a table of what was done and what came of it; exit code 1 if anything is wrong."""

import asyncio
import signal
import sys
import tempfile
from pathlib import Path

import click

from tests.chaos.campaign import Outcome, campaign
from tests.chaos.faults import FAULTS, VOLUMES
from tests.chaos.table import document, rows
from tests.needs import missing


@click.command()
@click.option("--seconds", default=120.0, show_default=True, help="How long faults go on; each comes at least once.")
@click.option("--seed", default=1, show_default=True, help="Which faults, and when.")
@click.option("--only", multiple=True, type=click.Choice(sorted(FAULTS)), help="This kind of fault; may be repeated.")
@click.option("--each", is_flag=True, help="A campaign of so many seconds for each kind, and one for all together.")
@click.option("--write", is_flag=True, help="Write the table into docs/reliability.md.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the logs of the servers stay.")
def main(seconds: float, seed: int, only: tuple[str, ...], each: bool, write: bool, folder: Path | None) -> None:
    """Drive servers through faults, and compare what clients were told with the log."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # servers are ended then, too
    kinds = list(only or FAULTS)
    if VOLUMES & set(kinds) and (why := missing("mount")):
        kinds = [kind for kind in kinds if kind not in VOLUMES]
        click.echo(f"not tried: {', '.join(sorted(VOLUMES))}: {why}")
    campaigns = {kind: [kind] for kind in kinds} if each else {}
    if not each or len(kinds) > 1:
        campaigns["all of them" if not only else "these"] = kinds
    outcomes: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for number, (name, chosen) in enumerate(campaigns.items()):
            click.echo(f"{name}: seed {seed}, {seconds:g} s")
            place = (folder or Path(temporary)) / str(number)
            outcomes[name] = asyncio.run(campaign(place, chosen, seed, seconds, click.echo))
            for what, sentences in outcomes[name].verdict._asdict().items():
                for sentence in sentences:
                    click.echo(f"{what}: {sentence}")
    click.echo(rows(outcomes))
    if write:
        document(outcomes, seconds, seed)
    sys.exit(not all(outcome.verdict.sound for outcome in outcomes.values()))


if __name__ == "__main__":
    main()
