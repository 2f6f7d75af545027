"""Feeds that several readers share, kept up to date in the background as long as anybody follows one."""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Generic, TypeVar

from mcmulti.supervision import supervised


class SharedFeed:
    """What readers follow. Its bell wakes all who wait for news."""

    def __init__(self) -> None:
        self.readers = 0
        self._bell = asyncio.Event()

    async def rung(self, wait: float | None) -> bool:
        """Whether there is news within `wait` seconds from now; None: waits for it."""
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._bell.wait()
                return True
        return False

    def ring(self) -> None:
        """Wake those who wait now."""
        self._bell.set()
        self._bell = asyncio.Event()


K = TypeVar("K", bound=Hashable)
F = TypeVar("F", bound=SharedFeed)


class SharedFeeds(Generic[K, F]):
    """The followed feeds, by key. `task`: the name of the background task."""

    task: str

    def __init__(self) -> None:
        self._feeds: dict[K, F] = {}
        self._keeping: asyncio.Task[None] | None = None
        self.stopping = False
        """Whether streams must end, because the server stops."""

    def stop(self) -> None:
        """End all streams."""
        self.stopping = True
        for feed in self._feeds.values():
            feed.ring()

    @asynccontextmanager
    async def _shared(self, key: K, new: F) -> AsyncIterator[F]:
        """The feed with a key, while the block runs; `new` if nobody follows it yet."""
        feed = self._feeds.setdefault(key, new)
        feed.readers += 1
        try:
            if self._keeping is None:
                self._keeping = asyncio.create_task(self._kept())
            yield feed
        finally:
            feed.readers -= 1
            if feed.readers == 0:
                del self._feeds[key]

    async def _keep(self) -> None:
        """Keep all feeds up to date until nobody follows any."""
        raise NotImplementedError

    async def _kept(self) -> None:
        try:
            await supervised(self.task, self._keep)
        finally:
            self._keeping = None
