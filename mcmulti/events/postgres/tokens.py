"""Tokens of players, as the log in PostgreSQL keeps them."""

from uuid import UUID

from psycopg import AsyncConnection

from mcmulti.events.store.ports import Holder, Player, Token, beyond

REVOKED = "mcmulti_token_revoked"
"""The channel on which the hashes of revoked tokens are told, and the ids of players who are called otherwise."""

_UUID = 16
"""Bytes of the id of a player; a hash has more."""

_ADD = """
    INSERT INTO token (player_id, hash, id, name, scopes, created_at, expires_at, used_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""

_HOLDER = """
    SELECT player.id, player.name, kind, token.id, token.name, scopes, token.created_at, expires_at, used_at
    FROM token JOIN player ON player.id = token.player_id WHERE hash = %s AND revoked_at IS NULL
        AND player.name IS NOT NULL
"""

_TOKENS = """
    SELECT id, name, scopes, created_at, expires_at, used_at
    FROM token WHERE player_id = %s AND revoked_at IS NULL ORDER BY created_at, id
"""

# Two revocations at a time would each take the other token for the one that is left.
_ONE_BY_ONE = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"

_REVOKE_ALL = """
    UPDATE token SET revoked_at = coalesce(revoked_at, %s), name = '' WHERE player_id = %s RETURNING hash
"""

_REVOKE = """
    UPDATE token SET revoked_at = %s WHERE id = %s AND player_id = %s AND revoked_at IS NULL RETURNING hash
"""


async def add(connection: AsyncConnection, player_id: UUID, token: Token, token_hash: bytes) -> None:
    """Keep a new token of a player."""
    told = token._replace(scopes=list(token.scopes))  # type: ignore[arg-type]  # as an array is sent
    await connection.execute(_ADD, (player_id, token_hash, *told))


async def holder(connection: AsyncConnection, token_hash: bytes) -> Holder | None:
    """See `Log.holder`."""
    row = await (await connection.execute(_HOLDER, (token_hash,), binary=True)).fetchone()
    if row is None:
        return None
    player_id, name, kind, *token = row
    return Holder(Player(player_id, name, kind), _token(*token))


async def tokens(connection: AsyncConnection, player_id: UUID) -> list[Token]:
    """See `Log.tokens`."""
    cursor = await connection.execute(_TOKENS, (player_id,), binary=True)
    return [_token(*row) for row in await cursor.fetchall()]


async def revoke(connection: AsyncConnection, player_id: UUID, token_id: UUID) -> bytes | None:
    """See `Log.revoke_token`; in a transaction, at whose end all servers are told."""
    await connection.execute(_ONE_BY_ONE, (str(player_id),))
    beyond(await tokens(connection, player_id), token_id)
    cursor = await connection.execute(_REVOKE, (await _now(connection), token_id, player_id), binary=True)
    row = await cursor.fetchone()
    if row is None:
        return None
    token_hash: bytes = row[0]
    await tell(connection, token_hash)
    return token_hash


async def revoke_all(connection: AsyncConnection, player_id: UUID) -> list[bytes]:
    """Revoke all tokens of a player, and forget what they are called; in a transaction, as `revoke`. Their hashes."""
    await connection.execute(_ONE_BY_ONE, (str(player_id),))
    cursor = await connection.execute(_REVOKE_ALL, (await _now(connection), player_id), binary=True)
    hashes = [row[0] for row in await cursor.fetchall()]
    for token_hash in hashes:
        await tell(connection, token_hash)
    return hashes


async def tell(connection: AsyncConnection, what: bytes | UUID) -> None:
    """Tell all servers, at the end of the transaction, what is not true any more; see `Log.revocations`."""
    said = what if isinstance(what, bytes) else what.bytes
    await connection.execute("SELECT pg_notify(%s, %s)", (REVOKED, said.hex()))


def heard(said: str) -> bytes | UUID:
    """What was told. Raises ValueError: whoever is in the database may say anything on a channel."""
    what = bytes.fromhex(said)
    return UUID(bytes=what) if len(what) == _UUID else what


async def _now(connection: AsyncConnection) -> object:
    """The moment at which the transaction began, by the database's clock; as a value, which all nodes are given."""
    row = await (await connection.execute("SELECT now()", binary=True)).fetchone()
    assert row is not None
    return row[0]


def _token(token_id: UUID, name: str, scopes: list[str], *moments: object) -> Token:
    return Token(token_id, name, tuple(scopes), *moments)  # type: ignore[arg-type]  # as the table has them
