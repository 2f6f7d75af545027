"""Download finished games: ``download``."""

from datetime import UTC, datetime
from pathlib import Path

import click

from mcmulti.cli.running import counted, run
from mcmulti.cli.seating import RULESET
from mcmulti.cli.servers import server_of, server_option, token_for

TIME = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])


@click.command()
@server_option
@click.option("--ruleset", type=RULESET, help="Only games of this rule set.")
@click.option(
    "--since",
    type=TIME,
    metavar="TIME",
    help="Only games that ended at this time, or later: 2026-01-31, or 2026-01-31T18:00:00 (UTC).",
)
@click.option("--until", type=TIME, metavar="TIME", help="Only games that ended before this time.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default="games",
    help="Folder for the game files.",
)
def download(
    server: str | None, ruleset: str | None, since: datetime | None, until: datetime | None, folder: Path
) -> None:
    """Download the finished games of a server, except unlisted ones and those for practice.

    Each game becomes a game file, named after its id, in the order in which they ended. Repeat the command to continue
    an interrupted download, or to add the games that have ended since: FOLDER/download.json records how far it got.
    """
    from mcmulti.cli.proof.downloading import Selection, download_all

    address = server_of(server)
    wanted = Selection(address, ruleset, _rfc3339(since), _rfc3339(until))
    found = run(download_all(wanted, token_for(server, address), folder))
    for game in found.damaged:
        click.echo(f"Game {game} is damaged on the server, and was left out.", err=True)
    click.echo(f"{counted(found.games, 'game')} downloaded to {folder}.")


def _rfc3339(moment: datetime | None) -> str | None:
    return None if moment is None else moment.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")
