"""Results of integrity checks, in PostgreSQL."""

from collections.abc import Sequence
from contextlib import suppress
from secrets import token_bytes
from typing import Any
from uuid import UUID

from mcmulti.events.log.digests import KEY
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.integrity import Check
from mcmulti.events.postgres.connections import PostgresConnections

_KEY = "SELECT key FROM digest_key"
_KEEP_KEY = "INSERT INTO digest_key (key) VALUES (%s)"

_CHECKS = "SELECT game_id, seq, hash, at, fault, digest FROM checked"
_CHECKED = f"{_CHECKS} WHERE game_id = %s"
_FAULTS = f"{_CHECKS} WHERE fault IS NOT NULL ORDER BY game_id LIMIT %s"

_KEEP_CHECK = """
    INSERT INTO checked (game_id, seq, hash, at, fault, digest) VALUES (%s, %s, %s, %s, %s, %s)
    ON CONFLICT (game_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, at = excluded.at,
        fault = excluded.fault, digest = excluded.digest
"""


class PostgresIntegrity(PostgresConnections):
    """Implements the `Integrity` protocol."""

    async def digest_key(self) -> bytes:
        found = await self._one_row(None, _KEY)
        if found is None:
            with suppress(Conflict):  # another server was first
                await self._changed(None, _KEEP_KEY, token_bytes(KEY))
            found = await self._one_row(None, _KEY)
        assert found is not None  # nobody may delete it
        key: bytes = found[0]
        return key

    async def checked(self, game_id: UUID) -> Check | None:
        row = await self._one_row(game_id, _CHECKED, game_id)
        return None if row is None else _check_in_row(row)

    async def keep_check(self, check: Check) -> None:
        kept = (check.game_id, *check.head, check.at, check.fault, check.digest)
        await self._changed(check.game_id, _KEEP_CHECK, *kept)

    async def faults(self, limit: int) -> Sequence[Check]:
        return list(map(_check_in_row, await self._all_rows(None, _FAULTS, limit)))


def _check_in_row(row: Any) -> Check:
    game_id, seq, hash_, at, fault, digest = row
    return Check(game_id, Head(seq, hash_), at, fault, digest)
