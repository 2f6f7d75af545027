"""Results of integrity checks, and keys, in memory."""

from collections.abc import Sequence
from secrets import token_bytes
from uuid import UUID

from mcmulti.events.log.digests import KEY
from mcmulti.events.log.signing import KeyStatement, SigningKey
from mcmulti.events.memory.kept import MemoryState
from mcmulti.events.ports.integrity import Check


class MemoryIntegrity(MemoryState):
    """Implements the `Integrity` protocol."""

    async def digest_key(self) -> bytes:
        self._digest_key = self._digest_key or token_bytes(KEY)
        return self._digest_key

    async def checked(self, game_id: UUID) -> Check | None:
        return self._checks.get(game_id)

    async def keep_check(self, check: Check) -> None:
        self._checks[check.game_id] = check

    async def faults(self, limit: int) -> Sequence[Check]:
        return [check for check in self._checks.values() if check.fault is not None][:limit]


class MemoryKeys(MemoryState):
    """Implements the `SigningKeys` protocol."""

    async def signer(self, new: bytes) -> SigningKey:
        seed = self._signing_key = self._signing_key or new
        return SigningKey(seed, (KeyStatement(SigningKey(seed).public, self._since),))
