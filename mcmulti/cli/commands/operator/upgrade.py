"""Taking a folder to a newer PostgreSQL: ``upgrade``."""

from pathlib import Path

import click

from mcmulti.cli.options import FOLDER, folder_or_default


@click.command()
@FOLDER
@click.option(
    "--old-binaries",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the programs of the older PostgreSQL.  [default: where distributions put them]",
)
@click.option("--remove-old", is_flag=True, help="Only delete the data that upgrades have kept.")
def upgrade(folder: Path | None, old_binaries: Path | None, remove_old: bool) -> None:
    """Take a folder over to the PostgreSQL of this installation, where an older major version made its data.

    The games are copied by the old programs and the new ones, and compared row by row; then the copy takes the place of
    the old data, which are kept beside it. No server may run there. If this is interrupted, run it again.
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
            click.echo(f"Nothing to do: {place} is on PostgreSQL {major()}, as this installation is.")
    except (EmbeddedError, OSError) as error:
        raise click.ClickException(f"{error}.") from error
