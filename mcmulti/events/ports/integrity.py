"""Results of integrity checks of games, and the keys of digests and signatures."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.log.signing import SigningKey


class Check(NamedTuple):
    """The log of a game was checked from its first event up to `head`, at a moment.

    `fault`: what was wrong, None if nothing was; a game with a fault accepts no commands. `digest` covers all of this.
    """

    game_id: UUID
    head: Head
    at: datetime
    fault: str | None
    digest: bytes


class Integrity(Protocol):
    """Stores results of checks, and the key of digests. Any method can raise `LogUnavailable`."""

    async def digest_key(self) -> bytes:
        """The key (32 bytes) of digests, drawn and stored when it is first asked for."""

    async def checked(self, game_id: UUID) -> Check | None:
        """The latest check of a game."""

    async def keep_check(self, check: Check) -> None:
        """Store the check of a game, replacing the previous one."""

    async def faults(self, limit: int) -> Sequence[Check]:
        """The latest checks that found a fault."""


class SigningKeys(Protocol):
    """The current and earlier keys that sign heads. Any method can raise `LogUnavailable`."""

    async def signer(self, new: bytes) -> SigningKey:
        """The key that signs heads now, with the statements of all keys; stores the seed `new` (32 bytes) if there was
        none yet.
        """
