"""Play a game: ``play``."""

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mcmulti.cli.options import language_option, on_a_terminal
from mcmulti.cli.running import run
from mcmulti.cli.seating import PLAYERS, default_ruleset, new_game, ruleset_option, set_option
from mcmulti.cli.servers import GameAddress, account_at, server_option, table_of

if TYPE_CHECKING:
    from mcmulti.cli.play.hand import Hand

HERE_ONLY = ("server", "sit", "seat", "passcode")
"""Options for games on a server."""
ALONE_ONLY = ("ruleset", "players", "settings")
"""Options for games without a server."""


@click.command()
@click.argument("game", metavar="[GAME]", required=False)
@server_option
@click.option(
    "--against",
    metavar="LEVEL,...",
    help="Play the computer without a server: random, tycoon, magnate, or another level of the rule set. Give "
    "one level for "
    "all opponents, or one for each, separated by commas.",
)
@click.option(
    "--people",
    metavar="NAME,...",
    help="Play with people at this terminal, without a server: their names, separated by commas.",
)
@ruleset_option("Rule set of a game without a server.", default=default_ruleset)
@click.option(
    "--players", type=PLAYERS, metavar="N", help="Number of seats in a game against the computer, including yours."
)
@set_option
@click.option("--sit", is_flag=True, help="Sit down first, on the first free or vacated seat.")
@click.option("--seat", type=click.IntRange(min=1), metavar="N", help="Sit down first, on this seat. The first is 1.")
@click.option("--passcode", metavar="CODE", help="Passcode, if only invited players can join.")
@language_option("Language of the output.")
@click.option("--plain", is_flag=True, help="Play line by line, without a board, even on a terminal.")
@click.pass_context
def play(
    context: click.Context,
    game: str | None,
    server: str | None,
    against: str | None,
    people: str | None,
    ruleset: str,
    players: int | None,
    settings: tuple[str, ...],
    sit: bool,
    seat: int | None,
    passcode: str | None,
    language: Any,
    plain: bool,
) -> None:
    """Play a game on a server, against the computer, or with people at this terminal.

    GAME is its id, or its address in the API or in a browser. With --against instead, you play the computer without a
    server, and with --people you take turns at this terminal: the game is in memory, and is gone when you quit. Choose
    a move from the menu, or type it in as few words as needed. Tab completes words. Moves of other players are printed
    as they happen. Moves that cannot be taken back need confirmation. Type :help for more.

    Without a terminal, or with --plain, you play line by line, and the game prompts you for moves.
    """
    plain = plain or not on_a_terminal()
    if people is not None:
        _only(context, (*HERE_ONLY, "players", "against"), "does not go with --people.")
        if game is not None:
            raise click.UsageError("Give either a GAME or --people, not both.")
        names = tuple(name.strip() for name in people.split(","))
        failure = run(
            _play_together(ruleset, new_game(ruleset, len(names), None, settings).setup, names, language, plain)
        )
    elif against is not None:
        _only(context, HERE_ONLY, "is for games on a server, not for --against.")
        if game is not None:
            raise click.UsageError("Give either a GAME or --against, not both.")
        setup, levels = _opponents(ruleset, against, players, settings)
        failure = run(_play_alone(ruleset, setup, levels, language, plain))
    else:
        _only(context, ALONE_ONLY, "is for games without a server. Add --against LEVEL or --people NAME,....")
        if game is None:
            raise click.UsageError("Give a GAME, or play the computer with --against LEVEL.")
        table = table_of(server, game)
        account_at(server, table.server)
        if passcode is not None and not (sit or seat is not None):
            raise click.UsageError("--passcode needs --sit or --seat N.")
        sits = sit or seat is not None, None if seat is None else seat - 1, passcode
        failure = run(_play_at_terminal(table, sits, language, plain))
    if failure:
        raise click.ClickException(failure)


def _only(context: click.Context, names: tuple[str, ...], why: str) -> None:
    """Refuse options from the command line that are for something else."""
    for option in context.command.params:
        if option.name in names and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[0]} {why}")


def _opponents(
    ruleset: str, against: str, players: int | None, settings: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The setup of a game against the computer, and the levels of the opponents."""
    from mcmulti.api.admission.house import LEVELS

    levels, known = tuple(against.split(",")), LEVELS[ruleset]
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


async def _play_together(
    ruleset: str, setup: dict[str, Any], names: tuple[str, ...], language: Any, plain: bool
) -> str | None:
    from mcmulti.cli.play.here import at_one_terminal, take_turns

    async with at_one_terminal(ruleset, setup, names, language) as hands:
        return await take_turns(hands, names, plain=plain)


async def _play_alone(
    ruleset: str, setup: dict[str, Any], levels: tuple[str, ...], language: Any, plain: bool
) -> str | None:
    from mcmulti.cli.play.here import at_home

    async with at_home(ruleset, setup, levels, language) as table:
        return await _play_at_terminal(table, (False, None, None), language, plain)


async def _play_at_terminal(
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
        await hand.receive(Moved(tuple(await fetched(client, str(table.game)))))
        if hand.seat is None and not hand.over:
            return "You do not sit at this table. To sit down, use --sit. To watch, use mcmulti watch."
        client.patience = float("inf")  # the server has answered, so from now on keep retrying
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
