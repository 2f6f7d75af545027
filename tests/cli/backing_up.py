"""Databases to back up, and the commands that do it."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psycopg

from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.event_store import signed
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.store.standing import retraced, tenures
from tests.cli.proving import GAME, address_of
from tests.cli.upgrading import Ended, told
from tests.conftest import new_database
from tests.golden.games import FILES, load, seed_of

OTHER = load(next(file for file in FILES if file.stem == "four-players"))
ADA = Player(UUID(int=7), "Ada")


async def ran(*arguments: str | Path, temporary: Path) -> Ended:
    """The result of a command."""
    return await asyncio.to_thread(told, *map(str, arguments), temporary=temporary)


def inside(folder: Path) -> list[str]:
    """The names of the files in a folder."""
    return sorted(os.listdir(folder))


@contextmanager
def empty(postgres: EmbeddedPostgres) -> Iterator[str]:
    """Create an empty database for the block. Return its address."""
    with new_database(postgres) as name:
        yield address_of(postgres.url(database=name))


async def hold(database: str, events: list[Recorded]) -> None:
    """Write a game to a database."""
    async with PostgresLog.open(database, pool_size=1) as log:
        stands, played = retraced(RULESET, events), tenures(RULESET, events)
        await log.create(
            events[0].game_id, RULESET.name, RULESET.version, stands, seed_of(events), events, tenures=played
        )


async def filled(database: str) -> str:
    """Fill a database with two finished games, a player, a key, and a receipt of event 30 of the first.

    Return its address.
    """
    for events in (GAME, OTHER):
        await hold(database, events)
    async with PostgresLog.open(database, pool_size=1) as log:
        await log.add_player(ADA, first_token(GAME[0].recorded_at), bytes(32))
        await log.signer(b"k" * 32)
        receipt = signed(await log.digest_key(), GAME[0].game_id, ADA.player_id, "a key", bytes(32), 29, 30)
    with psycopg.connect(database) as owner:
        columns = "game_id, player_id, key, request_hash, after_seq, seq, digest"
        owner.execute(
            f"INSERT INTO receipt ({columns}) VALUES (%s, %s, %s, %s, %s, %s, %s)".encode(), (GAME[0].game_id, *receipt)
        )
    return address_of(database)


async def holds_all(database: str) -> None:
    async with PostgresLog.open(database, pool_size=1) as log:
        for events in (GAME, OTHER):
            assert await log.read(events[0].game_id) == events
            assert await log.secret(events[0].game_id) == seed_of(events)
        assert (await log.signer(bytes(32))).seed == b"k" * 32
        receipt = await log.receipt(GAME[0].game_id, ADA.player_id, "a key")
        assert receipt is not None
        assert (receipt.after_seq, receipt.seq) == (29, 30)
        assert (await log.players([ADA.player_id]))[ADA.player_id].name == "Ada"


def tables(database: str) -> int:
    """The number of tables in a database."""
    with psycopg.connect(database) as owner:
        ((number,),) = owner.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return int(number)
