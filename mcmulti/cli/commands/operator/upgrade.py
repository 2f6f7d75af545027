"""Upgrade a folder to a newer PostgreSQL: ``upgrade``."""

from pathlib import Path

import click

from mcmulti.cli.options import FOLDER, folder_or_default


@click.command()
@FOLDER
@click.option(
    "--old-binaries",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder with the programs of the older PostgreSQL.  [default: where distributions install them]",
)
@click.option("--remove-old", is_flag=True, help="Only delete the old data kept by upgrades.")
def upgrade(folder: Path | None, old_binaries: Path | None, remove_old: bool) -> None:
    """Upgrade a folder that was created by an older major version of PostgreSQL.

    The old and the new PostgreSQL copy the games and compare them row by row. Then the copy replaces the old data,
    which is kept next to it. Stop all servers of the folder first. If the upgrade is interrupted, run it again.
    """
    from mcmulti.events.embedded.server import EmbeddedError, major
    from mcmulti.events.embedded.upgrade import remove_replaced
    from mcmulti.events.embedded.upgrade import upgrade as upgrading

    place = folder_or_default(folder)
    try:
        if remove_old:
            for data in remove_replaced(place):
                click.echo(f"Removed {data}.")
        elif not upgrading(place, old_binaries, click.echo):
            click.echo(f"Nothing to do: {place} already uses PostgreSQL {major()}.")
    except (EmbeddedError, OSError) as error:
        raise click.ClickException(f"{error}.") from error
