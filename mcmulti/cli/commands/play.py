"""Playing a game: ``play``."""

from typing import TYPE_CHECKING, Any

import click

from mcmulti.cli.options import language_option, on_a_terminal
from mcmulti.cli.running import run
from mcmulti.cli.servers import GameAddress, account_at, server_option, table_of

if TYPE_CHECKING:
    from mcmulti.cli.play.hand import Hand


@click.command()
@click.argument("game", metavar="GAME")
@server_option
@click.option("--sit", is_flag=True, help="Sit down first, on the first seat that is free, or that somebody left.")
@click.option("--seat", type=click.IntRange(min=0), metavar="N", help="Sit down first, on this seat.")
@click.option("--passcode", metavar="CODE", help="The passcode of a table for invited players.")
@language_option("What it is told in.")
@click.option("--plain", is_flag=True, help="Play line by line, without a picture, on a terminal too.")
def play(
    game: str, server: str | None, sit: bool, seat: int | None, passcode: str | None, language: Any, plain: bool
) -> None:
    """Play a game on a server.

    GAME is its id, or its address, of the API or of its page in a browser. What may be done is a menu; a move can be
    chosen there or typed in as few words as tell it, and with Tab they are completed. What others do is told as it
    happens. What cannot be taken back is asked for twice. Type :help for more.

    Without a terminal, and with --plain, it is played line by line: lines are read when the game asks for a move.
    """
    table = table_of(server, game)
    account_at(server, table.server)
    if passcode is not None and not (sit or seat is not None):
        raise click.UsageError("--passcode is for sitting down: --sit or --seat N.")
    failure = run(_play(table, (sit or seat is not None, seat, passcode), language, plain or not on_a_terminal()))
    if failure:
        raise click.ClickException(failure)


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
