"""The keys that heads are signed with: ``keys``."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcmulti.cli.options import database_options
from mcmulti.cli.running import address_of, run, say, say_json

if TYPE_CHECKING:
    from mcmulti.api.readings.proof import Keys


@click.command()
@database_options("look at")
@click.option("--rotate", is_flag=True, help="Create a new key, and destroy the private part of the previous one.")
@click.option("--revoke", metavar="KEY", help="Declare an earlier key compromised; needs --since.")
@click.option(
    "--since",
    type=click.DateTime(("%Y-%m-%dT%H:%M:%SZ",)),
    metavar="MOMENT",
    help="Reject everything it signed from this time on, in UTC, such as 2026-01-31T12:00:00Z.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in the format of GET /v1/keys.")
def keys(database: Path | str, rotate: bool, revoke: str | None, since: datetime | None, as_json: bool) -> None:
    """List the keys that sign heads, current key first. Create a new key, or revoke an old one.

    Servers may be running. They sign with a new key within 10 seconds. Both the old and the new key sign the change, so
    that anyone who trusts one of them can trust the other.
    """
    if (revoke is None) != (since is None):
        raise click.UsageError("Give --revoke and --since together.")
    moment = None if since is None else since.replace(tzinfo=UTC)
    found: Keys = run(_keys_changed(database, rotate, revoke, moment))
    if as_json:
        say_json(found)
        return
    for key in found.keys:
        until = "" if key.until is None else f" until {key.until:%Y-%m-%dT%H:%M:%SZ}"
        revoked = "" if key.revoked is None else f", revoked since {key.revoked.since:%Y-%m-%dT%H:%M:%SZ}"
        say(f"key {key.key} signs since {key.since:%Y-%m-%dT%H:%M:%SZ}{until}{revoked}")


async def _keys_changed(database: Path | str, rotate: bool, revoke: str | None, since: datetime | None) -> "Keys":
    """The keys of a database, after the requested change."""
    from secrets import token_bytes

    from mcmulti.api.readings.proof import keys_of
    from mcmulti.client.sources import SourceError
    from mcmulti.events.ports.errors import LogError
    from mcmulti.events.postgres.stores.keys import revoke as revoking
    from mcmulti.events.postgres.stores.keys import rotate as rotating
    from mcmulti.server.database import opened_log

    async with address_of(database) as address, opened_log(address) as log:
        key = await log.signer(token_bytes(32))
        try:
            if rotate:
                key = await rotating(address, token_bytes(32))
            if revoke is not None and since is not None:
                key = await revoking(address, revoke, since)
        except LogError as error:
            raise SourceError(f"{str(error)[0].upper()}{str(error)[1:]}.") from error
        return keys_of(key.statements)
