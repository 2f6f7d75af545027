"""Letting bots play a whole game: ``demo``."""

from pathlib import Path

import click

from mcmulti.cli.options import PORT, SEED
from mcmulti.cli.running import run
from mcmulti.cli.seating import RULESET, TARGET, check_setup, setup_of, strategies_for


@click.command()
@click.option("--ruleset", type=RULESET, default="mcmulti", show_default=True, help="What is played.")
@click.option(
    "--players",
    type=click.IntRange(2, 4),
    metavar="2..4",
    help="How many bots play.  [default: as many as strategies are listed, or 4; postal: always 4]",
)
@click.option(
    "--strategy",
    metavar="NAME[,NAME...]",
    help="random or tycoon, for postal random or postal-tycoon: one for all seats, or one for each, separated by "
    "commas.  [default: tycoon, postal-tycoon]",
)
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
    help="Cash to declare victory, in millions of dollars; mcmulti only.  [default: 750]",
)
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
    seed: int,
    target: str | None,
    folder: Path | None,
    port: int,
) -> None:
    """Let bots play a whole game against a real server, and prove it.

    Starts PostgreSQL and the server, lets the bots play over HTTP, then prints the standings, the trial balance
    and the proof: hash chain, dice and decisions. Takes less than a minute. Exit code 1 if anything is not proven.
    """
    check_setup(ruleset, players, target)
    strategies = strategies_for(ruleset, strategy, players)

    from rich.console import Console

    from mcmulti.api.logging import configure
    from mcmulti.cli.demo.session import Options, demo

    configure(json=False, level="error")
    options = Options(ruleset, strategies, seed, setup_of(ruleset, len(strategies), target), folder, port)
    if not run(demo(options, Console(soft_wrap=False))):
        raise click.ClickException("Not everything was proven.")
