"""Seating a bot at a server: ``bot``."""

import json
from pathlib import Path
from typing import Any

import click

from mcmulti.cli.lobby import at_tables
from mcmulti.cli.options import SEED
from mcmulti.cli.running import run
from mcmulti.cli.seating import (
    PLAYERS,
    RULESET,
    TARGET,
    TROUBLES,
    clock_option,
    new_game,
    set_option,
    time_limit_option,
)


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
@click.option(
    "--lobby",
    is_flag=True,
    help="Go on and on: sit down at every open table that asks for a bot, and play several games at a time.",
)
@click.option(
    "--games", type=click.IntRange(1, 100), metavar="N", help="With --lobby: at most so many at a time.  [default: 4]"
)
@click.option(
    "--rules",
    type=RULESET,
    multiple=True,
    metavar="RULESET",
    help="With --lobby: what it plays; may be repeated.  [default: all that the strategy plays]",
)
@click.option(
    "--keep",
    "kept",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --lobby: where it keeps its token and its games, to go on with them.  "
    "[default: lobby.json, where accounts are]",
)
@click.option("--name", help="The bot's name, which nobody else may bear.  [default: made up]")
@click.option(
    "--strategy",
    metavar="NAME",
    help="How it plays: as one that comes with mcmulti, as FILE.py:NAME, or as a program, ./NAME.  "
    "[default: the one that plays the game's rule set best]",
)
@time_limit_option
@click.option(
    "--position",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Ask --strategy in the position of a file in {TROUBLES}, print what it answers, and end.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, metavar="N", help="What the strategy is made with.")
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
    """Seat a bot at a server and let it play to the end of the game.

    Without --game it opens a game, prints its id and waits for others. The game starts when the table is full. With
    --substitute it plays on for somebody who left. With --lobby it plays until it is told to stop: SIGINT or SIGTERM
    let it end its games, a second one ends it at once, and the same command goes on with them.

    A strategy that raises an error, takes longer than --time-limit or sends what is not offered ends the bot. The
    position that it did so in is written to a file, for --position.
    """
    if position is not None:
        _ask_again(position, strategy, time_limit)
        return
    if lobby:
        _check_lobby(game, ruleset, players, target, clock, settings, seat, substitute, instruct, passcode)
        at_tables(server.rstrip("/"), name, strategy, rules, games or 4, kept, seed, time_limit)
        return
    if games is not None or rules or kept is not None:
        raise click.UsageError("--games, --rules and --keep are for --lobby.")
    _check_game(game, ruleset, settings, clock, passcode)
    opened = ruleset or "mcmulti"
    setup: dict[str, Any] = {}
    if substitute:
        if players is not None or target is not None or settings or clock is not None:
            raise click.UsageError(
                "--players, --target, --set and --clock are for a new game; --substitute opens none."
            )
        opened = ruleset or ""
    elif game is None:
        setup, _ = new_game(opened, players, target, settings, clock)
    from mcmulti.bots.seats.seat import Invitation, NoSeat, take_part
    from mcmulti.bots.seats.trouble import StrategyFailed, keep
    from mcmulti.bots.strategies.own import maker_of
    from mcmulti.bots.strategy import NoStrategy

    table = Invitation(game, opened, setup, seat, passcode, substitute, _orders(instruct))
    if game is None and not substitute and strategy is not None:
        try:
            maker_of(opened, strategy)
        except NoStrategy as error:
            raise click.BadParameter(str(error), param_hint="--strategy") from error
    try:
        run(take_part(server, table, name, strategy, seed, click.echo, time_limit))
    except (NoSeat, NoStrategy) as error:
        raise click.ClickException(str(error)) from error
    except StrategyFailed as error:
        kept = keep(error.trouble, Path(TROUBLES))
        raise click.ClickException(f"{error.trouble.strategy}: {error}\nThe position is in {kept}.") from error


def _check_lobby(*given: Any) -> None:
    """Refuse what is about a certain game, or a new one."""
    if any(each is not None and each is not False and each != () for each in given):
        raise click.UsageError("--lobby opens no game, and finds its seats by itself: leave out what is about that.")


def _check_game(
    game: str | None,
    ruleset: str | None,
    settings: tuple[str, ...],
    clock: dict[str, int] | None,
    passcode: str | None,
) -> None:
    """Refuse what is for a new game where one is named, and what is for a game that is there where none is."""
    if game is not None and ruleset is not None:
        raise click.UsageError("--ruleset is for a new game; the one of --game has its rule set.")
    if game is not None and settings:
        raise click.UsageError("--set is for a new game; --game is set up already.")
    if game is not None and clock is not None:
        raise click.UsageError("--clock is for a new game; --game is set up already.")
    if game is None and passcode is not None:
        raise click.UsageError("--passcode is that of a table which is there: name it by --game.")


def _ask_again(position: Path, strategy: str | None, seconds: float) -> None:
    """Ask a strategy in a position that was kept."""
    from mcmulti.bots.seats.trouble import StrategyFailed, Watched, read_trouble
    from mcmulti.bots.strategies.own import maker_of
    from mcmulti.bots.strategy import NoStrategy

    try:
        found = read_trouble(position)
    except ValueError as error:
        raise click.ClickException(f"{position} holds no position: {error}.") from error
    name = strategy or found.strategy
    try:
        made = maker_of(found.ruleset, name)(found.seed)
        mind = Watched(made, name=name, ruleset=found.ruleset, seed=found.seed, seconds=seconds)
        click.echo(json.dumps(mind(found.view, found.offers), ensure_ascii=False))
        mind.close()
    except (NoStrategy, StrategyFailed) as error:
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
