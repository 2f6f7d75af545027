"""Games in the process of the command, of which nothing is stored or left behind: against the computer, and of several
people at one terminal. Each of them plays when the game waits for them, and sees what their own seat may see.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import click

from mcmulti.api.logging import configure
from mcmulti.cli.play.hand import Hand
from mcmulti.cli.play.plain import Typed, converse
from mcmulti.cli.running import say
from mcmulti.cli.servers import GameAddress
from mcmulti.client.client import Client
from mcmulti.client.following import Moved
from mcmulti.client.sources import fetched
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.memory.log import MemoryLog
from mcmulti.projections.labels import PLAY
from mcmulti.server.children.house import HouseCounts, house_bots
from mcmulti.server.process import answering, bound
from mcmulti.server.running import ServerError

HOST = "127.0.0.1"
PATIENCE = 60
"""Seconds for the bots to sit down, however busy the machine is."""


@asynccontextmanager
async def at_home(
    ruleset: str, setup: dict[str, Any], levels: Sequence[str], language: Language
) -> AsyncIterator[GameAddress]:
    """A started game against bots of these levels, in this process, while the block runs.

    Raises `ServerError`, `HttpProblem`, and `ServerAway`.
    """
    configure(json=False, level="critical")
    log = MemoryLog()
    with bound(HOST, 0) as listener:
        async with (
            answering(log, listener, house_bots=True) as address,
            house_bots(log, address, HouseCounts(1)),
            Client(address) as client,
        ):
            await client.register(PLAY[language].player)
            opened = await client.open_game(ruleset, access={"listed": False, "house_bots": levels}, **setup)
            await client.take_seat(opened["game"], entropy=uuid4().hex)
            await _begun(client, opened["game"])
            yield GameAddress(address, UUID(opened["game"]), client.token)


async def _begun(client: Client, game: str) -> None:
    """Wait until the bots sit at the table and the game has begun."""
    try:
        async with asyncio.timeout(PATIENCE):
            while (table := (await client.view(game))["table"])["status"] == "open":
                await client.events(game, table["seq"], limit=1, wait=25)
    except TimeoutError:
        raise ServerError(f"The bots did not sit down within {PATIENCE} seconds.") from None


@asynccontextmanager
async def at_one_terminal(
    ruleset: str, setup: dict[str, Any], names: Sequence[str], language: Language
) -> AsyncIterator[list[Hand]]:
    """A practice game of these people that has begun, in this process, for the block: the hand of each.

    Raises `HttpProblem`, as for two of one name, and `ServerAway`.
    """
    configure(json=False, level="critical")
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(answering(MemoryLog(), stack.enter_context(bound(HOST, 0))))
        opener = await stack.enter_async_context(Client(address, language=language))
        await opener.register(names[0])
        opened = await opener.open_game(ruleset, access={"listed": False}, **{**setup, "practice": True})
        game, clients = str(opened["game"]), [opener]
        await opener.take_seat(game, entropy=uuid4().hex)
        for number, name in enumerate(names[1:], 1):
            token = f"{opener.token}~{number}"
            clients.append(await stack.enter_async_context(Client(address, token=token, language=language)))
            await clients[-1].take_seat(game, name=name)
        await opener.send(game, [{"type": "StartGame"}])
        yield [Hand(client, UUID(game), language) for client in clients]


async def take_turns(hands: Sequence[Hand], names: Sequence[str], *, plain: bool) -> str | None:
    """Let each play in turn, to the end of the game, or until somebody quits; why it ended, if nobody wanted that."""
    typed = Typed() if plain else None
    held: Hand | None = None
    while True:
        table = (await hands[0].client.view(str(hands[0].game)))["table"]
        asked = [hands[seat] for seat in table["to_move"]]  # they sat down in this order
        if not asked:
            return None
        playing = asked[0] if held is None or held not in asked else held
        if playing is not held and not await _taken_over(playing, names[hands.index(playing)], typed):
            return None
        held = playing
        known = playing.live.story.last if playing.live.begun else 0
        await playing.receive(Moved(tuple(await fetched(playing.client, str(playing.game), known)), table))

        def until(hand: Hand = playing) -> bool:
            return not hand.is_waited_for and not hand.is_confirming and not hand.over

        if typed is not None:
            if not await converse(playing, typed, until):
                return None
            continue
        from mcmulti.cli.play.application import PlayApp

        application = PlayApp(playing, until)
        await application.run_async()
        if not application.passed:
            return application.failure


async def _taken_over(hand: Hand, name: str, typed: Typed | None) -> bool:
    """Hide what the one before saw, and wait until the next one is there; False if nobody comes."""
    if not sys.stdin.isatty():
        say(hand.labels.plays.format(name=name))
        return True
    click.clear()
    click.echo(hand.labels.pass_on.format(name=name))
    if typed is not None:
        return await typed.line() is not None
    click.pause("")
    return True
