"""Trying a backup: ``drill``."""

from pathlib import Path

import click

from mcmulti.cli.options import DIGEST, FOLDER
from mcmulti.cli.running import run


@click.command()
@click.argument("place", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="PLACE")
@FOLDER
@click.option(
    "--database-url",
    envvar="DATABASE_URL",
    show_envvar=True,
    metavar="URL",
    help="The database that was backed up, to compare with; it is only read.",
)
@DIGEST
@click.option(
    "--scratch",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder to restore into; it is deleted at the end.  [default: beside PLACE]",
)
def drill(place: Path, folder: Path | None, database_url: str | None, digest: str | None, scratch: Path | None) -> None:
    """Restore the backup in the folder PLACE into a PostgreSQL of its own, and find out whether it is good.

    The doctor looks at it, and every event is hashed again. With --folder or --database-url, it is compared with the
    games there: what you would lose by restoring now, and whether both agree up to the backup. Exit code 1 if anything
    is wrong. Servers may be at work.
    """
    from mcmulti.cli.drill.drill import drilled
    from mcmulti.events.backup.manifest import BackupError

    if folder and database_url:
        raise click.UsageError("Give either --folder or --database-url.")
    place = place.absolute()
    scratch = (scratch or place.with_name(f"{place.name}.drill")).absolute()
    try:
        if not run(drilled(place, folder or database_url, scratch, digest, click.echo)):
            raise click.exceptions.Exit(1)
    except BackupError as error:
        raise click.ClickException(str(error)) from error
