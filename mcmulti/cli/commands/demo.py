"""Letting bots play: ``demo`` and ``bot``."""

from pathlib import Path

import click

from mcmulti.cli.running import PORT, SEED, run

STRATEGIES = {"mcmulti": ("random", "tycoon"), "postal": ("random", "postal-tycoon")}
"""By rule set; the last is the default."""
RULESET = click.Choice(list(STRATEGIES))
STRATEGY = click.Choice(sorted({name for names in STRATEGIES.values() for name in names}))
TARGET = click.Choice(["750", "1000"])


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
    _check_setup(ruleset, players, target)
    strategies = _strategies(ruleset, strategy, players)

    from rich.console import Console

    from mcmulti.api.logging import configure
    from mcmulti.cli.demo import Options, demo

    configure(json=False, level="error")
    options = Options(ruleset, strategies, seed, _setup(ruleset, len(strategies), target), folder, port)
    if not run(demo(options, Console(soft_wrap=False))):
        raise click.ClickException("Not everything was proven.")


def _strategies(ruleset: str, listed: str | None, players: int | None) -> tuple[str, ...]:
    """A strategy for each seat."""
    known = STRATEGIES[ruleset]
    names = tuple((listed or known[-1]).split(","))
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is not {' or '.join(known)}.", param_hint="--strategy")
    wanted = 4 if ruleset == "postal" else players
    if len(names) == 1:
        return names * (wanted or 4)
    if len(names) != (wanted or min(len(names), 4)):
        raise click.BadParameter(f"{len(names)} strategies for {wanted or 4} players.", param_hint="--strategy")
    return names


def _check_setup(ruleset: str, players: int | None, target: str | None) -> None:
    """Refuse what the rule set leaves no choice of."""
    if ruleset == "postal" and players not in (None, 4):
        raise click.BadParameter("McMulti by post is always for four.", param_hint="--players")
    if ruleset == "postal" and target is not None:
        raise click.BadParameter("McMulti by post is always played to 1000.", param_hint="--target")


def _setup(ruleset: str, players: int, target: str | None) -> dict[str, int]:
    """What a game is opened with."""
    return {} if ruleset == "postal" else {"seats": players, "target": int(target or 750)}


@click.command()
@click.option("--server", default="http://127.0.0.1:8000", show_default=True, metavar="URL", help="The server.")
@click.option("--game", metavar="ID", help="The game to sit down at.  [default: a new one]")
@click.option("--ruleset", type=RULESET, help="Of a new game.  [default: mcmulti]")
@click.option(
    "--players", type=click.IntRange(2, 4), metavar="N", help="Seats of a new game.  [default: 4; postal: always 4]"
)
@click.option("--target", type=TARGET, help="Of a new game; mcmulti only.  [default: 750]")
@click.option(
    "--seat", type=click.IntRange(0, 3), metavar="N", help="The seat to take.  [default: the first that is free]"
)
@click.option("--name", help="The bot's name, which nobody else may bear.  [default: made up]")
@click.option(
    "--strategy", type=STRATEGY, help="How it plays.  [default: tycoon, or postal-tycoon, by the game's rule set]"
)
@click.option(
    "--seed", type=SEED, default=0, show_default=True, metavar="N", help="Fixes the choices of the random strategy."
)
def bot(
    server: str,
    game: str | None,
    ruleset: str | None,
    players: int | None,
    target: str | None,
    seat: int | None,
    name: str | None,
    strategy: str | None,
    seed: int,
) -> None:
    """Seat a bot at a server and let it play to the end of the game.

    Without --game it opens a game, prints its id and waits for others. The game starts when the table is full.
    """
    opened = ruleset or "mcmulti"
    if game is not None and ruleset is not None:
        raise click.UsageError("--ruleset is for a new game; the one of --game has its rule set.")
    if game is None:
        _check_setup(opened, players, target)
        if strategy is not None:
            _strategies(opened, strategy, None)

    from mcmulti.bots.seat import Table, take_part
    from mcmulti.bots.strategies import NoStrategy

    table = Table(game, opened, _setup(opened, players or 4, target), seat)
    try:
        run(take_part(server, table, name, strategy, seed, click.echo))
    except NoStrategy as error:
        raise click.ClickException(str(error)) from error
