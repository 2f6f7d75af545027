"""Proving games, and carrying them around: ``verify``, ``export`` and ``import``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import click

from mcmulti.cli.commands.serve import database_in
from mcmulti.cli.running import printing, readable, run

if TYPE_CHECKING:
    from mcmulti.events.game_file import GameRecord

SOURCE = click.argument("source")
GAME = click.option("--game", type=click.UUID, metavar="ID", help="Which game.  [default: the youngest]")
FORMATS = ("game", "hledger", "beancount", "csv")


@click.command()
@SOURCE
@GAME
@click.option("--key", metavar="HEX", help="The public key, or its id, that must have signed the head.")
@click.option("--head", metavar="SEQ-HASH", help="An ETag that somebody noted: the log must hold that event.")
@click.option("--all", "every", is_flag=True, help="Every game there, a line each.")
@click.option("--json", "as_json", is_flag=True, help="Say it in JSON, for programs.")
def verify(source: str, game: UUID | None, key: str | None, head: str | None, every: bool, as_json: bool) -> None:
    """Prove a game: that its log was not tampered with, its dice are honest and its rules were kept.

    SOURCE is a game file, - for one on standard input, the address of a server or of a game on it, a folder of games,
    or postgresql://... Nothing but the events is trusted: the chain is hashed again, every die drawn again, every
    command decided again. Exit code 1 if anything is wrong; the first event that is wrong is named.
    """
    if every and (game or head):
        raise click.UsageError("--all is about every game: give neither --game nor --head.")
    from rich.console import Console

    from mcmulti.cli.proof.verdict import judged, marked, noted_head, noted_key

    try:
        witness, signer = noted_head(head), noted_key(key)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if every:
        with printing():
            sound: bool = run(_verify_all(source, signer, as_json))
        if not sound:
            raise click.exceptions.Exit(1)
        return
    verdict = judged(_record(source, game), signer, witness)
    if as_json:
        import msgspec

        click.echo(msgspec.json.encode(verdict))
    else:
        console = Console(soft_wrap=True, highlight=False)
        for text in marked(verdict):
            console.print(text)
    if not verdict.sound:
        raise click.exceptions.Exit(1)


@click.command()
@SOURCE
@GAME
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Where to; - for standard output.  [default: named by the game's id, in the current folder]",
)
@click.option(
    "--format",
    "wanted",
    type=click.Choice(FORMATS),
    default="game",
    show_default=True,
    help="The whole game, or its books: a journal for hledger or beancount, or a table.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def export(source: str, game: UUID | None, output: str | None, wanted: str, force: bool) -> None:
    """Write a game to a file, to keep, to prove or to import elsewhere.

    SOURCE is a game file, the address of a server or of a game on it, a folder of games, or postgresql://... Of what a
    server seals yet, a game file holds the digest only.
    """
    from mcmulti.cli.proof.exporting import SUFFIXES, content_of, write

    record = _record(source, game)
    if wanted != "game":
        record = record._replace(events=readable(record.events))
    content = content_of(record, wanted)
    if output == "-":
        with printing():
            sys.stdout.buffer.writelines(content)
        return
    file = Path(output or f"{record.file.game}{SUFFIXES[wanted]}")
    try:
        write(file, content, force=force)
    except FileExistsError:
        raise click.ClickException(f"{file} is there already; --force writes over it.") from None
    except OSError as error:
        raise click.ClickException(f"Cannot write to {file}: {error.strerror}.") from error
    click.echo(file)


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of a server's own PostgreSQL.  [default: ~/.local/share/mcmulti]",
)
@click.option(
    "--database-url", envvar="DATABASE_URL", show_envvar=True, metavar="URL", help="Another PostgreSQL to use instead."
)
@click.pass_context
def import_(context: click.Context, file: Path, folder: Path | None, database_url: str | None) -> None:
    """Take a finished game from a game file into a database.

    The game is proven first, and refused if anything is wrong with it. It keeps its id, its hashes and its times.
    """
    from mcmulti.cli.proof.importing import ImportRefused, bring_in

    record = _record(str(file), None)
    try:
        click.echo(run(bring_in(record, database_in(context, folder, database_url))))
    except ImportRefused as refused:
        raise click.ClickException(f"{file} is not imported: {refused}") from refused


async def _verify_all(source: str, key: str | None, as_json: bool) -> bool:
    """Prove every game in the source, and say of each what was found; whether nothing is wrong."""
    import msgspec
    from rich.console import Console

    from mcmulti.cli.proof.verdict import judged, marked_in_a_line
    from mcmulti.client.sources import records_in

    console = Console(soft_wrap=True, highlight=False)
    proven = sound = games = 0
    async for record in records_in(source):
        verdict = judged(record, key)
        games, sound, proven = games + 1, sound + verdict.sound, proven + verdict.proven
        if as_json:
            click.echo(msgspec.json.encode(verdict))
        else:
            console.print(marked_in_a_line(verdict))
    if not as_json:
        number = "1 game" if games == 1 else f"{games} games"
        console.print(f"{number}: {proven} proven, {sound - proven} sound so far, {games - sound} wrong.")
    return sound == games


def _record(source: str, game: UUID | None) -> "GameRecord":
    from mcmulti.client.sources import record_in

    found: GameRecord = run(record_in(source, game))
    return found
