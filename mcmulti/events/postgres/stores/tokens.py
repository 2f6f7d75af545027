"""Tokens of players, in PostgreSQL."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing, suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, AsyncCursor, OperationalError

from mcmulti.events.ports.accounts import Holder, Pending, Player, Scope, Token, doomed
from mcmulti.events.ports.errors import Conflict, LogUnavailable, UnknownPlayer, UnknownToken
from mcmulti.events.postgres.connections import PULSE, PostgresConnections, shut
from mcmulti.events.postgres.tables import composed

REVOKED = "mcmulti_token_revoked"
"""The channel on which the database's function `announce` sends notifications."""

_UUID = 16
"""The size of a player id, in bytes; a hash is longer."""

_HOLDER = """
    SELECT player.id, player.name, kind, pending, pending_token, pending_due,
        token.id, token.name, scopes, token.created_at, expires_at, used_at, parent_id
    FROM token JOIN player ON player.id = token.player_id WHERE hash = %s AND revoked_at IS NULL
        AND player.name IS NOT NULL
"""

# Only the id has another name in its table.
_ADD, _SELECT = (
    composed(query, row=Token).replace('"token_id"', "id")
    for query in (
        "INSERT INTO token (player_id, hash, {columns}) VALUES (%(player)s, %(hash)s, {values})",
        "SELECT {columns} FROM token WHERE player_id = %s AND revoked_at IS NULL ORDER BY created_at, id",
    )
)

# Otherwise two concurrent revocations could each rely on the other's token being left, and a token created at the same
# moment could outlive its parent. All nodes of a cluster know the row of the player.
_ONE_BY_ONE = "SELECT FROM player WHERE id = %s FOR NO KEY UPDATE"

_REVOKE_ALL = """
    UPDATE token SET revoked_at = coalesce(revoked_at, %s), name = '' WHERE player_id = %s RETURNING hash
"""

_REVOKE = """
    UPDATE token SET revoked_at = %s WHERE id = ANY (%s::uuid[]) AND player_id = %s AND revoked_at IS NULL
    RETURNING hash
"""

_USE_TOKEN = "UPDATE token SET used_at = %s WHERE id = %s"

_OUTDATED = """
    SELECT id FROM token WHERE (revoked_at < %s OR expires_at < %s)
        AND NOT EXISTS (SELECT FROM token AS child WHERE child.parent_id = token.id)
    ORDER BY id LIMIT %s
"""

_FORGET = "DELETE FROM token WHERE id = ANY (%s::uuid[])"

_OWN = "UPDATE token SET parent_id = NULL WHERE id = %s"

_ANNOUNCE = "UPDATE player SET pending = %s, pending_token = %s, pending_due = %s WHERE id = %s AND name IS NOT NULL"

_CONFIRM = """
    UPDATE player SET pending = NULL, pending_token = NULL, pending_due = NULL
    WHERE id = %s AND pending = %s AND pending_token = %s AND pending_due = %s
"""

_WITHDRAW = """
    UPDATE player SET pending = NULL, pending_token = NULL, pending_due = NULL
    WHERE id = %s AND pending_token = ANY (%s::uuid[])
"""


class PostgresTokens(PostgresConnections):
    """Implements the `TokenStore` protocol."""

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        async with self._everywhere() as connection:
            await add(connection, player_id, token, token_hash)

    async def holder(self, token_hash: bytes) -> Holder | None:
        row = await self._one_row(None, _HOLDER, token_hash)
        if row is None:
            return None
        player_id, name, kind, action, announced_with, due, *token = row
        pending = None if action is None else Pending(action, announced_with, due)
        return Holder(Player(player_id, name, kind), _token(*token), pending)

    async def tokens(self, player_id: UUID) -> list[Token]:
        async with self._connection(None) as connection:
            return await _tokens_of(connection, player_id)

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        async with self._everywhere() as connection:  # whose end notifies all servers
            await connection.execute(_ONE_BY_ONE, (player_id,))
            return await _revoke(connection, player_id, doomed(await _tokens_of(connection, player_id), token_ids))

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        async with self._everywhere() as connection:
            await connection.execute(_ONE_BY_ONE, (player_id,))
            await confirm(connection, player_id, announced)
            others = {token.token_id for token in await _tokens_of(connection, player_id)} - {announced.token_id}
            hashes = await _revoke(connection, player_id, others)
            await connection.execute(_OWN, (announced.token_id,))
            await notify_servers(connection, player_id)
            return hashes

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        async with self._everywhere() as connection:
            if pending is not None:
                await _there(connection, player_id, pending.token_id)
            cursor = await connection.execute(_ANNOUNCE, (*(pending or (None, None, None)), player_id))
            if cursor.rowcount == 0:
                raise UnknownPlayer(f"player {player_id} does not exist")
            await notify_servers(connection, player_id)

    async def use_tokens(self, token_ids: Collection[UUID], at: datetime) -> None:
        async with self._everywhere() as connection:  # all in one order, or two servers could wait for each other
            await connection.cursor().executemany(_USE_TOKEN, [(at, token_id) for token_id in sorted(token_ids)])

    async def forget_tokens(self, before: datetime, limit: int) -> int:
        async with self._everywhere() as connection:
            rows = await (await connection.execute(_OUTDATED, (before, before, limit), binary=True)).fetchall()
            if rows:
                await connection.execute(_FORGET, ([token_id for (token_id,) in rows],))
            return len(rows)

    async def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        if self._pool.closed:
            raise LogUnavailable("the log is closed")
        try:
            connection = await AsyncConnection.connect(**self._parameters)
            self._listening.add(connection)
            try:
                while True:
                    late = asyncio.get_running_loop().call_later(PULSE, shut, connection)
                    await connection.execute(f"LISTEN {REVOKED}")  # repeatedly, to check whether the peer still exists
                    late.cancel()
                    yield None
                    async with aclosing(connection.notifies(timeout=PULSE)) as notices:
                        async for told in notices:
                            with suppress(ValueError):
                                yield heard(told.payload)
            finally:
                self._listening.discard(connection)
                await connection.close()
        except OperationalError as error:
            raise LogUnavailable(f"the database is not responding: {error}") from error


