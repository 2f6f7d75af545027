"""Import games: ``import``."""

import re
from pathlib import Path

import click

from mcmulti.cli.options import database_options
from mcmulti.cli.running import record_of, run


@click.command("import")
@click.argument("source")
@database_options("use")
@click.option(
    "--rename",
    "renamed",
    multiple=True,
    metavar="OLD=NEW",
    help="From an installation: import the player OLD under the name NEW. Repeat it for other players.",
)
def import_(source: str, database: Path | str, renamed: tuple[str, ...]) -> None:
    """Import a finished game from a game file, or everything from another installation.

    SOURCE is a game file, or the folder or the database (postgresql://...) of an installation. All games are proven
    first, and nothing is imported if anything is wrong. They keep their ids, hashes, and times. An installation comes
    with its players and their tokens, and its unfinished games go on here: stop the servers of both, and never start
    the one of that installation again.
    """
    from mcmulti.cli.proof.importing import ImportRefused, bring_in
    from mcmulti.cli.proof.merging import merge

    names = _names(renamed)
    installation = _installation(source)
    try:
        if installation is None:
            if names:
                raise click.UsageError("--rename needs the folder or the database of an installation.")
            click.echo(run(bring_in(record_of(source, None), database)))
        else:
            click.echo(run(merge(installation, database, names)).sentence)
    except ImportRefused as refused:
        what = source if installation is None or isinstance(installation, Path) else "the database"
        raise click.ClickException(f"{what} was not imported: {refused}") from refused


def _installation(source: str) -> Path | str | None:
    """The database or folder of an installation; None for a game file."""
    if re.match("postgres(ql)?://", source):
        return source
    path = Path(source)
    if path.is_dir():
        return path.absolute()
    if not path.exists():
        raise click.BadParameter(f"File {source!r} does not exist.", param_hint="'SOURCE'")
    return None


def _names(renamed: tuple[str, ...]) -> dict[str, str]:
    names = {}
    for each in renamed:
        old, equals, new = each.partition("=")
        if not equals or not old or not new or old in names:
            raise click.BadParameter(f"{each!r} is not OLD=NEW, or OLD is there twice.", param_hint="'--rename'")
        names[old] = new
    return names
