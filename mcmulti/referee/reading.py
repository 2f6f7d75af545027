"""Where games stand: at hand as far as is known, checked against the log, and as they go on."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

from mcmulti.domain.core.chance import SeededChance
from mcmulti.events.codec import fold, opened_with
from mcmulti.events.envelope import Head, Recorded
from mcmulti.events.heads import HeadLoader
from mcmulti.events.history import History
from mcmulti.events.log import Log
from mcmulti.events.lru_cache import LruCache
from mcmulti.events.positions import Position
from mcmulti.referee.deadlines import RoundDeadline
from mcmulti.referee.feed import Feed, Feeds
from mcmulti.referee.ruling import Decided, UnknownMoment, head_of

GAMES = 1024
"""How many games are kept at hand."""


class GameAtHand:
    """A game at hand: where it stands as far as is known, its dice, and the turn of who decides a command of it.

    `owed` is what was drawn for and did not reach the log.
    """

    __slots__ = ("chance", "deadline", "owed", "position", "turn")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.chance: SeededChance | None = None
        self.deadline: RoundDeadline | None = None
        self.owed: Decided | None = None
        self.turn = asyncio.Lock()


class GameReader:
    """Knows where the games of a log stand, and where they stood. What is at hand is a guess that the log checks."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.history = History(log)
        self._heads = HeadLoader(log)
        self._games: LruCache[UUID, GameAtHand] = LruCache(GAMES)
        self._feeds = Feeds(log, self._caught_up)
        self.followers: list[Callable[[Position, Sequence[Recorded]], None]] = []
        """Are told where a game stands whenever it has moved, and the last events before that. They must not wait."""

    async def position(self, game_id: UUID) -> Position:
        """Where a game stands now; raises `UnknownGame`."""
        head = await self._heads.head(game_id)
        game = self._games.get(game_id)
        if game is None:
            return (await self._loaded(game_id, head)).position
        if game.position.head.seq >= head.seq:
            return game.position
        return await self._caught_up(game.position)

    async def known(self, game_id: UUID) -> Position:
        """Where a game stood when last looked at: good for what stays, as who sits there. Raises `UnknownGame`."""
        return (await self._at_hand(game_id)).position

    async def position_at(self, game_id: UUID, seq: int) -> Position:
        """Where a game stood after event `seq`; raises `UnknownGame` and `UnknownMoment`."""
        now = await self.known(game_id)
        if seq >= now.head.seq:
            now = await self.position(game_id)
        if seq == now.head.seq:
            return now
        if not 1 <= seq <= now.head.seq:
            raise UnknownMoment(now.head)
        return await self.history.at(now, seq)

    @asynccontextmanager
    async def feed(self, game_id: UUID) -> AsyncIterator[Feed]:
        """Follow a game, through what other processes append to it as well; raises `UnknownGame`."""
        async with self._feeds.follow(await self.position(game_id)) as feed:
            yield feed

    async def _at_hand(self, game_id: UUID) -> GameAtHand:
        """A game, where it stood when last looked at. Raises `UnknownGame`."""
        return self._games.get(game_id) or await self._loaded(game_id, await self._heads.head(game_id))

    async def _loaded(self, game_id: UUID, head: Head) -> GameAtHand:
        """A game that is not at hand, where its head was a moment ago."""
        first = await self._log.read(game_id, limit=1)
        position = await self.history.at(Position(game_id, opened_with(first[0]), None, head), head.seq)
        return self._keep(position, ())

    async def _caught_up(self, known: Position) -> Position:
        """The position with all that the log holds by now."""
        events = await self._log.read(known.game_id, after=known.head.seq)
        if events:
            known = known._replace(state=fold(known.ruleset, events, known.state), head=head_of(events))
        self._keep(known, events)
        return known

    def _keep(self, position: Position, events: Sequence[Recorded]) -> GameAtHand:
        """Keep a game at hand, at this position unless a later one is known."""
        if events:
            self._feeds.publish(position, events)
            for follower in self.followers:
                follower(position, events)
        game = self._games.get(position.game_id)
        if game is None:
            return self._games.put(position.game_id, GameAtHand(position))
        if game.position.head.seq < position.head.seq:
            game.position = position
        return game
