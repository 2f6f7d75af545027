"""What a referee writes to the players after a round: ``report``."""

import re
from typing import TYPE_CHECKING, Any
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SOURCE, language_option
from mcmulti.cli.running import events_of, printing, say

if TYPE_CHECKING:
    from mcmulti.domain.core.rounds import RoundReport


def _round(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    """The number of a round, from 1, or ``all``."""
    if value in (None, "all"):
        return value
    if value is not None and re.fullmatch(r"[1-9]\d{0,9}", value, re.ASCII):
        return int(value)
    raise click.BadParameter(f"{value!r} is neither the number of a round, from 1, nor all.")


@click.command()
@SOURCE
@GAME
@click.option(
    "--round",
    "number",
    callback=_round,
    metavar="N|all",
    help="Which round, or all that were refereed.  [default: the last of these]",
)
@language_option("Of the report.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="A letter of 80 columns, the same in Markdown, or a JSON document a line.",
)
def report(source: str, game: UUID | None, number: int | str | None, language: Any, form: str) -> None:
    """Report a round as a referee would: orders done and skipped, conditions, dice, hits, markets, standing.

    SOURCE is a folder of "mcmulti demo" or "mcmulti serve", a game file, the address of a server or of a game on it
    (http://.../v1/games/ID), or a database (postgresql://...). The game must be one that is played in rounds.
    """
    from mcmulti.projections import reports
    from mcmulti.projections.game_statistics import UNSOUND

    events = events_of(source, game)
    try:
        if isinstance(number, int):
            found = [reports.report(events, number, language)]
        else:
            found = list(reports.reports(events, language))
    except (reports.NoRounds, reports.OpenRound, reports.UnknownRound) as error:
        raise click.ClickException(str(error)) from error
    except UNSOUND as error:
        raise click.ClickException(f"The game cannot be reported: {error}.") from error
    if not found:
        raise click.ClickException("No round of this game was refereed yet.")
    with printing():
        for each in found if number == "all" else found[-1:]:
            say(_written(each, form), nl=form == "json")
            if form != "json" and each is not found[-1]:
                click.echo()


def _written(told: "RoundReport", form: str) -> str | bytes:
    import msgspec

    from mcmulti.projections.letters import as_markdown, as_text

    if form == "json":
        return msgspec.json.encode(told)
    return as_text(told) if form == "text" else as_markdown(told)
