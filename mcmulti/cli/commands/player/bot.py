"""Seat a bot at a server: ``bot``."""

import json
from pathlib import Path
from typing import Any

import click

from mcmulti.cli.lobby import at_tables
from mcmulti.cli.options import SEED
from mcmulti.cli.running import run
from mcmulti.cli.seating import (
    RULESET,
    TROUBLES,
    GameWanted,
    check_strategies,
    game_options,
    strategies_may_fail,
    time_limit_option,
)


@click.command()
@click.option("--server", default="http://127.0.0.1:8000", metavar="URL", help="The server.")
@click.option("--game", metavar="ID", help="Game to join.  [default: a new one]")
@game_options("Seats of a new game.  [default: as many as its rule set has]")
@click.option(
    "--seat",
    type=click.IntRange(min=1),
    metavar="N",
    help="Seat to take, counted from 1.  [default: the first free one]",
)
@click.option(
    "--substitute",
    is_flag=True,
    help="Take over the seat of a player who left, in --game or any running game; filtered by --ruleset.",
)
@click.option(
    "--instruct",
    metavar="JSON",
    help="Standing instructions for others' turns, if the table allows them: the orders of Instruct.  [default: none]",
)
@click.option("--passcode", metavar="CODE", help="Passcode of --game, if only invited players can join.")
@click.option(
    "--lobby",
    is_flag=True,
    help="Keep playing: join every open table that wants a bot, and play several games at a time.",
)
@click.option(
    "--games", type=click.IntRange(1, 100), metavar="N", help="With --lobby: games to play at a time.  [default: 4]"
)
@click.option(
    "--rules",
    type=RULESET,
    multiple=True,
    metavar="RULESET",
    help="With --lobby: rule set to play; repeatable.  [default: all that the strategy plays]",
)
@click.option(
    "--keep",
    "kept",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --lobby: file for its token and its games, to resume them.  [default: lobby.json, next to the accounts]",
)
@click.option("--name", help="Name of the bot; must be unique.  [default: made up]")
@click.option(
    "--strategy",
    metavar="NAME",
    help="Strategy: the name of a bundled one, FILE.py:NAME, or a program, ./NAME.  "
    "[default: the one that plays the game's rule set best]",
)
@time_limit_option
@click.option(
    "--position",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Run --strategy on the position in a file from {TROUBLES}, print its commands, and exit.",
)
@click.option("--seed", type=SEED, default=0, metavar="N", help="Random seed of the strategy.")
def bot(
    server: str,
    game: str | None,
    wanted: GameWanted,
    seat: int | None,
    substitute: bool,
    instruct: str | None,
    passcode: str | None,
    lobby: bool,
    games: int | None,
    rules: tuple[str, ...],
    kept: Path | None,
    name: str | None,
    strategy: str | None,
    time_limit: float,
    position: Path | None,
    seed: int,
) -> None:
    """Seat a bot at a server, and let it play to the end of the game.

    Without --game, it opens a game, prints its id, and waits for others. The game starts when the table is full. With
    --substitute, it takes over for a player who left. With --lobby, it plays until you stop it: after the first SIGINT
    or SIGTERM it finishes its games, and after a second one it stops at once. The same command resumes them.

    If a strategy raises an error, takes longer than --time-limit, or sends an illegal command, the bot ends. The
    position is written to a file that you can give to --position.
    """
    if position is not None:
        _ask_again(position, strategy, time_limit)
        return
    if lobby:
        _check_lobby(game, *wanted, seat, substitute, instruct, passcode)
        at_tables(server.rstrip("/"), name, strategy, rules, games or 4, kept, seed, time_limit)
        return
    if games is not None or rules or kept is not None:
        raise click.UsageError("--games, --rules, and --keep need --lobby.")
    _check_game(game, wanted, passcode)
    opened = wanted.name
    setup: dict[str, Any] = {}
    if substitute:
        if any(each is not None and each != () for each in wanted[1:]):
            raise click.UsageError(
                "--players, --target, --set, and --clock are for a new game, and --substitute does not open one."
            )
        opened = wanted.ruleset or ""
    elif game is None:
        setup, _ = wanted.set_up()
    from mcmulti.bots.seats.seat import Invitation, NoSeat, take_part

    table = Invitation(game, opened, setup, None if seat is None else seat - 1, passcode, substitute, _orders(instruct))
    if game is None and not substitute and strategy is not None:
        check_strategies(opened, [strategy])
    try:
        with strategies_may_fail():
            run(take_part(server, table, name, strategy, seed, click.echo, time_limit))
    except NoSeat as error:
        raise click.ClickException(str(error)) from error


def _check_lobby(*given: Any) -> None:
    """Refuse options for a certain game, or for a new one."""
    if any(each is not None and each is not False and each != () for each in given):
        raise click.UsageError(
            "--lobby finds its own seats and opens no games. Leave out options about games and seats."
        )


def _check_game(game: str | None, wanted: GameWanted, passcode: str | None) -> None:
    """With a game id, refuse options for a new game. Without one, refuse options for an existing game."""
    if game is not None and wanted.ruleset is not None:
        raise click.UsageError("--ruleset is for a new game, and --game already has a rule set.")
    if game is not None and wanted.settings:
        raise click.UsageError("--set is for a new game, and --game is already set up.")
    if game is not None and wanted.clock is not None:
        raise click.UsageError("--clock is for a new game, and --game is already set up.")
    if game is None and passcode is not None:
        raise click.UsageError("--passcode is for an existing table. Name it with --game.")


def _ask_again(position: Path, strategy: str | None, seconds: float) -> None:
    """Ask a strategy in a kept position."""
    from mcmulti.bots.seats.trouble import StrategyFailed, Watched, read_trouble
    from mcmulti.bots.strategies.own import maker_of
    from mcmulti.bots.strategy import NoStrategy

    try:
        found = read_trouble(position)
    except ValueError as error:
        raise click.ClickException(f"{position} does not contain a position: {error}.") from error
    name = strategy or found.strategy
    try:
        made = maker_of(found.ruleset, name)(found.seed)
        mind = Watched(made, name=name, ruleset=found.ruleset, seed=found.seed, seconds=seconds)
        click.echo(json.dumps(mind(found.view, found.offers), ensure_ascii=False))
        mind.close()
    except (NoStrategy, StrategyFailed) as error:
        raise click.ClickException(str(error)) from error


def _orders(instruct: str | None) -> dict[str, Any] | None:
    """The orders to set for other players' turns."""
    if instruct is None:
        return None
    try:
        orders = json.loads(instruct)
    except (ValueError, RecursionError):
        orders = None
    if not isinstance(orders, dict):
        raise click.UsageError("--instruct must be a JSON object, like the orders of Instruct.")
    return orders
