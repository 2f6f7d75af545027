"""Who sends a request: token holders, cached as long as revocations are received."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from mcmulti.events.ports.accounts import Holder, Player, TokenStore
from mcmulti.events.ports.errors import LogError, LogUnavailable
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.referee.clock import SteadyClock
from mcmulti.referee.feed import POLL
from mcmulti.supervision import running

COMPANION = "~"
"""Separates a token from the number of the companion for whom its player acts, in credentials."""
TOKENS = 10_000
"""The number of tokens that are cached."""
NOTED = timedelta(hours=1)
"""The interval at which the use of a token is recorded."""


class _Remembered(NamedTuple):
    """A cached holder, valid until this moment, in seconds of the monotonic clock."""

    holder: Holder
    until: float


class Callers:
    """Finds the holders of tokens. It does not query the log each time while it is notified of revocations."""

    def __init__(self, log: TokenStore, clock: SteadyClock) -> None:
        self._log = log
        self._clock = clock
        self._holders: LruCache[bytes, _Remembered] = LruCache(TOKENS)
        self._seen: LruCache[bytes, Player] = LruCache(TOKENS)
        self.told = False
        """Whether notifications arrive."""
        self.followers: list[Callable[[UUID | None], None]] = []
        """Called with each renamed player; None if it could be anybody. They must not block."""
        self._changed = asyncio.Event()
        self._used: set[UUID] = set()
        self._noting: asyncio.Task[None] | None = None

    def seen(self, credentials: str) -> Player | None:
        """The last known holder of these credentials, good enough for counting requests."""
        token_hash = hash_of(credentials)
        return None if token_hash is None else self._seen.get(token_hash)

    async def holder(self, credentials: str) -> Holder | None:
        """The holder of these credentials; None if nobody holds them, or not anymore. Raises `LogUnavailable`."""
        token_hash = hash_of(credentials)
        if token_hash is None:
            return None
        remembered = self._holders.get(token_hash)
        if remembered is not None and time.monotonic() < remembered.until:
            return remembered.holder
        changed = self._changed
        holder = await self._log.holder(token_hash)
        now = self._clock()
        if holder is None or (holder.token.expires_at is not None and holder.token.expires_at <= now):
            return None
        player, token = holder.player, holder.token
        self._seen.put(token_hash, player)
        if token.used_at is None or token.used_at <= now - NOTED:
            token = token._replace(used_at=now)
            self._note(token.token_id)
        holder = holder._replace(token=token)
        if self.told and changed is self._changed:  # otherwise it may have been revoked during the query
            left = NOTED if token.expires_at is None else min(NOTED, token.expires_at - now)
            self._holders.put(token_hash, _Remembered(holder, time.monotonic() + left.total_seconds()))
        return holder

    async def gone(self, credentials: str) -> None:
        """Return when nobody holds a token anymore."""
        left: float | None = None
        while True:
            changed = self._changed
            with suppress(LogUnavailable):
                holder = await self.holder(credentials)
                if holder is None:
                    return
                if holder.token.expires_at is not None:
                    left = (holder.token.expires_at - self._clock()).total_seconds()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await changed.wait()

    def forget(self) -> None:
        """Clear the cache."""
        self._seen.clear()
        self._forget_all()

    def renamed(self, player_id: UUID) -> None:
        """A player was renamed or erased, or announced something."""
        for token_hash in [hash_ for hash_, kept in self._holders.items() if kept.holder.player.player_id == player_id]:
            self._holders.drop(token_hash)
        self._notify(player_id)
        self._ring()

    def revoked(self, *token_hashes: bytes) -> None:
        """These tokens were revoked."""
        for token_hash in token_hashes:
            self._holders.drop(token_hash)
        self._ring()

    def listening(self) -> AbstractAsyncContextManager[None]:
        """Receive notifications while the block runs, and cache holders meanwhile."""
        return running("revocations", self._listen)

    def _note(self, token_id: UUID) -> None:
        """Record the use of a token in the background, together with others used meanwhile."""
        self._used.add(token_id)
        if self._noting is None:
            self._noting = asyncio.create_task(self._noted())

    async def _noted(self) -> None:
        try:
            while self._used:
                used, self._used = self._used, set()
                with suppress(LogError):
                    await self._log.use_tokens(used, self._clock())
        finally:
            self._noting = None

    async def _listen(self) -> None:
        """Receive notifications. While that fails, the log is queried each time."""
        try:
            while True:
                with suppress(LogError):
                    async with aclosing(self._log.revocations()) as revocations:
                        async for what in revocations:
                            if not self.told:  # earlier queries may have returned outdated answers
                                self.told = True
                                self._notify(None)
                                self._ring()
                            if isinstance(what, UUID):
                                self.renamed(what)
                            elif what is not None:
                                self.revoked(what)
                self._doubt()
                await asyncio.sleep(POLL)
        finally:
            self._doubt()

    def _doubt(self) -> None:
        """Revocations and renames would be missed, so clear the cache."""
        self.told = False
        self._forget_all()

    def _forget_all(self) -> None:
        self._holders.clear()
        self._notify(None)
        self._ring()

    def _notify(self, player_id: UUID | None) -> None:
        for follower in self.followers:
            follower(player_id)

    def _ring(self) -> None:
        """Wake callers that wait for a token to be revoked."""
        self._changed.set()
        self._changed = asyncio.Event()


def hash_of(credentials: str) -> bytes | None:
    """The hash under which the holder of a bearer token is stored; None for other credentials. A suffix after
    `COMPANION` is not part of the token.
    """
    scheme, _, token = credentials.partition(" ")
    return sha256(token.partition(COMPANION)[0].strip().encode()).digest() if scheme.lower() == "bearer" else None
