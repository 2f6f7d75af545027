"""Statistics of games: ``statistics``."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SOURCE, language_option
from mcmulti.cli.running import console, log_of, run, say_json


@click.command()
@SOURCE
@GAME
@click.option("--all", "all_games", is_flag=True, help="Cover all games of a folder or a database.")
@click.option(
    "--strategies",
    metavar="NAME=STRATEGY[,...]",
    help="With --all: who plays which strategy, such as amber*=tycoon,basalt*=random. * matches any letters. "
    "The first match counts. Players without a match count under their own names.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@language_option("Language of the tables.")
def statistics(
    source: str, game: UUID | None, all_games: bool, strategies: str | None, as_json: bool, language: Any
) -> None:
    """Show statistics of games: fair dice, luck, money, length, and wins.

    SOURCE is a folder of "mcmulti demo" or "mcmulti serve", a game file, the address of a server or of a game on it
    (http://.../v1/games/ID), or a database (postgresql://...).
    """
    if all_games and game is not None:
        raise click.UsageError("Give either --game or --all, not both.")
    if strategies is not None and not all_games:
        raise click.UsageError("--strategies needs --all.")
    if all_games and (source.startswith(("http://", "https://")) or Path(source).is_file()):
        raise click.UsageError("--all works only with a folder or a database.")
    strategist = _strategist(strategies or "")

    from mcmulti.cli.records.statistics import count_games, print_game, print_games
    from mcmulti.events.log.codec import opened_with
    from mcmulti.projections.statistics.game import UNSOUND, game_statistics

    out = console()
    if all_games:
        found = run(count_games(source, strategist))
        if as_json:
            say_json(found)
        else:
            print_games(found, out, language)
        return
    events, called = log_of(source, game)
    try:
        counted = game_statistics(events, called)
    except UNSOUND as error:
        raise click.ClickException(f"Cannot compute statistics of the game: {error}.") from error
    if as_json:
        say_json(counted)
    else:
        print_game(events[0].game_id, counted, opened_with(events[0]), out, language)


def _strategist(listed: str) -> Callable[[str], str]:
    """A function that returns a player's strategy, given its name."""
    split = (pair.partition("=") for pair in listed.split(",")) if listed else ()
    pairs = [(name.strip(), strategy.strip()) for name, _, strategy in split]
    for name, strategy in pairs:
        if not name or not strategy or len(strategy) > 100:
            raise click.BadParameter(
                f"{listed!r} must look like amber=tycoon,basalt=random.", param_hint="--strategies"
            ) from None

    def strategist(name: str) -> str:
        fitting = (strategy for pattern, strategy in pairs if fnmatchcase(name.casefold(), pattern.casefold()))
        return next(fitting, name)

    return strategist
