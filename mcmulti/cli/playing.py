"""Letting bots play: ``demo`` and ``bot``."""

from pathlib import Path

import click

from mcmulti.cli.running import PORT, SEED, run

STRATEGY = click.Choice(["random", "tycoon"])


@click.command()
@click.option(
    "--players",
    type=click.IntRange(2, 4),
    metavar="2..4",
    help="How many bots play.  [default: as many as strategies are listed, or 4]",
)
@click.option(
    "--strategy",
    default="tycoon",
    show_default=True,
    metavar="NAME[,NAME...]",
    help="random or tycoon: one for all seats, or one for each, separated by commas.",
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
    type=click.Choice(["750", "1000"]),
    default="750",
    show_default=True,
    help="Cash to declare victory, in millions of dollars.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the game in this folder.  [default: a temporary one]",
)
@click.option("--port", type=PORT, default=0, metavar="N", help="Port of the server.  [default: any that is free]")
def demo(players: int | None, strategy: str, seed: int, target: str, folder: Path | None, port: int) -> None:
    """Let bots play a whole game against a real server, and prove it.

    Starts PostgreSQL and the server, lets the bots play over HTTP, then prints the standings, the trial balance
    and the proof: hash chain, dice and decisions. Takes less than a minute. Exit code 1 if anything is not proven.
    """
    strategies = _strategies(strategy, players)

    from rich.console import Console

    from mcmulti.api.logging import configure
    from mcmulti.demo import Options, demo

    configure(json=False, level="error")
    proven = run(demo(Options(strategies, seed, int(target), folder, port), Console(soft_wrap=False)))
    if not proven:
        raise click.ClickException("Not everything was proven.")


def _strategies(listed: str, players: int | None) -> tuple[str, ...]:
    """A strategy for each seat."""
    names = tuple(listed.split(","))
    for name in names:
        if name not in STRATEGY.choices:
            raise click.BadParameter(f"{name!r} is not random or tycoon.", param_hint="--strategy")
    if len(names) == 1:
        return names * (players or 4)
    if len(names) != (players or min(len(names), 4)):
        raise click.BadParameter(f"{len(names)} strategies for {players or 4} players.", param_hint="--strategy")
    return names


@click.command()
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, metavar="URL", help="The server.")
@click.option("--game", metavar="ID", help="The game to sit down at.  [default: a new one]")
@click.option(
    "--players", type=click.IntRange(2, 4), default=4, show_default=True, metavar="N", help="Seats of a new game."
)
@click.option("--target", type=click.Choice(["750", "1000"]), default="750", show_default=True, help="Of a new game.")
@click.option(
    "--seat", type=click.IntRange(0, 3), metavar="N", help="The seat to take.  [default: the first that is free]"
)
@click.option("--name", help="The bot's name, which nobody else may bear.  [default: made up]")
@click.option("--strategy", type=STRATEGY, default="tycoon", show_default=True, help="How it plays.")
@click.option(
    "--seed", type=SEED, default=0, show_default=True, metavar="N", help="Fixes the choices of the random strategy."
)
def bot(
    server: str,
    game: str | None,
    players: int,
    target: str,
    seat: int | None,
    name: str | None,
    strategy: str,
    seed: int,
) -> None:
    """Seat a bot at a server and let it play to the end of the game.

    Without --game it opens a game, prints its id and waits for others. The game starts when the table is full.
    """
    from mcmulti.bots.seat import Table, take_part

    table = Table(game, players, int(target), seat)
    run(take_part(server, table, name, strategy, seed, click.echo))
