"""The command ``mcmulti``.

Commands import what they need when they run: help comes at once, and a signal finds `main` in place early.
"""

import os
import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

SEED = click.IntRange(0, 2**31 - 1)
PORT = click.IntRange(0, 65535)
STRATEGY = click.Choice(["random", "tycoon"])


def main() -> None:
    """Run the command line. Exit code 1 for an expected failure, 2 for bad usage, 128 + n for signal n."""
    try:
        code = cli.main(prog_name="mcmulti", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        code = 130
    except OSError as error:  # a full disk behind standard output, say
        click.echo(f"Error: {error.strerror or error}.", err=True)
        code = 1
    sys.exit(code)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="mcmulti")
def cli() -> None:
    """The oil board game McMulti (Crude) as a server, with bots to play it.

    Start with "mcmulti demo".
    """


def _run(work: Any) -> Any:
    """Run it; what may be expected to go wrong ends in one sentence."""
    from mcmulti.bots.client import Problem, ServerAway
    from mcmulti.server import Interrupted, ServerError, run

    try:
        return run(work)
    except (Problem, ServerAway, ServerError) as error:
        raise click.ClickException(str(error)) from error
    except Interrupted as interrupted:
        click.echo("Interrupted; everything is stopped.", err=True)
        raise click.exceptions.Exit(128 + interrupted.number) from None


def _folder() -> Path:
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(data).expanduser() / "mcmulti"


@cli.command()
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
    proven = _run(demo(Options(strategies, seed, int(target), folder, port), Console(soft_wrap=False)))
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


@cli.command()
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the server's own PostgreSQL.  [default: ~/.local/share/mcmulti]",
)
@click.option(
    "--database-url",
    envvar="DATABASE_URL",
    show_envvar=True,
    metavar="URL",
    help="Another PostgreSQL to use instead, e.g. postgresql://user@host/database.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=PORT, default=8000, show_default=True, metavar="N", help="Port to listen on; 0: any that is free."
)
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the log lines on standard error look.",
)
@click.option(
    "--rate-limit",
    default="2000/10 seconds",
    show_default=True,
    metavar="N/TIME",
    help="How many requests each token may send, e.g. 100/second; off: any number.",
)
@click.pass_context
def serve(
    context: click.Context,
    folder: Path | None,
    database_url: str | None,
    host: str,
    port: int,
    log_format: str,
    rate_limit: str,
) -> None:
    """Run a server until it is stopped (Ctrl-C or SIGTERM).

    Games are kept in PostgreSQL: in one of its own, in a folder, or in another with --database-url.
    """
    if folder and database_url:
        if context.get_parameter_source("database_url") is not ParameterSource.ENVIRONMENT:
            raise click.UsageError("Give either --folder or --database-url.")
        database_url = None

    from mcmulti.api.logging import configure
    from mcmulti.api.rates import limit_of
    from mcmulti.server import Interrupted, ServerError, run
    from mcmulti.server import serve as serving

    try:
        limit = None if rate_limit == "off" else limit_of(rate_limit)
    except ValueError:
        raise click.BadParameter(
            f"{rate_limit!r} is not like 100/second, nor off.", param_hint="--rate-limit"
        ) from None
    configure(json=log_format == "json")
    database = database_url or (folder or _folder()).absolute()
    try:
        run(serving(database, host, port, lambda address: click.echo(f"Serving at {address}", err=True), limit))
    except ServerError as error:
        raise click.ClickException(str(error)) from error
    except Interrupted:
        click.echo("Stopped.", err=True)


@cli.command()
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
    _run(take_part(server, table, name, strategy, seed, click.echo))


@cli.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--breaking", is_flag=True, help="Write it even if clients of the document in FOLDER break on it.")
def openapi(folder: Path, breaking: bool) -> None:
    """Write the API's OpenAPI document to FOLDER/openapi.json and openapi.yaml.

    Prints what changed against the document that is there, breaking changes first.
    """
    from mcmulti.api.app import ROUTES
    from mcmulti.api.openapi import document
    from mcmulti.api.openapi.committed import NotADocument, changes_of, write

    new = document(ROUTES)
    try:
        changes = changes_of(folder, new)
        for change in changes:
            click.echo(change)
        if any(change.breaking for change in changes) and not breaking:
            raise click.ClickException("Clients break on this. Nothing was written; --breaking writes it all the same.")
        for file in write(folder, new):
            click.echo(file)
    except NotADocument as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"Cannot write to {folder}: {error.strerror}.") from error


@cli.command()
@click.option(
    "--database-url", envvar="DATABASE_URL", show_envvar=True, required=True, metavar="URL", help="The database."
)
def migrate(database_url: str) -> None:
    """Bring a database to the schema of this build.

    A server does so by itself if its login may. Where it may not, run this with the login of the database's owner.
    """
    from mcmulti.server import migrated

    for name in _run(migrated(database_url)) or ["Nothing to do: the database is up to date."]:
        click.echo(name)
