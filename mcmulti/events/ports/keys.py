"""The keys that sign heads."""

from typing import Protocol

from mcmulti.events.log.signing import SigningKey


class SigningKeys(Protocol):
    """The current and earlier keys that sign heads. Any method can raise `LogUnavailable`."""

    async def signing_key(self, new: bytes) -> bytes:
        """The seed (32 bytes) of the key that signs heads now; stores `new` if there was none yet."""

    async def signer(self, new: bytes) -> SigningKey:
        """The key that signs heads now, with the statements of all keys; `new` as in `signing_key`."""
