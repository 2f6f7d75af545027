"""Arguments and options shared by several commands."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource

PORT = click.IntRange(0, 65535)
SEED = click.IntRange(0, 2**31 - 1)
SECONDS = click.FloatRange(min=0, min_open=True, max=86_400)
SOURCE = click.argument("source")
FOLDER = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the server's own PostgreSQL.  [default: ~/.local/share/mcmulti]",
)
GAME = click.option("--game", type=click.UUID, metavar="ID", help="Id of the game.  [default: the newest one]")
DIGEST = click.option("--digest", metavar="SHA256", help="Digest that mcmulti backup printed for this backup.")

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def language_option(what: str) -> Callable[[Decorated], Decorated]:
    """The language option; `what` names what is in that language."""
    return click.option("--language", type=click.Choice(["en", "de"]), default="en", help=what)


def on_a_terminal() -> bool:
    """Whether standard input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "", "dumb")


def folder_or_default(folder: Path | None) -> Path:
    """The given folder, or the default folder for games."""
    data = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return (folder or Path(data).expanduser() / "mcmulti").absolute()


def _database_in(folder: Path | None, database_url: str | None) -> Path | str:
    if folder and database_url:
        source = click.get_current_context().get_parameter_source("database_url")
        if source is not ParameterSource.ENVIRONMENT:
            raise click.UsageError("Give either --folder or --database-url, not both.")
        database_url = None
    return database_url or folder_or_default(folder)


def database_options(purpose: str) -> Callable[[Decorated], Decorated]:
    """Options that name the `database` of a command: a folder, or the address of a database. `purpose`: what the
    command does with it, as a verb.
    """
    database_url_option = click.option(
        "--database-url",
        envvar="DATABASE_URL",
        metavar="URL",
        help=f"PostgreSQL to {purpose} instead, e.g. postgresql://user@host/database.",
    )

    def with_options(command: Decorated) -> Decorated:
        @wraps(command)
        def with_database(*, folder: Path | None, database_url: str | None, **more: Any) -> Any:
            return command(database=_database_in(folder, database_url), **more)

        return FOLDER(database_url_option(cast(Decorated, with_database)))

    return with_options


def number_option(
    name: str, numbers: tuple[int, int | None], default: int, help: str, metavar: str = "N", **more: Any
) -> Callable[[Decorated], Decorated]:
    """An option for a number from the first to the last of `numbers`, whose default is shown."""
    kind = click.IntRange(*numbers)
    return click.option(name, type=kind, default=default, metavar=metavar, help=help, **more)


def workers_option(hint: str) -> Callable[[Decorated], Decorated]:
    """The option for the number of workers. `hint` follows its description."""
    return number_option("--workers", (1, 64), 1, f"Number of server processes{hint}.")
