"""Open a table on a server: ``open``."""

from pathlib import Path
from typing import Any

import click

from mcmulti.cli.running import connected, say
from mcmulti.cli.seating import POSITION_SAYS, GameWanted, game_options, position_in
from mcmulti.cli.servers import account_at, server_of, server_option


@click.command("open")
@click.argument("position", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@server_option
@game_options("Number of seats.  [default: as many as the rule set has]")
@click.option(
    "--bots",
    type=click.IntRange(min=0, max=16),
    default=0,
    metavar="N",
    help='Ask for bots on the last N seats. "mcmulti bot --lobby" joins such tables.',
)
@click.option("--rated", is_flag=True, help="The game counts for the ratings of all its players.")
@click.option("--unlisted", is_flag=True, help="Only players who know its id can find it.")
@click.option("--invite", multiple=True, metavar="NAME", help="Only invited players can join; repeatable.")
def open_(
    position: Path | None,
    server: str | None,
    wanted: GameWanted,
    bots: int,
    rated: bool,
    unlisted: bool,
    invite: tuple[str, ...],
) -> None:
    """Open a table, and print the id of its game.

    Nobody sits at the table yet. To sit down, run "mcmulti play ID --sit".

    POSITION is a file with a position to practice from, in the format of the API and the Python library. It includes
    the rule set and the setup.
    """
    access: dict[str, Any] = {"listed": not unlisted, "bots": bots, "rated": rated}
    if position is None:
        ruleset, setup = wanted.name, wanted.set_up().setup
    else:
        if any(wanted):
            raise click.UsageError(POSITION_SAYS)
        document = position_in(position, "POSITION")
        ruleset, setup, access["position"] = document["ruleset"], document["setup"], document["position"]
    address = server_of(server)
    if invite:
        access["invited"] = invite
    with connected(address, account_at(server, address)) as client:
        say(client.open_game(ruleset, access=access, **setup)["game"])
