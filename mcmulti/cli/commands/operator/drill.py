"""Test a backup: ``drill``."""

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
    metavar="URL",
    help="The original database, to compare with. It is only read.",
)
@DIGEST
@click.option(
    "--scratch",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder to restore into; deleted at the end.  [default: next to PLACE]",
)
def drill(place: Path, folder: Path | None, database_url: str | None, digest: str | None, scratch: Path | None) -> None:
    """Test a backup: restore it from the folder PLACE into a temporary PostgreSQL.

    The doctor checks it, and every event is hashed again. With --folder or --database-url, it is compared with the
    games there: what you would lose by restoring now, and whether both agree up to the backup. If anything is wrong,
    the exit code is 1. Servers may be running.
    """
    from mcmulti.cli.doctor.drill import drilled
    from mcmulti.events.embedded.manifest import BackupError

    if folder and database_url:
        raise click.UsageError("Give either --folder or --database-url, not both.")
    place = place.absolute()
    scratch = (scratch or place.with_name(f"{place.name}.drill")).absolute()
    try:
        if not run(drilled(place, folder or database_url, scratch, digest, click.echo)):
            raise click.exceptions.Exit(1)
    except BackupError as error:
        raise click.ClickException(str(error)) from error
