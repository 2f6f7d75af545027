"""The feed of a game: where it stands, what happened last, and waiting for it to move."""

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
"""Seconds between two polls of the log for what other processes append, while somebody follows a game."""
TAIL = 64
"""How many events of a game are kept at hand while somebody waits: all who wait get the next ones from there."""
READ_ANEW = "the log was rolled back to an earlier event; read the game again"


class FeedEnded(LogError):
    """Nothing more comes to who follows a game, though it goes on."""


class LogWentBack(FeedEnded):
    """The log went back, to a backup or a copy that was behind: what a reader has seen may never have been."""


class ServerStops(FeedEnded):
    """The server stops."""


class Feed:
    """A game that somebody follows. All who do share it, and with it each look into the log."""

    def __init__(self, position: Position, log: Log) -> None:
        self.position = position
        self.node = log.node_of(position.game_id)
        self.readers = 0
        self.ended: FeedEnded | None = None
        """Why nothing will follow on `position`, if that is so."""
        self._log = log
        self._tail: deque[Recorded] = deque(maxlen=TAIL)
        self._bell = asyncio.Event()

    @property
    def finished(self) -> bool:
        """Whether the game is over: nothing will follow on its head."""
        return self.position.ruleset.status(self.position.state) == "finished"

    async def moved(self, after: int, wait: float) -> bool:
        """Whether the game is past event `after`; waits up to `wait` seconds for that, unless the game is over.

        Raises `FeedEnded` if nothing more comes.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                while self.position.head.seq <= after and not (self.finished or self.ended):
                    await self._bell.wait()
        if self.ended:
            raise copy(self.ended)
        return self.position.head.seq > after

    async def page(self, after: int, limit: int | None = None) -> list[Recorded]:
        """The events behind `after`, at most `limit`: from memory if they are young, otherwise from the log."""
        if self._tail and self._tail[0].seq <= after + 1:
            start = after + 1 - self._tail[0].seq
            return list(islice(self._tail, start, None if limit is None else start + limit))
        return await self._log.read(self.position.game_id, after, limit)

    def publish(self, position: Position, events: Sequence[Recorded]) -> None:
        """The game has moved: `events`, or the last of them, lead from where it stood to `position`."""
        seq = self.position.head.seq
        if position.head.seq <= seq:
            return
        if events[0].seq > seq + 1:
            self._tail.clear()
        self._tail.extend(event for event in events if event.seq > seq)
        self.position = position
        self._ring()

    def end(self, reason: FeedEnded) -> None:
        """Who waits for more need not."""
        self.ended = reason
        self._ring()

    def _ring(self) -> None:
        self._bell.set()
        self._bell = asyncio.Event()


class Feeds:
    """The feeds of a log's games. What other processes append reaches them through `catch_up`, which publishes it."""

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
        """Nothing follows on what the readers of any game have seen."""
        feeds, self._feeds = self._feeds, {}
        for feed in feeds.values():
            feed.end(reason)

    @asynccontextmanager
    async def follow(self, position: Position) -> AsyncIterator[Feed]:
        """The feed of a game that stands there, as long as the block."""
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
        """Ask once a second where the games of a node stand that somebody follows, until nobody does: one query."""
        try:
            await asyncio.sleep(POLL)
            while followed := self._followed(node):
                try:
                    waited_for = {game_id: feed.position for game_id, feed in followed.items() if not feed.finished}
                    for game_id, head in (await self._log.heads(list(waited_for))).items():
                        known = waited_for[game_id]
                        if known.head != head:
                            with suppress(DamagedGame):  # which holds up no other
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
