"""What ``bot --lobby`` does: play at the tables of a server until it is stopped."""

import asyncio
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcmulti.cli.running import run
from mcmulti.cli.seating import TROUBLES, check_strategies
from mcmulti.cli.servers import place, token_for

if TYPE_CHECKING:
    from mcmulti.bots.seats.lobby import LobbyWishes


def at_tables(
    server: str,
    name: str | None,
    strategy: str | None,
    rules: tuple[str, ...],
    games: int,
    keep: Path | None,
    seed: int,
    seconds: float,
) -> None:
    """Play as the bot in the file, or, if no name is given, as this account's bot. Otherwise, register a new one."""
    from mcmulti.bots.seats.lobby import LobbyWishes, TokenRevoked
    from mcmulti.bots.seats.lobby_file import BadLobbyFile, held

    path = keep or place().with_name("lobby.json")
    wishes = LobbyWishes(_strategies(strategy, rules), games, seed, seconds, Path(TROUBLES))
    token = None if name is not None else token_for(None, server)
    try:
        with held(path):
            run(_lobby(server, path, name, token, wishes))
    except BadLobbyFile as error:
        raise click.ClickException(str(error)) from error
    except TokenRevoked as error:
        said = f"{error} The token was revoked, or the player is gone. To start as a new bot, delete {path}."
        raise click.ClickException(said) from error


async def _lobby(server: str, path: Path, name: str | None, token: str | None, wishes: "LobbyWishes") -> None:
    from mcmulti.bots.seats.lobby import LobbyBot, lobby_player
    from mcmulti.server.running import Interrupted

    bot = LobbyBot(path, await lobby_player(server, path, name, token), wishes, click.echo)
    task, signals = asyncio.current_task(), list[int]()
    assert task is not None

    def stop(number: int) -> None:
        signals.append(number)
        if len(signals) == 1:
            bot.stop()
        else:
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
    try:
        await bot.run()
    except asyncio.CancelledError:
        if len(signals) < 2:
            raise
        raise Interrupted(signals[-1]) from None


def _strategies(strategy: str | None, rules: tuple[str, ...]) -> dict[str, str]:
    """The strategy for each rule set: as requested, else for those that the strategy supports, by default
    the best one.
    """
    from mcmulti.bots.strategies.own import is_own
    from mcmulti.bots.strategies.registry import strategies_of
    from mcmulti.domain.rulesets import CURRENT

    if strategy is not None and is_own(strategy) and not rules:
        raise click.UsageError("List with --rules what your --strategy plays.")
    known = rules or tuple(name for name in CURRENT if strategy is None or strategy in strategies_of(name))
    chosen = {ruleset: strategy or strategies_of(ruleset)[0] for ruleset in known}
    for ruleset, name in chosen.items():
        check_strategies(ruleset, [name])
    if not chosen:
        raise click.BadParameter(f"{strategy!r} plays nothing.", param_hint="--strategy")
    return chosen
