"""Chats as they go on, for those who follow a game, whichever server messages arrive at."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from uuid import UUID

from msgspec.structs import asdict

from mcmulti.api.chat.rooms import rooms_of
from mcmulti.api.chat.wire import PAGE, ChatChanged, views
from mcmulti.api.streams.items import Format
from mcmulti.api.streams.shared import SharedFeed, SharedFeeds
from mcmulti.api.telling.names import NameBook
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.chat import ROOMS, ChatMessage, ChatRoom, Chats
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.referee.feed import POLL
from mcmulti.referee.reading import GameReader

TAIL = 100
"""The number of a chat's latest changes cached for its followers."""


class ChatFeed(SharedFeed):
    """A followed chat. All its followers share it, and each query of the log.

    `head`: the last known change. Those after `since` are cached.
    """

    def __init__(self, game_id: UUID, head: int, log: Chats) -> None:
        super().__init__()
        self.head = head
        self._game_id = game_id
        self._since = head
        self._log = log
        self._tail: deque[ChatMessage] = deque()

    async def moved(self, after: int) -> None:
        """Wait until there is a change after `after`."""
        while self.head <= after:
            await self.rung(None)

    async def page(self, rooms: Collection[ChatRoom], after: int) -> Sequence[ChatMessage]:
        """The next changes of these rooms, at most `PAGE`. Raises `LogUnavailable`."""
        if after < self._since:
            return await self._log.chat(self._game_id, rooms, after, PAGE)
        return [each for each in self._tail if each.changed > after and each.room in rooms][:PAGE]

    def publish(self, changes: Sequence[ChatMessage], head: int) -> None:
        """These are all changes from the last known one up to `head`."""
        again = {each.number for each in changes}
        self._tail = deque([*(each for each in self._tail if each.number not in again), *changes])
        while len(self._tail) > TAIL:
            self._since = self._tail.popleft().changed
        self.head = head
        self.ring()


class ChatFeeds(SharedFeeds[UUID, ChatFeed]):
    """The followed chats of a log's games: one query a second, and one for each change."""

    task = "chats"

    def __init__(self, log: Chats) -> None:
        super().__init__()
        self._log = log
        self._touched = asyncio.Event()

    def touch(self) -> None:
        """Something was said here: do not wait for the next poll."""
        self._touched.set()

    @asynccontextmanager
    async def subscribed(self, game_id: UUID) -> AsyncIterator[ChatFeed]:
        """The feed of a chat, while the block runs. Raises `LogUnavailable`."""
        heads = {} if game_id in self._feeds else await self._log.chat_heads([game_id])
        async with self._shared(game_id, ChatFeed(game_id, heads.get(game_id, 0), self._log)) as feed:
            yield feed

    async def _keep(self) -> None:
        while self._feeds:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL):
                    await self._touched.wait()
            self._touched.clear()
            with suppress(LogUnavailable):
                await self._look()

    async def _look(self) -> None:
        for game_id, head in (await self._log.chat_heads([*self._feeds])).items():
            while (feed := self._feeds.get(game_id)) is not None and feed.head < head:
                changes = await self._log.chat(game_id, ROOMS, feed.head, PAGE)
                # Of a change that expired, or whose author was erased, there is nothing left to read.
                feed.publish(changes, changes[-1].changed if len(changes) == PAGE else head)


async def chat_chunks(
    feeds: ChatFeeds,
    referee: GameReader,
    names: NameBook,
    game_id: UUID,
    player: Player | None,
    chat: Collection[ChatRoom],
    after: int,
    form: Format,
) -> AsyncGenerator[bytes, None]:
    """The encoded changes of a chat after `after` that a player may read at the time. `chat`: the rooms that it has."""
    while True:
        with suppress(LogUnavailable):
            async with feeds.subscribed(game_id) as feed:
                while True:
                    head, rooms = feed.head, rooms_of(await referee.known(game_id), player, chat)
                    changes = await feed.page(rooms, after)
                    told = await views(names, changes)
                    if told:
                        yield b"".join(form.item(ChatChanged(**asdict(each)), None) for each in told)
                    after = changes[-1].changed if changes else max(after, head)
                    if not changes:
                        await feed.moved(after)
        await asyncio.sleep(POLL)


async def interleaved(
    stream: AsyncGenerator[bytes, None], beside: AsyncGenerator[bytes, None]
) -> AsyncGenerator[bytes, None]:
    """The chunks of a stream, and after the first one, those of another as they come. Ends with the stream."""
    async with aclosing(stream), aclosing(beside):
        async for chunk in stream:
            yield chunk
            break
        coming = {asyncio.ensure_future(anext(source)): source for source in (stream, beside)}
        try:
            while True:
                done, _ = await asyncio.wait(coming, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    source = coming.pop(task)
                    try:
                        chunk = task.result()
                    except StopAsyncIteration:
                        if source is stream:
                            return
                        continue
                    yield chunk
                    coming[asyncio.ensure_future(anext(source))] = source
        finally:
            for task in coming:
                task.cancel()
            await asyncio.gather(*coming, return_exceptions=True)
