"""Run a command's work."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import click

if TYPE_CHECKING:
    from rich.console import Console

    from mcmulti.client.sources import NamedLog
    from mcmulti.client.sync_client import SyncClient
    from mcmulti.events.log.envelope import Recorded
    from mcmulti.events.store.game_file import GameRecord

WIDE = 1000
"""More columns than any line has."""


def run(work: Any) -> Any:
    """Run the work. An expected failure is printed as one sentence."""
    from mcmulti.server.running import Interrupted
    from mcmulti.server.running import run as running

    try:
        return running(work)
    except Interrupted as interrupted:
        click.echo("Interrupted. Everything has stopped.", err=True)
        raise click.exceptions.Exit(128 + interrupted.number) from None
    except _failures() as error:
        raise click.ClickException(str(error)) from error


def _failures() -> tuple[type[Exception], ...]:
    """The expected failures. They are imported after one only: work with a file needs no client."""
    from mcmulti.client.client import HttpProblem, ServerAway
    from mcmulti.client.sources import SourceError
    from mcmulti.server.running import ServerError

    return HttpProblem, ServerAway, ServerError, SourceError


@asynccontextmanager
async def address_of(database: Path | str, *, new: bool = False) -> AsyncIterator[str]:
    """The address of a database; of one in a folder, PostgreSQL runs while the block does.

    Raises `ServerError`, and `SourceError` for a folder without games, unless a `new` one is as good.
    """
    from mcmulti.client.sources import SourceError
    from mcmulti.events.embedded.server import has_data
    from mcmulti.server.database import embedded

    if isinstance(database, str):
        yield database
        return
    if not new and not has_data(database):
        raise SourceError(f"There are no games in {database} yet.")
    async with embedded(database) as address:
        yield address


@contextmanager
def connected(address: str, token: str | None = None) -> Iterator["SyncClient"]:
    """A client for a command with a few requests. An expected failure is printed as one sentence."""
    from mcmulti.client.sync_client import SyncClient

    try:
        with SyncClient(address, token=token, patience=2.0) as client:
            yield client
    except _failures() as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        raise click.exceptions.Exit(128 + signal.SIGINT) from None


def log_of(source: str, game: UUID | None) -> "NamedLog":
    """The log of a game, with stand-ins for sealed events, which standard error reports. Errors as in `run`."""
    from mcmulti.client.sources import log_of_game

    found: NamedLog = run(log_of_game(source, game))
    return found._replace(events=readable(found.events))


def record_of(source: str, game: UUID | None, *, as_owner: bool = False) -> "GameRecord":
    """A game with everything a game file contains; sealed data only as the owner of it all. Errors as in `run`."""
    from mcmulti.client.sources import record_in

    found: GameRecord = run(record_in(source, game, as_owner=as_owner))
    return found


def readable(events: Sequence["Recorded"]) -> Sequence["Recorded"]:
    """The events, with stand-ins for sealed ones, whose number standard error reports."""
    from mcmulti.events.store.redaction import legible

    found = legible(events)
    sealed = sum(event.payload is not None for event in found)
    if sealed:
        what = counted(sealed, "event")
        click.echo(f"Shown without the content of {what}, sealed until the game is over.", err=True)
    if len(found) < len(events):
        click.echo(f"Event {events[len(found)].seq} is sealed. This is the game before it.", err=True)
    return found


def console(**options: Any) -> "Console":
    """Standard output for tables. If neither a terminal nor COLUMNS sets a width, nothing is wrapped or cut."""
    from rich.console import Console

    found = Console(**options)
    if not found.is_terminal and "COLUMNS" not in os.environ:
        found.width = WIDE
    return found


def counted(number: int, what: str) -> str:
    """A count with its noun."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def say(text: str | bytes, *, nl: bool = True) -> None:
    """Print in the encoding of the locale. By itself, click writes UTF-8 even if the locale is ASCII."""
    click.echo(text, nl=nl, file=sys.stdout)


def say_json(found: Any) -> None:
    """Print a JSON document in a line."""
    import msgspec

    click.echo(msgspec.json.encode(found))


@contextmanager
def printing() -> Iterator[None]:
    """For long output: if the reader closes the pipe early, as `head` does, end as if by SIGPIPE."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise flushing at exit would fail again
        raise click.exceptions.Exit(128 + signal.SIGPIPE) from None
