"""The feed of a game: its position, its latest events, and waiting for new ones."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from copy import copy
from itertools import islice
from uuid import UUID

from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.errors import DamagedGame, LogError, LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.supervision import set_back

POLL = 1.0
"""Seconds between two polls of the log for appends of other processes, while somebody follows a game."""
TAIL = 64
"""The number of a game's latest events cached for its followers."""
READ_ANEW = "the log was rolled back to an earlier event; read the game again"


class FeedEnded(LogError):
    """The feed ends for its followers, though the game goes on."""


class LogWentBack(FeedEnded):
    """The log went back, to a backup or an older copy: what a reader has seen may no longer be true."""


class ServerStops(FeedEnded):
    """The server stops."""


class Feed:
    """A followed game. All its followers share it, and each query of the log."""

    def __init__(self, position: Position, log: Log) -> None:
        self.position = position
        self.node = log.node_of(position.game_id)
        self.readers = 0
        self.ended: FeedEnded | None = None
        """Why nothing will follow `position`, if that is so."""
        self._log = log
        self._tail: deque[Recorded] = deque(maxlen=TAIL)
        self._bell = asyncio.Event()

    @property
    def finished(self) -> bool:
        """Whether the game is over, so that nothing will follow."""
        return self.position.ruleset.status(self.position.state) == "finished"

    async def moved(self, after: int, wait: float) -> bool:
        """Whether the game is past event `after`; waits up to `wait` seconds for that, unless the game is over.

        Raises `FeedEnded` if the feed has ended.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                while self.position.head.seq <= after and not (self.finished or self.ended):
                    await self._bell.wait()
        if self.ended:
            raise copy(self.ended)
        return self.position.head.seq > after

    async def page(self, after: int, limit: int | None = None) -> list[Recorded]:
        """The events after `after`, at most `limit`: from memory if they are recent, otherwise from the log."""
        if self._tail and self._tail[0].seq <= after + 1:
            start = after + 1 - self._tail[0].seq
            return list(islice(self._tail, start, None if limit is None else start + limit))
        return await self._log.read(self.position.game_id, after, limit)

    def publish(self, position: Position, events: Sequence[Recorded]) -> None:
        """The game has moved: `events`, or the last of them, lead from its previous position to `position`."""
        seq = self.position.head.seq
        if position.head.seq <= seq:
            return
        if events[0].seq > seq + 1:
            self._tail.clear()
        self._tail.extend(event for event in events if event.seq > seq)
        self.position = position
        self._ring()

    def end(self, reason: FeedEnded) -> None:
        """End the feed for those who wait."""
        self.ended = reason
        self._ring()

    def _ring(self) -> None:
        self._bell.set()
        self._bell = asyncio.Event()


class Feeds:
    """The feeds of a log's games. Appends of other processes arrive through `catch_up`, which publishes them."""

    def __init__(self, log: Log, catch_up: Callable[[UUID, Position | None, Head], Awaitable[Position]]) -> None:
        self._log = log
        self._catch_up = catch_up
        self._feeds: dict[UUID, Feed] = {}
        self._polling: dict[int, asyncio.Task[None]] = {}

    def publish(self, position: Position, events: Sequence[Recorded]) -> None:
        """A game has moved: `events`, or the last of them, led to `position`."""
        feed = self._feeds.get(position.game_id)
        if feed is not None:
            feed.publish(position, events)

    def end(self, reason: FeedEnded) -> None:
        """End all feeds."""
        feeds, self._feeds = self._feeds, {}
        for feed in feeds.values():
            feed.end(reason)

    @asynccontextmanager
    async def subscribed(self, position: Position) -> AsyncIterator[Feed]:
        """The feed of a game at this position, while the block runs."""
        game_id = position.game_id
        feed = self._feeds.get(game_id)
        if feed is None:
            feed = self._feeds[game_id] = Feed(position, self._log)
        if feed.node not in self._polling:
            self._polling[feed.node] = asyncio.create_task(self._poll(feed.node))
        feed.readers += 1
        try:
            yield feed
        finally:
            feed.readers -= 1
            if feed.readers == 0 and self._feeds.get(game_id) is feed:
                del self._feeds[game_id]

    async def _poll(self, node: int) -> None:
        """Poll a node once a second for the heads of its followed games, with one query, until there are none."""
        try:
            await asyncio.sleep(POLL)
            while followed := self._followed(node):
                try:
                    waited_for = {game_id: feed.position for game_id, feed in followed.items() if not feed.finished}
                    for game_id, head in (await self._log.heads(list(waited_for))).items():
                        known = waited_for[game_id]
                        if known.head != head:
                            with suppress(DamagedGame):  # does not hold up the others
                                await self._catch_up(game_id, known, head)
                except LogUnavailable:
                    pass
                except Exception as error:
                    await set_back("game_streams", error)
                await asyncio.sleep(POLL)
        finally:
            del self._polling[node]

    def _followed(self, node: int) -> dict[UUID, Feed]:
        return {game_id: feed for game_id, feed in self._feeds.items() if feed.node == node}
