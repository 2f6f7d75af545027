"""Back up a database: ``backup``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcmulti.cli.options import database_options
from mcmulti.cli.running import address_of, run

if TYPE_CHECKING:
    from mcmulti.events.embedded.manifest import Manifest


@click.command()
@click.argument("place", type=click.Path(path_type=Path), metavar="PLACE")
@database_options("back up")
def backup(place: Path, database: Path | str) -> None:
    """Back up a database into a new folder, PLACE.

    Servers may be running: the backup holds the database at one moment. Keep the printed digest somewhere else: with
    it, restore and drill detect a backup that was changed. PLACE has the secrets of all games and the key that signs
    heads, so only you can read it.
    """
    from mcmulti.cli.doctor.observation import contents_of
    from mcmulti.events.embedded.manifest import BackupError, digest_of

    try:
        manifest: Manifest = run(_made(place.absolute(), database))
    except BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{place} holds {contents_of(manifest)}.")
    click.echo(f"Digest: {digest_of(manifest)}")


async def _made(place: Path, database: Path | str) -> "Manifest":
    from mcmulti.events.embedded.making import back_up

    async with address_of(database) as address:
        return await back_up(address, place)
