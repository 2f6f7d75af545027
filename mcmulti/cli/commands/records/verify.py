"""Verify games: ``verify``."""

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SOURCE
from mcmulti.cli.running import counted, printing, record_of, run, say_json

if TYPE_CHECKING:
    from mcmulti.cli.proof.verdict import WantedKey


@click.command()
@SOURCE
@GAME
@click.option("--key", metavar="HEX", help="Public key, or its id, that must have signed the head.")
@click.option(
    "--keys",
    "listing",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File with the response of GET /v1/keys. It replaces the keys in the game file.",
)
@click.option("--head", metavar="SEQ-HASH", help="ETag that you noted earlier. The log must contain that event.")
@click.option("--all", "every", is_flag=True, help="Check every game, one line each.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify(
    source: str,
    game: UUID | None,
    key: str | None,
    listing: Path | None,
    head: str | None,
    every: bool,
    as_json: bool,
) -> None:
    """Prove a game: its log is untampered, its dice are honest, and its rules were kept.

    SOURCE is a game file, - for standard input, the address of a server or of a game on it, a folder of games, or
    postgresql://... With --all it can be the address of a series: then all its tables are proven, and that they had
    the same dice. Only the events are trusted: the hash chain is computed again, every die is drawn again, and every
    command is decided again. If anything is wrong, the exit code is 1, and the first wrong event is named.
    """
    if every and (game or head):
        raise click.UsageError("--all covers every game. Leave out --game and --head.")
    from rich.console import Console

    from mcmulti.cli.proof.verdict import WantedKey, judged, marked, noted_head, noted_key, noted_keys

    try:
        witness = noted_head(head)
        asked = WantedKey(noted_key(key), None if listing is None else noted_keys(listing.read_bytes()))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if every:
        with printing():
            sound: bool = run(_verify_all(source, asked, as_json))
        if not sound:
            raise click.exceptions.Exit(1)
        return
    verdict = judged(record_of(source, game, as_owner=True), asked, witness)
    if as_json:
        say_json(verdict)
    else:
        console = Console(soft_wrap=True, highlight=False)
        for text in marked(verdict):
            console.print(text)
    if not verdict.sound:
        raise click.exceptions.Exit(1)


async def _verify_all(source: str, asked: "WantedKey", as_json: bool) -> bool:
    """Verify every game in the source, and print the result of each. Returns whether nothing is wrong."""
    from rich.console import Console

    from mcmulti.cli.proof.verdict import SeriesTables, judged, marked_in_a_line
    from mcmulti.client.sources import records_in

    console = Console(soft_wrap=True, highlight=False)
    proven = sound = games = 0
    series = SeriesTables()
    async for record in records_in(source):
        verdict = judged(record, asked)
        games, sound, proven = games + 1, sound + verdict.sound, proven + verdict.proven
        series.collect(record, verdict)
        if as_json:
            say_json(verdict)
        else:
            console.print(marked_in_a_line(verdict))
    for told in series.proofs():
        if as_json:
            say_json(told)
        else:
            console.print(told.marked)
    if not as_json:
        console.print(
            f"{counted(games, 'game')}: {proven} proven, {sound - proven} sound so far, {games - sound} wrong."
        )
    return sound == games and series.sound
