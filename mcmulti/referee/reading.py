"""Positions of games: cached, checked against the log, and kept up to date."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from uuid import UUID

import structlog

from mcmulti.domain.core.chance import SeededChance
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.errors import DamagedGame, LogError, UnknownGame
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.store.heads import HeadLoader
from mcmulti.events.store.history import History, followed, holds
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metrics import DAMAGED_GAMES, WENT_BACK
from mcmulti.referee.attendant import Attendant, GameAtHand
from mcmulti.referee.feed import READ_ANEW, Feed, Feeds, LogWentBack, ServerStops
from mcmulti.referee.ruling import UnknownMoment

GAMES = 1024
"""The most games in the cache."""
MOMENTS = 256
"""The most past moments of games in the cache."""

_log = structlog.get_logger(__name__)


class GameReader:
    """Finds current and past positions of a log's games. The cache is a guess that the log verifies.

    A log can go back, to a backup or to an older copy. If it does not contain a cached event, nothing in the cache is
    trusted anymore.
    """

    def __init__(self, log: Log, attendants: Sequence[Attendant] = ()) -> None:
        self.log = log
        self._attendants = attendants
        self.history = History(log)
        self.quarantined: Mapping[UUID, str] = {}
        """Damaged games, which nobody reads or plays, and the fault of each."""
        self._heads = HeadLoader(log)
        self._games: LruCache[UUID, GameAtHand] = LruCache(GAMES)
        self._past: LruCache[tuple[UUID, int], Position] = LruCache(MOMENTS)
        self._feeds = Feeds(log, self._caught_up)
        self.followers: list[Callable[[Position, Sequence[Recorded]], None]] = []
        """Called with the position of a game whenever it has moved, and the last events before that. They must not
        block.
        """
        self.forgetters: list[Callable[[], None]] = []
        """Called when the log went back: what was read may no longer be true. They must not block."""

    @property
    def at_hand(self) -> int:
        """The number of cached games."""
        return len(self._games)

    def length_at_hand(self, game_id: UUID) -> int:
        """The number of a game's events when last read; 0 if it is not cached."""
        game = self._games.get(game_id)
        return 0 if game is None or game.position is None else game.position.head.seq

    def quarantine(self, faults: Mapping[UUID, str]) -> None:
        """Set the damaged games: anybody who asks for one gets an error."""
        self.quarantined = faults
        for game_id in faults:
            game = self._games.get(game_id)
            if game is not None:
                game.forget()

    async def position(self, game_id: UUID) -> Position:
        """The current position of a game. Raises `UnknownGame` and `DamagedGame`."""
        game = self._games.get(game_id)
        known = None if game is None else game.position
        try:
            head = await self._heads.head(game_id)
        except UnknownGame:
            if known is not None:
                self._went_back()
            raise
        return await self._caught_up(game_id, known, head)

    async def known(self, game_id: UUID) -> Position:
        """The last known position of a game: good enough for what stays, such as its players.

        Raises `UnknownGame` and `DamagedGame`.
        """
        game = self._games.get(game_id)
        return game.position if game is not None and game.position is not None else await self.position(game_id)

    async def position_at(self, game_id: UUID, seq: int) -> Position:
        """The position of a game after event `seq`. Raises `UnknownMoment`, and like `events_of`."""
        now = await self.position(game_id)
        if seq == now.head.seq:
            return now
        if not 1 <= seq <= now.head.seq:
            raise UnknownMoment(now.head)
        past, moment = self._past, (game_id, seq)
        known = past.get(moment)
        if known is not None:
            return known
        try:
            return past.put(moment, await self.history.at(now, seq))
        except DamagedGame as fault:
            raise await self.missed(now, fault) from None

    async def events_of(self, position: Position, after: int = 0) -> list[Recorded]:
        """The events after `after` that led to a position; there is at least one.

        Raises `LogWentBack` if the log no longer contains them, `UnknownGame`, and `DamagedGame`.
        """
        game_id, head = position.game_id, position.head
        events = await self.log.read(game_id, after, head.seq - after)
        if not events or Head(events[-1].seq, events[-1].hash) != head:
            raise await self.missed(position, DamagedGame(game_id, f"event {head.seq} does not match its head"))
        return events

    async def missed(self, position: Position, fault: DamagedGame) -> LogError:
        """The error for a fault in the log up to a position: none if the log no longer leads there."""
        game_id, end = position.game_id, position.head
        head = (await self.log.game(game_id)).head
        leads = head == end or (head.seq > end.seq and await holds(self.log, game_id, end))
        return fault if leads else LogWentBack(READ_ANEW)

    async def logged(self, position: Position) -> tuple[Position, Game]:
        """The position of a game, there or later, and the log's row for it. Raises like `position`."""
        while True:
            game = await self.hand(position.game_id)
            if game.logged is None or game.logged.head.seq < position.head.seq:
                game.logged = await self.log.game(position.game_id)
            logged = game.logged
            if logged.head == position.head:
                return position, logged
            position = await self.position(position.game_id)

    @asynccontextmanager
    async def feed(self, game_id: UUID) -> AsyncIterator[Feed]:
        """Follow a game, including appends of other processes. Raises `UnknownGame` and `DamagedGame`."""
        async with self._feeds.subscribed(await self.position(game_id)) as feed:
            yield feed

    def end_feeds(self) -> None:
        """The server stops: followers are notified, and can continue at another one."""
        self._feeds.end(ServerStops("the server is stopping; try again"))

    async def hand(self, game_id: UUID) -> GameAtHand:
        """A cached game at its last known position. Raises `UnknownGame` and `DamagedGame`."""
        game = self._games.get(game_id)
        if game is not None and game.position is not None:
            return game
        return self._cache_game(await self.position(game_id), ())

    async def dice(self, game: GameAtHand, position: Position) -> SeededChance:
        """The dice of a game. Raises `DamagedGame` if they do not match its commitment."""
        game_id = position.game_id
        try:
            chance = SeededChance(await self.log.secret(game_id), str(game_id), position.state.dice_id)
        except UnknownGame:
            await self.log.game(game_id)
            raise DamagedGame(game_id, "its seed is missing") from None
        if chance.commitment != position.state.commitment:
            raise DamagedGame(game_id, "its seed does not match the commitment in its first event")
        game.chance = chance
        return chance

    async def _caught_up(self, game_id: UUID, known: Position | None, head: Head) -> Position:
        """The position of a game, or one step later, whose log had this head, requested after `known` was known."""
        if known is not None and head != known.head and head.seq <= known.head.seq:
            self._went_back()
        game = self._games.get(game_id)
        at_hand = None if game is None else game.position
        if at_hand is None:
            return await self._loaded(game_id, head)
        if at_hand.head.seq >= head.seq:
            return at_hand
        # The last known event is read too: what follows another event would follow another state.
        last, *events = await self.log.read(game_id, at_hand.head.seq - 1) or (None,)
        if last is None or last.hash != at_hand.head.hash:
            self._went_back()
            return await self._loaded(game_id, head)
        position = followed(at_hand, events)
        await self.history.reaches(game_id, position.head, head)
        self._cache_game(position, events)
        return position

    async def _loaded(self, game_id: UUID, head: Head) -> Position:
        """The position of a game that is not cached, and whose log had this head."""
        if game_id in self.quarantined:
            raise DamagedGame(game_id, self.quarantined[game_id])
        try:
            position = await self.history.now(game_id, head)
        except DamagedGame as error:
            DAMAGED_GAMES.inc()
            _log.error("a game is damaged", game_id=str(game_id), fault=error.fault)
            raise
        self._cache_game(position, ())
        return position

    def _cache_game(self, position: Position, events: Sequence[Recorded]) -> GameAtHand:
        """Cache a game at this position, unless a later one is known."""
        if events:
            self._feeds.publish(position, events)
            for follower in self.followers:
                follower(position, events)
        game = self._games.get(position.game_id)
        if game is None:
            return self._games.put(position.game_id, GameAtHand(position, self._attendants))
        if game.position is None or game.position.head.seq < position.head.seq:
            game.position = position
        return game

    def _went_back(self) -> None:
        """The log went back: cached positions may no longer be true."""
        WENT_BACK.inc()
        _log.warning("the log went back; everything cached before is dropped")
        self.forget()
        self._feeds.end(LogWentBack(READ_ANEW))

    def forget(self) -> None:
        """Forget all games, as after a start."""
        for game in self._games.values():
            game.forget()
        self._past = LruCache(MOMENTS)  # who looks into the past at the moment keeps that in the one before
        for forget in self.forgetters:
            forget()
