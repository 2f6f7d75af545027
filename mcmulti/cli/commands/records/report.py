"""A referee's report to the players, on a round or the whole game: ``report``."""

import re
from typing import TYPE_CHECKING, Any
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SOURCE, language_option
from mcmulti.cli.running import log_of, printing, say

if TYPE_CHECKING:
    from mcmulti.projections.reports.letters import Letter


def _round(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    """The number of a round, from 1, or ``all``."""
    if value in (None, "all"):
        return value
    if value is not None and re.fullmatch(r"[1-9]\d{0,9}", value, re.ASCII):
        return int(value)
    raise click.BadParameter(f"{value!r} must be a round number from 1, or all.")


@click.command()
@SOURCE
@GAME
@click.option(
    "--round",
    "number",
    callback=_round,
    metavar="N|all",
    help="Round number, or all refereed rounds.  [default: the last one]",
)
@click.option(
    "--whole",
    "whole",
    is_flag=True,
    help="Report on the complete game: who won, by which rule, and why.  [default if there are no rounds]",
)
@language_option("Language of the report.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="Text with 80 columns, Markdown, or one JSON document per line.",
)
def report(source: str, game: UUID | None, number: int | str | None, whole: bool, language: Any, form: str) -> None:
    """Report on a game as a referee would: who won and why, or what happened in a round.

    The report of a game shows its end and the rule behind it, who was ahead when, cash flows, the biggest swings, and
    luck. The report of a round shows orders carried out and skipped, conditions, dice, hits, markets, and the standing.

    SOURCE is a folder of "mcmulti demo" or "mcmulti serve", a game file, the address of a server or of a game on it
    (http://.../v1/games/ID), or a database (postgresql://...).
    """
    if whole and number is not None:
        raise click.UsageError("Give either --round or --whole, not both.")

    from mcmulti.events.log.codec import opened_with
    from mcmulti.projections.reports import rounds as reports
    from mcmulti.projections.reports.games import game_report
    from mcmulti.projections.statistics.game import UNSOUND

    events, called = log_of(source, game)
    found: list[Letter]
    try:
        if whole or (number is None and events and opened_with(events[0]).report is None):
            found = [game_report(events, language, called)]
        elif isinstance(number, int):
            found = [reports.report(events, number, language, called)]
        else:
            found = list(reports.reports(events, language, called))
    except (reports.NoRounds, reports.OpenRound, reports.UnknownRound) as error:
        raise click.ClickException(str(error)) from error
    except UNSOUND as error:
        raise click.ClickException(f"Cannot report on the game: {error}.") from error
    if not found:
        raise click.ClickException("No round of this game has been refereed yet.")
    with printing():
        for each in found if number == "all" else found[-1:]:
            say(_in_form(each, form), nl=form == "json")
            if form != "json" and each is not found[-1]:
                click.echo()


def _in_form(told: "Letter", form: str) -> str | bytes:
    import msgspec

    from mcmulti.projections.reports.letters import as_markdown, as_text

    if form == "json":
        return msgspec.json.encode(told)
    return as_text(told) if form == "text" else as_markdown(told)
