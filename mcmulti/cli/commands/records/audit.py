"""Audit the books of a game: ``audit``."""

from typing import Any
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SOURCE, language_option
from mcmulti.cli.running import WIDE, console, log_of

TURN = click.IntRange(min=0)


@click.command()
@SOURCE
@GAME
@click.option(
    "--at", type=click.IntRange(min=1), metavar="SEQ", help="Show the books after this event.  [default: the end]"
)
@click.option(
    "--from-turn", type=TURN, metavar="N", help="Start with this turn. Earlier turns are in the opening balances."
)
@click.option("--to-turn", type=TURN, metavar="N", help="Show the books after this turn.")
@click.option(
    "--account",
    metavar="NAME",
    help='Print the lines of this account, such as "seat:0:cash", or of all its subaccounts, such as "seat:0".',
)
@language_option("Language of the output.")
def audit(
    source: str,
    game: UUID | None,
    at: int | None,
    from_turn: int | None,
    to_turn: int | None,
    account: str | None,
    language: Any,
) -> None:
    """Show the books of a game: income and spending, who paid whom, and whether everything is proven.

    SOURCE is a folder of "mcmulti demo" or "mcmulti serve", a game file, the address of a server or of a game on it
    (http://.../v1/games/ID), or a database (postgresql://...).

    If anything is wrong, the exit code is 1.
    """
    if from_turn is not None and to_turn is not None and to_turn < from_turn:
        raise click.UsageError(f"--to-turn {to_turn} is before --from-turn {from_turn}.")

    from mcmulti.cli.records.audit import UnknownAccount, audited
    from mcmulti.domain.core.figures import MOST
    from mcmulti.projections.books.statements import BookSpan

    span = BookSpan(until=at or MOST, from_turn=from_turn or 0, to_turn=MOST if to_turn is None else to_turn)
    log = log_of(source, game)
    if at is not None and at > len(log.events):
        raise click.ClickException(f"--at {at} is beyond the end. The game has {len(log.events)} events.")
    out = console(highlight=False, markup=False, emoji=False)
    if out.width < WIDE:
        out.width = 100 if out.width >= 100 else 80
    try:
        sound = audited(log, span, account, language, source, out)
    except UnknownAccount as error:
        raise click.ClickException(str(error)) from error
    if not sound:
        raise click.ClickException("Something is wrong with this game.")
