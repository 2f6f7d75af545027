"""What is known of how sound the games of a log are."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from mcmulti.events.log.envelope import Head


class Check(NamedTuple):
    """That the log of a game was checked from its first event up to `head`, at a moment.

    `fault` is what was wrong, None if nothing was: then the game takes no commands. `digest` is of all this.
    """

    game_id: UUID
    head: Head
    at: datetime
    fault: str | None
    digest: bytes


class Integrity(Protocol):
    """Keeps what was checked, and the key of digests. Any method may raise `LogUnavailable`."""

    async def digest_key(self, new: bytes) -> bytes:
        """The key (32 bytes) of digests: `new` if there was none yet."""

    async def checked(self, game_id: UUID) -> Check | None:
        """The latest check of a game."""

    async def keep_check(self, check: Check) -> None:
        """Keep the check of a game in place of the one before."""

    async def faults(self, limit: int) -> Sequence[Check]:
        """The latest checks that found a fault."""
