"""The keys that sign heads."""

from typing import Protocol

from mcmulti.events.log.signing import SigningKey


class SigningKeys(Protocol):
    """Which key signs heads now, and which did before. Any method may raise `LogUnavailable`."""

    async def signing_key(self, new: bytes) -> bytes:
        """The seed (32 bytes) of the key that signs heads now: `new` if there was none yet."""

    async def signer(self, new: bytes) -> SigningKey:
        """The key that signs heads now, with the statements of all keys there were; as `signing_key`."""
