"""Make puzzles from bot games: ``puzzles``."""

import os
from pathlib import Path

import click

from mcmulti.cli.options import SEED
from mcmulti.cli.running import say
from mcmulti.cli.seating import PLAYERS, default_ruleset, new_game, ruleset_option

GAMES = click.IntRange(1, 1000)
MOST = click.IntRange(1, 100)


@click.command()
@ruleset_option("Rule set.")
@click.option("--players", type=PLAYERS, metavar="N", help="Number of seats.  [default: as many as the rule set has]")
@click.option("--games", type=GAMES, default=10, metavar="N", help="Maximum number of games.")
@click.option("--most", type=MOST, default=12, metavar="N", help="Maximum number of puzzles.")
@click.option(
    "--rollouts",
    type=click.IntRange(20, 10_000),
    default=200,
    metavar="N",
    help="How often the position after each offered move is played on.",
)
@click.option("--seed", type=SEED, default=1, metavar="N", help="Seed of the first game.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write.  [default: standard output]",
)
def puzzles(
    ruleset: str | None,
    players: int | None,
    games: int,
    most: int,
    rollouts: int,
    seed: int,
    output: Path | None,
) -> None:
    """Make puzzles from bot games: positions with one clearly best move.

    Bots play games, the games are reviewed, and the positions of costly decisions are examined again. The same options
    make the same file, however long it takes. Standard error shows the progress.
    """
    from mcmulti.evaluation.reviews.puzzles import MadeSoFar, puzzles_of
    from mcmulti.library.game import load_game
    from mcmulti.puzzles.kept import written

    name = ruleset or default_ruleset()

    def made(so_far: MadeSoFar) -> None:
        click.echo(f"Games: {so_far.games}, positions examined: {so_far.examined}, puzzles: {so_far.kept}", err=True)

    game = load_game(name, **new_game(name, players, None, ()).setup)
    found = written(puzzles_of(game, range(seed, seed + games), most=most, rollouts=rollouts, made=made))
    if output is None:
        say(found, nl=False)
        return
    try:
        output.write_bytes(found)
    except OSError as error:
        raise click.ClickException(f"Cannot write to {output}: {os.strerror(error.errno or 0)}.") from error
    click.echo(output)