async def add(connection: AsyncConnection, player_id: UUID, token: Token, token_hash: bytes) -> None:
    """See `TokenStore.add_token`; in a transaction."""
    if token.parent_id is not None:
        await _there(connection, player_id, token.parent_id)
    row = {"player": player_id, "hash": token_hash, **token._asdict(), "scopes": list(token.scopes)}
    await connection.execute(_ADD, row)


async def _tokens_of(connection: AsyncConnection, player_id: UUID) -> list[Token]:
    cursor = await connection.execute(_SELECT, (player_id,), binary=True)
    return [_token(*row) for row in await cursor.fetchall()]


async def revoke_all(connection: AsyncConnection, player_id: UUID) -> list[bytes]:
    """Revoke all tokens of a player, and forget the player's name; in a transaction, whose end notifies all
    servers. Returns the hashes.
    """
    await connection.execute(_ONE_BY_ONE, (player_id,))
    cursor = await connection.execute(_REVOKE_ALL, (await _now(connection), player_id), binary=True)
    return await _announced(connection, cursor)


async def confirm(connection: AsyncConnection, player_id: UUID, announced: Pending) -> None:
    """Complete what is pending, since it is done now. Raises `Conflict` if it is something else, or nothing."""
    cursor = await connection.execute(_CONFIRM, (player_id, *announced))
    if cursor.rowcount == 0:
        raise Conflict("what was announced is not pending anymore")


async def _there(connection: AsyncConnection, player_id: UUID, token_id: UUID) -> None:
    """Raise `UnknownToken` if a player's token was revoked. It cannot be revoked until the end of the transaction."""
    await connection.execute(_ONE_BY_ONE, (player_id,))
    if token_id not in {token.token_id for token in await _tokens_of(connection, player_id)}:
        raise UnknownToken("the token was revoked")


async def _revoke(connection: AsyncConnection, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
    ids = list(token_ids)
    cursor = await connection.execute(_REVOKE, (await _now(connection), ids, player_id), binary=True)
    withdrawn = await connection.execute(_WITHDRAW, (player_id, ids))
    if withdrawn.rowcount:
        await notify_servers(connection, player_id)
    return await _announced(connection, cursor)


async def _announced(connection: AsyncConnection, revoked: AsyncCursor) -> list[bytes]:
    """The hashes of tokens that a statement revoked. Notifies all servers."""
    hashes = [row[0] for row in await revoked.fetchall()]
    for token_hash in hashes:
        await notify_servers(connection, token_hash)
    return hashes


async def notify_servers(connection: AsyncConnection, what: bytes | UUID) -> None:
    """Notify all servers, at the end of the transaction, of what is no longer valid; see `TokenStore.revocations`."""
    await connection.execute("SELECT announce(%s)", (what if isinstance(what, bytes) else what.bytes,))


def heard(said: str) -> bytes | UUID:
    """Parse a notification. Raises ValueError: anyone with access to the database can send anything on a channel."""
    return meant(bytes.fromhex(said))


def meant(what: bytes) -> bytes | UUID:
    """What an announcement is about: a token, or a player."""
    return UUID(bytes=what) if len(what) == _UUID else what


async def _now(connection: AsyncConnection) -> object:
    """The start of the transaction, by the database's clock; as a value, the same for all nodes."""
    row = await (await connection.execute("SELECT now()", binary=True)).fetchone()
    assert row is not None
    return row[0]


def _token(token_id: UUID, name: str, scopes: list[Scope], created_at: datetime, *later: Any) -> Token:
    return Token(token_id, name, tuple(scopes), created_at, *later)
