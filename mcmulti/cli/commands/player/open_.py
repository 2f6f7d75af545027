"""Opening a table on a server: ``open``."""

from typing import Any

import click

from mcmulti.cli.running import run, say
from mcmulti.cli.seating import PLAYERS, RULESET, TARGET, clock_option, new_game, set_option
from mcmulti.cli.servers import account_at, server_of, server_option


@click.command("open")
@server_option
@click.option("--ruleset", type=RULESET, default="mcmulti", help="Rule set.  [default: mcmulti]")
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
    server: str | None,
    ruleset: str,
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
    """
    setup = new_game(ruleset, players, target, settings, clock).setup
    address = server_of(server)
    access: dict[str, Any] = {"listed": not unlisted, "bots": bots, "rated": rated}
    if invite:
        access["invited"] = invite
    say(run(_opened(address, account_at(server, address), ruleset, setup, access)))


async def _opened(address: str, token: str, ruleset: str, setup: dict[str, Any], access: dict[str, Any]) -> str:
    from mcmulti.client.client import Client

    async with Client(address, token=token, patience=2.0) as client:
        return str((await client.open_game(ruleset, access=access, **setup))["game"])
