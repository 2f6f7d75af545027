"""Import games: ``import``."""

from pathlib import Path

import click

from mcmulti.cli.options import database_in, database_options
from mcmulti.cli.running import record_of, run


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@database_options("use")
@click.pass_context
def import_(context: click.Context, file: Path, folder: Path | None, database_url: str | None) -> None:
    """Import a finished game from a game file into a database.

    The game is proven first, and refused if anything is wrong. It keeps its id, hashes, and times.
    """
    from mcmulti.cli.proof.importing import ImportRefused, bring_in

    record = record_of(str(file), None)
    try:
        click.echo(run(bring_in(record, database_in(context, folder, database_url))))
    except ImportRefused as refused:
        raise click.ClickException(f"{file} was not imported: {refused}") from refused
