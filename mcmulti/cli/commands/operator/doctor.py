"""Looking after an installation: ``doctor``."""

from pathlib import Path
from typing import Any

import click

from mcmulti.cli.options import database_in, database_options, language_option
from mcmulti.cli.running import run


@click.command()
@database_options("look at")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a line, for programs.")
@click.option("--mend", is_flag=True, help="Put right what is listed of games otherwise than they stand.")
@language_option("Of what is said.")
@click.pass_context
def doctor(
    context: click.Context, folder: Path | None, database_url: str | None, as_json: bool, mend: bool, language: Any
) -> None:
    """Say what is installed, whether the database is as it should be, and which games are damaged.

    A line begins with ✓ if all is well, with ✗ if something is wrong, with ! if it is worth a look, and with · if it is
    only told. Servers may be at work meanwhile. Nothing is changed but, with --mend, what follows from a game's events
    and is kept beside them. Every event is hashed again; whether the rules were kept too, mcmulti verify --all tells.
    Exit code 1 if anything is wrong.
    """
    if not run(_examined(database_in(context, folder, database_url), as_json, mend, language)):
        raise click.exceptions.Exit(1)


async def _examined(database: Path | str, as_json: bool, mend: bool, language: Any) -> bool:
    """Print what is found; whether all is as it should be."""
    from contextlib import AsyncExitStack

    import msgspec

    from mcmulti.cli.doctor.examination import data, descriptors, examine, program
    from mcmulti.cli.doctor.observation import Observation
    from mcmulti.cli.doctor.said import DoctorWords
    from mcmulti.client.sources import SourceError
    from mcmulti.events.embedded.server import has_data
    from mcmulti.server.process import embedded

    say = DoctorWords(language)
    sound = True

    def tell(observation: Observation) -> None:
        nonlocal sound
        sound = sound and observation.sound is not False
        click.echo(msgspec.json.encode(observation) if as_json else observation.line)

    tell(program(say))
    tell(descriptors(say))
    async with AsyncExitStack() as stack:
        if isinstance(database, Path):
            if not has_data(database):
                raise SourceError(f"There are no games in {database} yet.")
            for observation in data(database, say):
                tell(observation)
            database = await stack.enter_async_context(embedded(database))
        async for observation in examine(database, say, mend=mend):
            tell(observation)
    return sound
