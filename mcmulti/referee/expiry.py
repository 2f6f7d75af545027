"""Receipts expire some time after the end of a game, what was said at tables some time after it was said, and tokens
some time after they were revoked or have expired.

Receipts never expire before: while a game goes on, a request that is repeated with its key would be carried out twice.
Once it is over, no request changes anything, and a repeated one is refused like any other.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from uuid import UUID

from mcmulti.events.ports.accounts import TokenStore
from mcmulti.events.ports.chat import Chats
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.game_index import Ended
from mcmulti.events.ports.log import Log
from mcmulti.metrics import EXPIRED_RECEIPTS
from mcmulti.supervision import repeating

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

    def running(self) -> AbstractAsyncContextManager[None]:
        """Delete receipts while the block runs."""
        return repeating("expiry", self.step, PERIOD, LogUnavailable)

    async def step(self) -> int:
        """Delete those of the next games, the earliest end first. Returns the number of games. Raises
        `LogUnavailable`.
        """
        over = await self._log.over(self._after, await self._log.now() - self._keep, AT_ONCE)
        for game in over:
            EXPIRED_RECEIPTS.inc(await self._log.forget_receipts(game.game_id))
            self._after = game
        return len(over)


class ChatExpiry:
    """Deletes what was said at tables, `keep` after it was said. Several servers may each have one."""

    def __init__(self, log: Chats, clock: Callable[[], datetime], keep: timedelta) -> None:
        self._log = log
        self._clock = clock
        self._keep = keep

    def running(self) -> AbstractAsyncContextManager[None]:
        """Delete messages while the block runs."""
        return repeating("chat_expiry", self.step, CHAT_PERIOD, LogUnavailable, at_once=True)

    async def step(self) -> int:
        """Delete the old messages of all games. Returns their number. Raises `LogUnavailable`."""
        return await self._log.forget_chat(self._clock() - self._keep)


class TokenExpiry:
    """Deletes tokens `TOKENS_KEPT` after they were revoked or have expired. Several servers may each have one."""

    def __init__(self, log: TokenStore, clock: Callable[[], datetime]) -> None:
        self._log = log
        self._clock = clock

    def running(self) -> AbstractAsyncContextManager[None]:
        """Delete tokens while the block runs."""
        return repeating("token_expiry", self.step, TOKEN_PERIOD, LogUnavailable, at_once=True)

    async def step(self) -> int:
        """Delete the old tokens of all players. Returns their number. Raises `LogUnavailable`."""
        before, deleted = self._clock() - TOKENS_KEPT, 0
        while some := await self._log.forget_tokens(before, TOKENS_AT_ONCE):
            deleted += some
        return deleted
