"""Back up a database: ``backup``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcmulti.cli.options import database_in, database_options
from mcmulti.cli.running import run

if TYPE_CHECKING:
    from mcmulti.events.backup.manifest import Manifest


@click.command()
@click.argument("place", type=click.Path(path_type=Path), metavar="PLACE")
@database_options("back up")
@click.pass_context
def backup(context: click.Context, place: Path, folder: Path | None, database_url: str | None) -> None:
    """Back up a database into a new folder, PLACE.

    Servers may be running: the backup holds the database at one moment. Keep the printed digest somewhere else: with
    it, restore and drill detect a backup that was changed. PLACE has the secrets of all games and the key that signs
    heads, so only you can read it.
    """
    from mcmulti.cli.doctor.contents import contents_of
    from mcmulti.events.backup.manifest import BackupError, digest_of

    try:
        manifest: Manifest = run(_made(place.absolute(), database_in(context, folder, database_url)))
    except BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{place} holds {contents_of(manifest)}.")
    click.echo(f"Digest: {digest_of(manifest)}")


async def _made(place: Path, database: Path | str) -> "Manifest":
    from contextlib import AsyncExitStack

    from mcmulti.client.sources import SourceError
    from mcmulti.events.backup.making import back_up
    from mcmulti.events.embedded.server import has_data
    from mcmulti.server.database import embedded

    async with AsyncExitStack() as stack:
        if isinstance(database, Path):
            if not has_data(database):
                raise SourceError(f"There are no games in {database} yet.")
            database = await stack.enter_async_context(embedded(database))
        return await back_up(database, place)
