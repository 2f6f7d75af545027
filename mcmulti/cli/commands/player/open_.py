"""Open a table on a server: ``open``."""

from pathlib import Path
from typing import Any

import click

from mcmulti.cli.running import connected, say
from mcmulti.cli.seating import (
    PLAYERS,
    POSITION_SAYS,
    TARGET,
    RulesetOption,
    clock_option,
    default_ruleset,
    new_game,
    position_in,
    set_option,
)
from mcmulti.cli.servers import account_at, server_of, server_option


@click.command("open")
@click.argument("position", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@server_option
@click.option("--ruleset", cls=RulesetOption, help="Rule set.")
@click.option("--players", type=PLAYERS, metavar="N", help="Number of seats.  [default: as many as the rule set has]")
@click.option("--target", type=TARGET, help="Target; mcmulti only.  [default: 750]")
@clock_option
@set_option
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
    ruleset: str | None,
    players: int | None,
    target: str | None,
    clock: dict[str, int] | None,
    settings: tuple[str, ...],
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
        ruleset = ruleset or default_ruleset()
        setup = new_game(ruleset, players, target, settings, clock).setup
    else:
        if ruleset or players or target or settings or clock:
            raise click.UsageError(POSITION_SAYS)
        document = position_in(position, "POSITION")
        ruleset, setup, access["position"] = document["ruleset"], document["setup"], document["position"]
    address = server_of(server)
    if invite:
        access["invited"] = invite
    with connected(address, account_at(server, address)) as client:
        say(client.open_game(ruleset, access=access, **setup)["game"])
