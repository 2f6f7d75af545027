"""A campaign from the command line: a table of actions and results. The exit code is 1 if anything is wrong."""

import asyncio
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from tests.needs import missing
from tests.slow.chaos.campaign import Outcome, campaign
from tests.slow.chaos.faults import FAULTS, VOLUMES
from tests.slow.chaos.table import document, rows


@click.command()
@click.option("--seconds", default=120.0, show_default=True, help="How long faults go on; each comes at least once.")
@click.option("--seed", default=1, show_default=True, help="Which faults, and when.")
@click.option("--only", multiple=True, type=click.Choice(sorted(FAULTS)), help="This kind of fault; may be repeated.")
@click.option("--each", is_flag=True, help="A campaign of so many seconds for each kind, and one for all together.")
@click.option("--jobs", default=1, show_default=True, help="How many campaigns go on at a time.")
@click.option("--write", is_flag=True, help="Write the table into docs/explanation/reliability.md.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the logs of the servers stay.")
def main(
    seconds: float, seed: int, only: tuple[str, ...], each: bool, jobs: int, write: bool, folder: Path | None
) -> None:
    """Drive servers through faults, and compare what clients received with the log."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # servers are ended then, too
    kinds = list(only or FAULTS)
    if VOLUMES & set(kinds) and (why := missing("mount")):
        kinds = [kind for kind in kinds if kind not in VOLUMES]
        click.echo(f"not tried: {', '.join(sorted(VOLUMES))}: {why}")
    campaigns = {kind: [kind] for kind in kinds} if each else {}
    if not each or len(kinds) > 1:
        campaigns["all of them" if not only else "these"] = kinds
    with tempfile.TemporaryDirectory() as temporary:
        outcomes = asyncio.run(_carried_out(campaigns, seconds, seed, jobs, folder or Path(temporary)))
    click.echo(rows(outcomes))
    if write:
        document(outcomes, f"--each --jobs {jobs} --seconds {seconds:g} --seed {seed} --write")
    sys.exit(not all(outcome.verdict.sound for outcome in outcomes.values()))


async def _carried_out(
    campaigns: Mapping[str, Sequence[str]], seconds: float, seed: int, jobs: int, folder: Path
) -> dict[str, Outcome]:
    """The results of campaigns, by name, this many at a time."""
    room = asyncio.Semaphore(jobs)

    async def carried_out(number: int, name: str, kinds: Sequence[str]) -> Outcome:
        async with room:
            click.echo(f"{name}: seed {seed}, {seconds:g} s")
            outcome = await campaign(folder / str(number), kinds, seed, seconds, click.echo)
        for what, sentences in outcome.verdict._asdict().items():
            for sentence in sentences:
                click.echo(f"{name}: {what}: {sentence}")
        return outcome

    async with asyncio.TaskGroup() as group:
        tasks = {
            name: group.create_task(carried_out(number, name, kinds))
            for number, (name, kinds) in enumerate(campaigns.items())
        }
    return {name: task.result() for name, task in tasks.items()}


if __name__ == "__main__":
    main()
