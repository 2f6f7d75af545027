"""The keys that sign heads, in memory."""

from mcmulti.events.log.signing import KeyStatement, SigningKey
from mcmulti.events.memory.kept import MemoryState


class MemoryKeys(MemoryState):
    """Implements the `SigningKeys` protocol."""

    async def signing_key(self, new: bytes) -> bytes:
        self._signing_key = self._signing_key or new
        return self._signing_key

    async def signer(self, new: bytes) -> SigningKey:
        seed = await self.signing_key(new)
        return SigningKey(seed, (KeyStatement(SigningKey(seed).public, self._since),))
