"""A table at which the computer plays while the command runs. Nothing is stored or left behind."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

from mcmulti.api.logging import configure
from mcmulti.cli.servers import GameAddress
from mcmulti.client.client import Client
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
