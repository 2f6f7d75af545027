"""Letting bots play a whole game: ``demo``."""

from pathlib import Path

import click

from mcmulti.cli.options import PORT, SEED
from mcmulti.cli.running import run
from mcmulti.cli.seating import (
    PLAYERS,
    RULESET,
    TARGET,
    TROUBLES,
    OfEveryGame,
    clock_option,
    seated,
    seats_told,
    set_option,
    strategies_for,
    strategies_told,
    time_limit_option,
)


@click.command()
@click.option("--ruleset", type=RULESET, default="mcmulti", show_default=True, help="What is played.")
@click.option(
    "--players",
    cls=OfEveryGame,
    told=seats_told,
    type=PLAYERS,
    metavar="N",
    help="How many bots play: {games}.  [default: as many as strategies are listed, or as many as the rule set has "
    "seats for unless told]",
)
@click.option(
    "--strategy",
    cls=OfEveryGame,
    told=strategies_told,
    metavar="NAME[,NAME...]",
    help="random, or {games}: or FILE.py:NAME, or a program, ./NAME; one for all seats, or one for each, separated by "
    "commas.  [default: the one that plays the rule set best]",
)
@time_limit_option
@click.option(
    "--seed",
    type=SEED,
    default=0,
    show_default=True,
    metavar="N",
    help="Fixes what the bots choose and what they add to the dice. The dice still differ from game to game: "
    "they come from a secret of the server too, which it commits to first and reveals at the end.",
)
@click.option(
    "--target",
    type=TARGET,
    help="Cash to declare victory, in millions; mcmulti only.  [default: 750]",
)
@click.option(
    "--leave",
    type=click.IntRange(min=1),
    metavar="TURN",
    help="In this turn the bot on the last seat leaves, and another plays on; for three players or more.",
)
@clock_option
@set_option
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the game in this folder.  [default: a temporary one]",
)
@click.option("--port", type=PORT, default=0, metavar="N", help="Port of the server.  [default: any that is free]")
def demo(
    ruleset: str,
    players: int | None,
    strategy: str | None,
    time_limit: float,
    seed: int,
    target: str | None,
    leave: int | None,
    clock: dict[str, int] | None,
    settings: tuple[str, ...],
    folder: Path | None,
    port: int,
) -> None:
    """Let bots play a whole game against a real server, and prove it.

    Starts PostgreSQL and the server, lets the bots play over HTTP, then prints the standings, the trial balance
    and the proof: hash chain, dice and decisions. Takes less than a minute. Exit code 1 if anything is not proven.

    A strategy that raises an error, takes longer than --time-limit or sends what is not offered ends the demo. The
    position that it did so in is written to a file, for the --position of bot.
    """
    setup, strategies = seated(ruleset, strategies_for(ruleset, strategy), players, target, settings, clock)
    if leave is not None and len(strategies) < 3:
        raise click.UsageError("--leave is for three players or more: of two the one who stays wins at once.")
    if leave is not None and setup.get("if_left", "substitute") != "substitute":
        raise click.UsageError("--leave is for tables at which anybody may play on: --set if_left=substitute.")

    from rich.console import Console

    from mcmulti.api.logging import configure
    from mcmulti.bots.seats.trouble import StrategyFailed, keep
    from mcmulti.bots.strategy import NoStrategy
    from mcmulti.cli.demo.session import Options, demo

    configure(json=False, level="error")
    options = Options(ruleset, strategies, seed, setup, folder, port, leave, time_limit)
    try:
        proven = run(demo(options, Console(soft_wrap=False)))
    except NoStrategy as error:
        raise click.ClickException(str(error)) from error
    except StrategyFailed as error:
        kept = keep(error.trouble, Path(TROUBLES))
        raise click.ClickException(f"{error.trouble.strategy}: {error}\nThe position is in {kept}.") from error
    if not proven:
        raise click.ClickException("Not everything was proven.")
