"""Seating a bot at a server: ``bot``."""

import json
from typing import Any

import click

from mcmulti.cli.options import SEED
from mcmulti.cli.running import run
from mcmulti.cli.seating import PLAYERS, RULESET, STRATEGY, TARGET, clock_option, new_game, set_option, strategies_for


@click.command()
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, metavar="URL", help="The server.")
@click.option("--game", metavar="ID", help="The game to sit down at.  [default: a new one]")
@click.option("--ruleset", type=RULESET, help="Of a new game.  [default: mcmulti]")
@click.option(
    "--players", type=PLAYERS, metavar="N", help="Seats of a new game.  [default: as many as its rule set has]"
)
@click.option("--target", type=TARGET, help="Of a new game; mcmulti only.  [default: 750]")
@clock_option
@set_option
@click.option(
    "--seat", type=click.IntRange(min=0), metavar="N", help="The seat to take.  [default: the first that is free]"
)
@click.option(
    "--substitute",
    is_flag=True,
    help="Wait for a seat that somebody left to anybody, of --game or else of any running game, of --ruleset if given.",
)
@click.option(
    "--instruct",
    metavar="JSON",
    help="What to set for others' turns, where the table allows it: the orders of Instruct.  [default: nothing]",
)
@click.option("--passcode", metavar="CODE", help="The passcode of --game, if its table is for invited players.")
@click.option("--name", help="The bot's name, which nobody else may bear.  [default: made up]")
@click.option("--strategy", type=STRATEGY, help="How it plays.  [default: the one that plays the game's rule set best]")
@click.option(
    "--seed", type=SEED, default=0, show_default=True, metavar="N", help="Fixes the choices of the random strategy."
)
def bot(
    server: str,
    game: str | None,
    ruleset: str | None,
    players: int | None,
    target: str | None,
    clock: dict[str, int] | None,
    settings: tuple[str, ...],
    seat: int | None,
    substitute: bool,
    instruct: str | None,
    passcode: str | None,
    name: str | None,
    strategy: str | None,
    seed: int,
) -> None:
    """Seat a bot at a server and let it play to the end of the game.

    Without --game it opens a game, prints its id and waits for others. The game starts when the table is full. With
    --substitute it plays on for somebody who left.
    """
    opened = ruleset or "mcmulti"
    if game is not None and ruleset is not None:
        raise click.UsageError("--ruleset is for a new game; the one of --game has its rule set.")
    if game is not None and settings:
        raise click.UsageError("--set is for a new game; --game is set up already.")
    if game is not None and clock is not None:
        raise click.UsageError("--clock is for a new game; --game is set up already.")
    if game is None and passcode is not None:
        raise click.UsageError("--passcode is that of a table which is there: name it by --game.")
    setup: dict[str, Any] = {}
    if substitute:
        if players is not None or target is not None or settings or clock is not None:
            raise click.UsageError(
                "--players, --target, --set and --clock are for a new game; --substitute opens none."
            )
        opened = ruleset or ""
    elif game is None:
        setup, _ = new_game(opened, players, target, settings, clock)
        if strategy is not None:
            strategies_for(opened, strategy)

    from mcmulti.bots.seat import Invitation, NoSeat, take_part
    from mcmulti.bots.strategy import NoStrategy

    table = Invitation(game, opened, setup, seat, passcode, substitute, _orders(instruct))
    try:
        run(take_part(server, table, name, strategy, seed, click.echo))
    except (NoSeat, NoStrategy) as error:
        raise click.ClickException(str(error)) from error


def _orders(instruct: str | None) -> dict[str, Any] | None:
    """What is to be set for others' turns."""
    if instruct is None:
        return None
    try:
        orders = json.loads(instruct)
    except (ValueError, RecursionError):
        orders = None
    if not isinstance(orders, dict):
        raise click.UsageError("--instruct takes a JSON object, as the orders of Instruct.")
    return orders
