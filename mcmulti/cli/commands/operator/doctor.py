"""Check an installation: ``doctor``."""

from pathlib import Path
from typing import Any

import click

from mcmulti.cli.options import database_options, language_option
from mcmulti.cli.running import run


@click.command()
@database_options("look at")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--mend", is_flag=True, help="Repair list entries that do not match their games.")
@language_option("Language of the output.")
def doctor(database: Path | str, as_json: bool, mend: bool, language: Any) -> None:
    """Check the installation, the database, and every game.

    Each line starts with ✓ if all is well, ✗ if something is wrong, ! if you should have a look, or · for information.
    Servers may be running. Nothing is changed, except that --mend repairs data derived from events. Every event is
    hashed again. To check the rules as well, run mcmulti verify --all. If anything is wrong, the exit code is 1.
    """
    if not run(_examined(database, as_json, mend, language)):
        raise click.exceptions.Exit(1)


async def _examined(database: Path | str, as_json: bool, mend: bool, language: Any) -> bool:
    """Print the findings. Returns whether all is well."""
    from contextlib import AsyncExitStack

    import msgspec

    from mcmulti.cli.doctor.examination import data, descriptors, examine, program
    from mcmulti.cli.doctor.observation import DoctorWords, Observation
    from mcmulti.client.sources import SourceError
    from mcmulti.events.embedded.server import has_data
    from mcmulti.server.database import embedded

    say = DoctorWords(language)
    sound = True

    def report(observation: Observation) -> None:
        nonlocal sound
        sound = sound and observation.sound is not False
        click.echo(msgspec.json.encode(observation) if as_json else observation.line)

    report(program(say))
    report(descriptors(say))
    async with AsyncExitStack() as stack:
        if isinstance(database, Path):
            if not has_data(database):
                raise SourceError(f"There are no games in {database} yet.")
            for observation in data(database, say):
                report(observation)
            database = await stack.enter_async_context(embedded(database))
        async for observation in examine(database, say, mend=mend):
            report(observation)
    return sound
