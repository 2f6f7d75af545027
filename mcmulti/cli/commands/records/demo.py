"""Let bots play a whole game: ``demo``."""

from pathlib import Path

import click

from mcmulti.cli.options import PORT, SEED
from mcmulti.cli.running import run
from mcmulti.cli.seating import (
    GameWanted,
    LateHelp,
    game_options,
    seats_told,
    strategies_for,
    strategies_may_fail,
    strategies_told,
    time_limit_option,
)


@click.command()
@game_options(
    "Number of bots: {}.  [default: one for each listed strategy, or as many as the rule set has seats for by default]",
    cls=LateHelp,
    told=seats_told,
)
@click.option(
    "--strategy",
    cls=LateHelp,
    told=strategies_told,
    metavar="NAME[,NAME...]",
    help="random, or {}, or FILE.py:NAME, or a program, ./NAME. Give one for all seats, or one for each, "
    "separated by "
    "commas.  [default: the one that plays the rule set best]",
)
@time_limit_option
@click.option(
    "--seed",
    type=SEED,
    default=0,
    metavar="N",
    help="Random seed of the bots' choices and of their entropy for the dice. The dice still differ from game to game: "
    "they also depend on the server's secret, which it commits to first and reveals at the end.",
)
@click.option(
    "--leave",
    type=click.IntRange(min=1),
    metavar="TURN",
    help="In this turn the last bot leaves, and another takes over; for three players or more.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the game in this folder.  [default: a temporary one]",
)
@click.option(
    "--port",
    type=PORT,
    default=0,
    show_default=False,
    metavar="N",
    help="Port of the server.  [default: any free port]",
)
def demo(
    wanted: GameWanted,
    strategy: str | None,
    time_limit: float,
    seed: int,
    leave: int | None,
    folder: Path | None,
    port: int,
) -> None:
    """Let bots play a complete game against a real server, and prove it.

    Starts PostgreSQL and the server, lets the bots play over HTTP, and prints the standings, the trial balance, and the
    proof: hash chain, dice, and decisions. Takes less than a minute. If anything is not proven, the exit code is 1.

    If a strategy raises an error, takes longer than --time-limit, or sends an illegal command, the demo ends. The
    position is written to a file that you can give to "mcmulti bot --position".
    """
    ruleset = wanted.name
    strategies = strategies_for(ruleset, strategy)
    setup, seats = wanted.set_up(len(strategies))
    if len(strategies) not in (1, seats):
        raise click.BadParameter(f"{len(strategies)} strategies for {seats} players.", param_hint="--strategy")
    strategies = strategies if len(strategies) > 1 else strategies * seats
    if leave is not None and len(strategies) < 3:
        raise click.UsageError("--leave needs three players or more: with two, the remaining player wins at once.")
    if leave is not None and setup.get("if_left", "substitute") != "substitute":
        raise click.UsageError("--leave needs a table that allows substitutes: --set if_left=substitute.")

    from rich.console import Console

    from mcmulti.api.logging import configure
    from mcmulti.cli.records.demo import Options, demo

    configure(json=False, level="error")
    options = Options(ruleset, strategies, seed, setup, folder, port, leave, time_limit)
    with strategies_may_fail():
        proven = run(demo(options, Console(soft_wrap=False)))
    if not proven:
        raise click.ClickException("Not everything was proven.")
