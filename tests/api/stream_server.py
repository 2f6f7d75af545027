"""Servers for streams: in the tests' own process, but over real sockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

from httpx import AsyncClient

from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.process import bound
from tests.api.applications import answering_again
from tests.api.guests import Table
from tests.games import random_game, recorded_games
from tests.golden.games import seed_of


@asynccontextmanager
async def served(database: str) -> AsyncIterator[tuple[str, Table]]:
    """A server on a database: its address, and a table of guests at it."""
    with bound("127.0.0.1", 0) as listener:
        async with (
            PostgresLog.open(database) as log,
            answering_again(log, listener) as address,
            AsyncClient(base_url=address, timeout=30, trust_env=False) as client,
        ):
            yield address, Table(client, log)


async def finished_game(log: Log, seed: int = 7, ruleset: str = "mcmulti") -> UUID:
    """A finished game: a random one of the box game, or a golden one of another rule set."""
    events = random_game(4, seed) if ruleset == "mcmulti" else recorded_games(ruleset, 1)[0]
    await log.create(
        events[0].game_id, ruleset, CURRENT[ruleset].version, TableRow("finished"), seed_of(events), events
    )
    return events[0].game_id
