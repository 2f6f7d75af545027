"""Playing a game: ``play``."""

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mcmulti.cli.options import language_option, on_a_terminal
from mcmulti.cli.running import run
from mcmulti.cli.seating import PLAYERS, RULESET, new_game, set_option
from mcmulti.cli.servers import GameAddress, account_at, server_option, table_of

if TYPE_CHECKING:
    from mcmulti.cli.play.hand import Hand

HERE_ONLY = ("server", "sit", "seat", "passcode")
"""Options for games on a server."""
ALONE_ONLY = ("ruleset", "players", "settings")
"""Options for games against the computer."""


@click.command()
@click.argument("game", metavar="[GAME]", required=False)
@server_option
@click.option(
    "--against",
    metavar="LEVEL,...",
    help="Play the computer, without a server: random, tycoon, magnate, or what else plays the rule set; one level for "
    "all others, or one for each, separated by commas.",
)
@click.option(
    "--ruleset", type=RULESET, default="mcmulti", help="What is played against the computer.  [default: mcmulti]"
)
@click.option("--players", type=PLAYERS, metavar="N", help="Seats at a game against the computer, yours among them.")
@set_option
@click.option("--sit", is_flag=True, help="Sit down first, on the first seat that is free, or that somebody left.")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Sit down first, on this seat.")
@click.option("--passcode", metavar="CODE", help="The passcode of a table for invited players.")
@language_option("What it is told in.")
@click.option("--plain", is_flag=True, help="Play line by line, without a picture, on a terminal too.")
@click.pass_context
def play(
    context: click.Context,
    game: str | None,
    server: str | None,
    against: str | None,
    ruleset: str,
    players: int | None,
    settings: tuple[str, ...],
    sit: bool,
    seat: int | None,
    passcode: str | None,
    language: Any,
    plain: bool,
) -> None:
    """Play a game on a server, or against the computer.

    GAME is its id, or its address, of the API or of its page in a browser. Instead of it, --against plays the computer
    without a server: the game is in memory, and gone when you quit. What may be done is a menu; a move can be
    chosen there or typed in as few words as tell it, and with Tab they are completed. What others do is told as it
    happens. What cannot be taken back is asked for twice. Type :help for more.

    Without a terminal, and with --plain, it is played line by line: lines are read when the game asks for a move.
    """
    plain = plain or not on_a_terminal()
    if against is not None:
        _only(context, HERE_ONLY, "is for games on a server, not for --against.")
        if game is not None:
            raise click.UsageError("Name a GAME, or play --against the computer, not both.")
        setup, levels = _opponents(ruleset, against, players, settings)
        failure = run(_play_alone(ruleset, setup, levels, language, plain))
    else:
        _only(context, ALONE_ONLY, "is for games against the computer: --against LEVEL.")
        if game is None:
            raise click.UsageError("Name a GAME, or play the computer: --against LEVEL.")
        table = table_of(server, game)
        account_at(server, table.server)
        if passcode is not None and not (sit or seat is not None):
            raise click.UsageError("--passcode is for sitting down: --sit or --seat N.")
        failure = run(_play(table, (sit or seat is not None, seat, passcode), language, plain))
    if failure:
        raise click.ClickException(failure)


def _only(context: click.Context, names: tuple[str, ...], why: str) -> None:
    """Refuse options that are for something else, where they stand on the command line."""
    for option in context.command.params:
        if option.name in names and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[0]} {why}")


def _opponents(
    ruleset: str, against: str, players: int | None, settings: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What a game against the computer is set up with, and the levels of the others."""
    from mcmulti.api.admission.house import levels_of

    levels, known = tuple(against.split(",")), levels_of(ruleset)
    for level in levels:
        if level not in known:
            raise click.BadParameter(
                f"{level!r} does not play {ruleset}: {' or '.join(known)}.", param_hint="--against"
            )
    wanted = len(levels) + 1 if players is None and len(levels) > 1 else players
    setup, seats = new_game(ruleset, wanted, None, settings)
    if len(levels) not in (1, seats - 1):
        raise click.BadParameter(f"{len(levels)} opponents for {seats} players.", param_hint="--against")
    return setup, levels if len(levels) > 1 else levels * (seats - 1)


async def _play_alone(
    ruleset: str, setup: dict[str, Any], levels: tuple[str, ...], language: Any, plain: bool
) -> str | None:
    from mcmulti.cli.play.computer import at_home

    async with at_home(ruleset, setup, levels, language) as table:
        return await _play(table, (False, None, None), language, plain)


async def _play(
    table: GameAddress, sits: tuple[bool, int | None, str | None], language: Any, plain: bool
) -> str | None:
    from mcmulti.cli.play.hand import Hand
    from mcmulti.client.client import Client
    from mcmulti.client.following import Moved
    from mcmulti.client.sources import fetched
    from mcmulti.client.understood import SeenGame, understood

    async with Client(table.server, token=table.token, patience=2.0, language=language) as client:
        hand = Hand(client, table.game, language)
        view = await client.view(str(table.game))
        understood(view, SeenGame)
        hand.live.table = view["table"]
        if sits[0]:
            await hand.sit(sits[1], sits[2])
        await hand.take(Moved(tuple(await fetched(client, str(table.game)))))
        if hand.seat is None and not hand.over:
            return "You do not sit at this table: --sit sits down first, and mcmulti watch looks on."
        client.patience = float("inf")  # the server was there: from now on it is waited for
        return await _faced(hand, plain)


async def _faced(hand: "Hand", plain: bool) -> str | None:
    if plain:
        from mcmulti.cli.play.plain import converse

        await converse(hand)
        return None
    from mcmulti.cli.play.application import PlayApp

    application = PlayApp(hand)
    await application.run_async()
    return application.failure
