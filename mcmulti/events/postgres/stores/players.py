"""Players in PostgreSQL."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg import AsyncConnection

from mcmulti.events.ports.accounts import Pending, Player, Token
from mcmulti.events.ports.errors import Conflict, NameTaken, UnknownPlayer
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.stores import tokens
from mcmulti.events.store.names import name_key, name_skeleton, name_words

_PLAYER = "SELECT id, coalesce(name, ''), kind FROM player WHERE id = %s"

_PLAYERS = "SELECT id, coalesce(name, ''), kind, origin FROM player WHERE id = ANY (%s::uuid[])"

_CALLED = "SELECT name_key, id, name, kind FROM player WHERE name_key = ANY (%s)"

# The words as `player_by_words` and `visitor_by_words` index them. Erased players have none.
_FOUND = """
    SELECT id FROM (
        SELECT id, name_key FROM player
        WHERE array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')) @@ %(words)s::tsquery
        UNION ALL
        SELECT id, name_key FROM visitor
        WHERE array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')) @@ %(words)s::tsquery
            AND NOT EXISTS (SELECT FROM player WHERE player.id = visitor.id)
    ) AS found
    ORDER BY char_length(name_key), id LIMIT %(limit)s
"""

_LOCK = "SELECT FROM player WHERE id = %s AND name IS NOT NULL FOR NO KEY UPDATE"

_ADD_PLAYER = "INSERT INTO player (id, name, kind, origin, name_key, name_skeleton) VALUES (%s, %s, %s, %s, %s, %s)"

# An erased player has a row without a name, so that a name from elsewhere does not replace it.
_NAMES = """
    SELECT id, name FROM player WHERE id = ANY (%(ids)s::uuid[]) AND name IS NOT NULL
    UNION ALL
    SELECT id, name FROM visitor WHERE id = ANY (%(ids)s::uuid[])
        AND NOT EXISTS (SELECT FROM player WHERE player.id = visitor.id)
"""

_RENAME = """
    UPDATE player SET name = %s, name_key = %s, name_skeleton = %s WHERE id = %s AND name IS NOT NULL
"""

_ERASE = """
    UPDATE player SET name = NULL, name_key = NULL, name_skeleton = NULL,
        pending = NULL, pending_token = NULL, pending_due = NULL
    WHERE id = %s
"""

_FORGET_COMPANIONS = "DELETE FROM visitor WHERE companion_of = %s RETURNING id"
_FORGET_TENURES = "DELETE FROM tenure WHERE player_id = %s"
_FORGET_NOTICES = "DELETE FROM notice WHERE player_id = %s"
_FORGET_WEBHOOKS = "DELETE FROM webhook WHERE player_id = %s"
_FORGET_PREFERENCES = "DELETE FROM preference WHERE player_id = %s"

_COMPANIONS = "SELECT id FROM visitor WHERE companion_of = %s"
_FORGET_FLAGS = "DELETE FROM chat_flag WHERE flagged_by = ANY (%s::uuid[])"
_FORGET_MESSAGES = "DELETE FROM chat_message WHERE author = ANY (%s::uuid[])"

_CHANGE_NAME = "UPDATE visitor SET name = %s, name_key = %s WHERE id = %s"

_KEEP_NAME = "INSERT INTO visitor (name, name_key, id, companion_of) VALUES (%s, %s, %s, %s)"


async def lock_player(connection: AsyncConnection, player_id: UUID) -> None:
    """Lock a player until the end of the transaction: concurrent requests cannot both find space, and nothing is added
    for a player who is being erased. Raises `UnknownPlayer`.
    """
    if (await connection.execute(_LOCK, (player_id,))).rowcount == 0:
        raise UnknownPlayer(f"player {player_id} does not exist")


class PostgresPlayers(PostgresConnections):
    """Implements the `PlayerStore` protocol."""

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        keys = name_key(player.name), name_skeleton(player.name)
        try:
            async with self._everywhere() as connection:
                await connection.execute(_ADD_PLAYER, (*player, *keys))
                await tokens.add(connection, player.player_id, token, token_hash)
        except Conflict as error:
            raise NameTaken(f"the name {player.name!r} is taken") from error

    async def player(self, player_id: UUID) -> Player | None:
        row = await self._one_row(None, _PLAYER, player_id)
        return None if row is None else Player(*row)

    async def players(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        return {row[0]: Player(*row) for row in await self._all_rows(None, _PLAYERS, list(player_ids))}

    async def players_called(self, names: Sequence[str]) -> dict[str, Player]:
        keys = {name: name_key(name) for name in names if "\0" not in name}  # PostgreSQL texts cannot contain it
        by_key = {key: Player(*row) for key, *row in await self._all_rows(None, _CALLED, list(keys.values()))}
        return {name: by_key[key] for name, key in keys.items() if key in by_key}

    async def players_found(self, text: str, limit: int) -> list[UUID]:
        words = [] if "\0" in text else name_words(name_key(text))
        if not words:
            return []
        quoted = (word.replace("\\", r"\\").replace("'", "''") for word in words)
        asked = {"words": " & ".join(f"'{word}':*" for word in quoted), "limit": limit}
        async with self._connection(None) as connection:
            cursor = await connection.execute(_FOUND, asked, binary=True)
            return [player_id for (player_id,) in await cursor.fetchall()]

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        async with self._connection(None) as connection:
            cursor = await connection.execute(_NAMES, {"ids": list(player_ids)}, binary=True)
            return dict(await cursor.fetchall())

    async def rename(self, player_id: UUID, name: str) -> None:
        try:
            async with self._everywhere() as connection:
                cursor = await connection.execute(_RENAME, (name, name_key(name), name_skeleton(name), player_id))
                if cursor.rowcount == 0:
                    raise UnknownPlayer(f"player {player_id} does not exist")
                await tokens.notify_servers(connection, player_id)
        except Conflict as error:
            raise NameTaken(f"the name {name!r} is taken") from error

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        async with self._everywhere() as connection:
            await connection.execute(_FORGET_TENURES, (player_id,))
            revoked = await tokens.revoke_all(connection, player_id)
            if announced is not None:
                await tokens.confirm(connection, player_id, announced)
            # Now that nobody can add one anymore.
            for erase in (_FORGET_NOTICES, _FORGET_WEBHOOKS, _FORGET_PREFERENCES, _ERASE):
                await connection.execute(erase, (player_id,))
            people = await (await connection.execute(_COMPANIONS, (player_id,))).fetchall()
            authors = [player_id, *(companion for (companion,) in people)]
            for forget in (_FORGET_FLAGS, _FORGET_MESSAGES):
                await connection.execute(forget, (authors,))
            companions = await connection.execute(_FORGET_COMPANIONS, (player_id,))
            for (companion,) in await companions.fetchall():
                await tokens.notify_servers(connection, companion)
            await tokens.notify_servers(connection, player_id)
            return revoked

    async def keep_names(self, names: Mapping[UUID, str], companion_of: UUID | None = None) -> None:
        async with self._everywhere() as connection:
            for player_id, name in names.items():
                kept = (name, name_key(name), player_id)
                cursor = await connection.execute(_CHANGE_NAME, kept)
                if cursor.rowcount == 0:
                    await connection.execute(_KEEP_NAME, (*kept, companion_of))
                await tokens.notify_servers(connection, player_id)
