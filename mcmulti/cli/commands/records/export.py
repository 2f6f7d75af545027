"""Export games: ``export``."""

import sys
from pathlib import Path
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SOURCE
from mcmulti.cli.running import printing, readable, record_of

FORMATS = ("game", "html", "hledger", "beancount", "csv")


@click.command()
@SOURCE
@GAME
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="File to write; - for standard output.  [default: named after the game's id, in the current folder]",
)
@click.option(
    "--format",
    "wanted",
    type=click.Choice(FORMATS),
    default="game",
    help="game: the complete game. html: a page that replays and proves it. Others: its books as a journal or table.",
)
@click.option(
    "--review",
    "review",
    metavar="SECONDS|FILE|stored",
    help="Include a review of the finished game in the page (html): made now, with this much processor time; from a "
    "file that mcmulti review --json wrote; or the one that the server of SOURCE has stored.",
)
@click.option(
    "--as-owner",
    is_flag=True,
    help="Include what is still sealed, from a folder or a database. Do not give it to players.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def export(
    source: str,
    game: UUID | None,
    output: str | None,
    wanted: str,
    review: str | None,
    as_owner: bool,
    force: bool,
) -> None:
    """Write a game to a file, to keep, prove, or import elsewhere.

    SOURCE is a game file, the address of a server or of a game on it, a folder of games, or postgresql://... While
    events are sealed, a game file has only their digests. A page (html) works in any browser, without network or
    server.
    """
    if review is not None and wanted != "html":
        raise click.UsageError("Only a page includes a review. Give --format html.")
    if as_owner and source.startswith(("http://", "https://")):
        raise click.UsageError("A server reveals sealed events to nobody. --as-owner needs a folder or a database.")
    from mcmulti.cli.proof.exporting import SUFFIXES, content_of, write
    from mcmulti.client.sources import SourceError

    record = record_of(source, game, as_owner=as_owner)
    if not record.events or record.file.head != (record.events[-1].seq, record.events[-1].hash):
        raise click.ClickException("The end of this game's log is damaged. Run mcmulti verify for details.")
    if wanted not in ("game", "html"):
        record = record._replace(events=readable(record.events))
    file = Path(output or f"{record.file.game}{SUFFIXES[wanted]}")
    reviews = None
    try:
        if review is not None:
            from mcmulti.cli.records.review import reviews_for

            if output != "-" and file.exists() and not force:
                raise FileExistsError(str(file))  # before the time is spent
            reviews = reviews_for(record, source, review)
        content = content_of(record, wanted, reviews)
        if output == "-":
            with printing():
                sys.stdout.buffer.writelines(content)
            return
        write(file, content, force=force)
    except SourceError as error:
        raise click.ClickException(str(error)) from error
    except FileExistsError:
        raise click.ClickException(f"{file} already exists. Use --force to overwrite it.") from None
    except OSError as error:
        raise click.ClickException(f"Cannot write to {file}: {error.strerror}.") from error
    click.echo(file)
