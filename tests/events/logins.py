"""Logins of a database with few rights, and what they may not do."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from psycopg import errors
from psycopg.conninfo import make_conninfo

from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.rights import SERVER_ROLE
from tests.events.log_contract import NOON, next_events, open_game, receipt


@contextmanager
def login(owner_url: str, rights: str = "") -> Iterator[str]:
    """The connection string to the same database for a login without special rights."""
    name = f"login-{uuid4().hex[:8]}"
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(f'CREATE ROLE "{name}" LOGIN {rights}')
        try:
            yield make_conninfo(owner_url, user=name)
        finally:
            owner.execute(f'DROP OWNED BY "{name}"')
            owner.execute(f'DROP ROLE "{name}"')


def run(owner_url: str, statements: str) -> None:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        owner.execute(statements)


async def play(url: str) -> None:
    """Everything that a server writes."""
    async with PostgresLog.open(url, pool_size=1) as log:
        player = Player(uuid4(), "Ann")
        await log.add_player(player, first_token(NOON), bytes(32))
        game_id = await open_game(log)
        head = (await log.game(game_id)).head
        events = await next_events(log, game_id)
        await log.append(
            game_id,
            head,
            events,
            TableRow("running", (player.player_id,)),
            receipt(player.player_id),
            reseated=True,
        )
        assert len(await log.read(game_id)) == 2


FORBIDDEN = [
    "UPDATE event SET data = '{}'",
    "UPDATE event SET hash = prev_hash WHERE seq = 1",
    "DELETE FROM event",
    "TRUNCATE event",
    "DROP TABLE event",
    "ALTER TABLE event DROP COLUMN rule",
    "INSERT INTO event SELECT * FROM event ON CONFLICT (game_id, seq) DO UPDATE SET data = '{}'",
    "UPDATE receipt SET seq = 500",
    "UPDATE secret SET seed = seed",
    "DELETE FROM secret",
    "UPDATE signing_key SET seed = seed",
    "DELETE FROM signing_key",
    "UPDATE game SET ruleset = 'postal'",
    "DELETE FROM game",
    "UPDATE chat_message SET author = author",
    "DELETE FROM chat",
    "UPDATE review_job SET player_id = player_id",
    "DELETE FROM review",
    "UPDATE player SET id = id",
    "UPDATE player SET kind = 'human'",
    "DELETE FROM player",
    "UPDATE migration SET name = ''",
    "CREATE TABLE mine ()",
]


def refused(url: str, statement: str) -> None:
    """The role may not run the statement."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"SET ROLE {SERVER_ROLE}".encode())
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(statement.encode())
