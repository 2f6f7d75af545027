"""Receipts expire some time after the end of a game, what was said at tables some time after it was said, and tokens
some time after they were revoked or have expired.

Receipts never expire before: while a game goes on, a request that is repeated with its key would be carried out twice.
Once it is over, no request changes anything, and a repeated one is refused like any other.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from mcmulti.events.ports.accounts import TokenStore
from mcmulti.events.ports.chat import Chats
from mcmulti.events.ports.game_index import Ended
from mcmulti.events.ports.log import Log
from mcmulti.metrics import EXPIRED_RECEIPTS

PERIOD = 10.0
"""Seconds between two searches for games that ended long enough ago."""
CHAT_PERIOD = 600.0
"""Seconds between two deletions of old messages in chats."""
TOKEN_PERIOD = 3600.0
"""Seconds between two deletions of old tokens."""
TOKENS_KEPT = timedelta(days=30)
"""How long tokens are kept that were revoked or have expired: so long, no other can be derived from the same key."""
TOKENS_AT_ONCE = 5000
"""The number of tokens that are deleted at a time."""
AT_ONCE = 100
"""The number of games whose receipts are deleted at a time."""


class ReceiptExpiry:
    """Deletes the receipts of a log's games, `keep` after the end of each. Several servers may each have one."""

    def __init__(self, log: Log, keep: timedelta) -> None:
        self._log = log
        self._keep = keep
        self._after = Ended(datetime.min.replace(tzinfo=UTC), UUID(int=0))

    async def step(self) -> int:
        """Delete those of the next games, the earliest end first. Returns the number of games. Raises
        `LogUnavailable`.
        """
        over = await self._log.over(self._after, await self._log.now() - self._keep, AT_ONCE)
        for game in over:
            EXPIRED_RECEIPTS.inc(await self._log.forget_receipts(game.game_id))
            self._after = game
        return len(over)


async def forget_chat(log: Chats, clock: Callable[[], datetime], keep: timedelta) -> int:
    """Delete what was said at tables, `keep` after it was said. Returns the number of messages. Raises
    `LogUnavailable`.
    """
    return await log.forget_chat(clock() - keep)


async def forget_tokens(log: TokenStore, clock: Callable[[], datetime]) -> int:
    """Delete tokens `TOKENS_KEPT` after they were revoked or have expired. Returns their number. Raises
    `LogUnavailable`.
    """
    before, deleted = clock() - TOKENS_KEPT, 0
    while some := await log.forget_tokens(before, TOKENS_AT_ONCE):
        deleted += some
    return deleted
