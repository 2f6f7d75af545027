"""Watch a game live: ``watch``."""

from typing import TYPE_CHECKING, Any

import click

from mcmulti.cli.options import language_option, on_a_terminal
from mcmulti.cli.running import printing, run, say
from mcmulti.cli.servers import GameAddress, server_option, table_of

if TYPE_CHECKING:
    from mcmulti.client.client import Client


@click.command()
@click.argument("game", metavar="GAME")
@server_option
@language_option("Language of the output.")
@click.option("--plain", is_flag=True, help="Print one line per event, even on a terminal.")
def watch(game: str, server: str | None, language: Any, plain: bool) -> None:
    """Watch a game live.

    GAME is its id, or its address in the API or in a browser. On a terminal, this opens the application of "mcmulti
    replay", which follows the game. Look back with the arrow keys, and press End to return to the present. If the
    connection is lost, it reconnects. Without a terminal, or with --plain, events are printed.
    """
    table = table_of(server, game)
    if plain or not on_a_terminal():
        run(_print(table, language))
        return
    failure, code = run(_watch(table, language))
    if failure:
        raise click.ClickException(failure)
    if code:
        raise click.exceptions.Exit(code)


async def _watch(table: GameAddress, language: Any) -> tuple[str | None, int]:
    from mcmulti.cli.replay.application import WatchApp

    async with _client(table) as client:
        application = WatchApp(client, table.game, await _so_far(client, table), language)
        await application.run_async()
        return application.failure, application.return_code or 0


async def _so_far(client: "Client", table: GameAddress) -> Any:
    from mcmulti.cli.replay.live import LiveStory
    from mcmulti.client.following import Moved
    from mcmulti.client.sources import fetched

    live = LiveStory(client, table.game)
    await live.receive(Moved(tuple(await fetched(client, str(table.game)))))
    return live


async def _print(table: GameAddress, language: Any) -> None:
    from mcmulti.cli.replay.live import LiveStory
    from mcmulti.client.following import followed
    from mcmulti.projections.labels import REPLAY

    async with _client(table) as client:
        live, told = LiveStory(client, table.game), 0
        with printing():
            async for moved in followed(client, table.game):
                client.patience = float("inf")  # the server has answered, so from now on keep retrying
                if changed := await live.receive(moved):
                    click.echo(REPLAY[language].said[changed], err=True)
                if moved.anew:
                    click.echo(REPLAY[language].went_back, err=True)
                    told = 0
                for line in live.story.lines(language)[told:] if live.begun else ():
                    if not line.quiet:
                        say(f"{line.seq:>6}  {line.sentence}  [{line.rule}]")
                    told = line.seq


def _client(table: GameAddress) -> "Client":
    from mcmulti.client.client import Client

    return Client(table.server, token=table.token, patience=2.0)
