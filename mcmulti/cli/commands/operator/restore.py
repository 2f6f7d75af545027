"""Restore a backup: ``restore``."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcmulti.cli.options import DIGEST, database_options
from mcmulti.cli.running import address_of, counted, run

if TYPE_CHECKING:
    from mcmulti.events.embedded.restoring import Restored


@click.command()
@click.argument("place", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="PLACE")
@database_options("restore into")
@click.option(
    "--until",
    type=click.DateTime(("%Y-%m-%dT%H:%M:%SZ",)),
    metavar="MOMENT",
    help="Restore every game as of this moment, in UTC, such as 2026-01-31T12:00:00Z.",
)
@DIGEST
def restore(place: Path, database: Path | str, until: datetime | None, digest: str | None) -> None:
    """Restore the backup in the folder PLACE into an empty database or a new folder.

    Either everything is restored or nothing. The PostgreSQL version may differ from the backup's. With --until, later
    events are left out. Players, names, and tokens are those of the backup.
    """
    from mcmulti.cli.doctor.observation import contents_of
    from mcmulti.events.embedded.manifest import BackupError

    moment = None if until is None else until.replace(tzinfo=UTC)
    try:
        found: Restored = run(_restored(place, database, moment, digest))
    except BackupError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Restored {contents_of(found.manifest)}.")
    if until is not None:
        shortened, removed, events = found.rewound
        gone = f"{counted(events, 'event')} of {counted(shortened + removed, 'game')} are left out"
        click.echo(f"{gone}; {counted(removed, 'game')} opened later.")
    click.echo(found.hashed.sentence)


async def _restored(place: Path, database: Path | str, until: datetime | None, digest: str | None) -> "Restored":
    from mcmulti.events.embedded.restoring import restore as restoring

    async with address_of(database, new=True) as address:
        return await restoring(place, address, until=until, digest=digest)
