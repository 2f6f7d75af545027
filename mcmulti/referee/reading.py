"""Where games stand: at hand as far as is known, checked against the log, and as they go on."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

import structlog

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.standing import Standing
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.errors import DamagedGame, LogError, UnknownGame
from mcmulti.events.ports.game_index import Access, Game, TableRow
from mcmulti.events.ports.log import Log
from mcmulti.events.store.heads import HeadLoader
from mcmulti.events.store.history import History, followed, holds
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metrics import DAMAGED_GAMES, WENT_BACK
from mcmulti.referee.attendants.attendant import Attendant, Decided
from mcmulti.referee.feed import READ_ANEW, Feed, Feeds, LogWentBack, ServerStops
from mcmulti.referee.ruling import Ruling, UnknownMoment

GAMES = 1024
"""How many games are kept at hand."""
MOMENTS = 256
"""How many past moments of games are."""

_log = structlog.get_logger(__name__)


ANSWERED = 16
"""How many keys of answered requests are known of a game: whoever sends one again does so soon."""


class GameAtHand:
    """A game at hand: where it stands as far as is known, its dice, and the turn of who decides a command of it.

    `terms` is what its table agreed on, and `attendants` are those whom it needs for that. `position` is None where
    nothing is known any more. `owed` is what was drawn for and did not reach the log. `answered`: the idempotency keys
    of the latest requests that were answered here, of whomever.
    """

    __slots__ = ("_stands", "answered", "attendants", "chance", "logged", "owed", "position", "terms", "turn")

    def __init__(self, position: Position, attendants: Sequence[Attendant]) -> None:
        self.position: Position | None = position
        self.terms = position.ruleset.terms(position.ruleset.setup_of(position.state))
        self.attendants = tuple(each for each in attendants if each.attends(self.terms))
        self._stands: Standing | None = None
        self.chance: SeededChance | None = None
        self.logged: Game | None = None
        self.owed: Decided | None = None
        self.answered: deque[str] = deque(maxlen=ANSWERED)
        self.turn = asyncio.Lock()

    def stands(self, position: Position) -> Standing:
        """Where it stands at this position, which is worked out once."""
        if self._stands is None or self._stands.state is not position.state:
            self._stands = self.terms.standing(position.state, position.head.seq)
        return self._stands

    def deadline_at(self, head: Head) -> datetime | None:
        """The deadline that the game has at this head; None where it is not known, or there is none."""
        logged = self.logged
        return logged.standing.deadline or None if logged is not None and logged.head == head else None

    def forget(self) -> None:
        """Nothing that the log said of this game is known any more."""
        self.position = self.chance = self.logged = None

    def opened(self, ruling: Ruling, stands: TableRow, opened_by: UUID | None, access: Access) -> None:
        """It was put into the log: so the log says this of it."""
        (event,), (game_id, ruleset, _, head) = ruling.events, ruling.position
        at = event.recorded_at
        names = game_id, ruleset.name, ruleset.version
        self.logged = Game(*names, stands.behind(None), head, at, at, opened_by, access)

    def moved(self, before: Head, ruling: Ruling, after: Standing, stands: TableRow) -> None:
        """This was appended, behind `before`: what the log says now is known if it was known before."""
        self._stands, logged = after, self.logged
        if logged is not None and logged.head == before:
            at = ruling.events[-1].recorded_at if ruling.events else logged.moved_at
            stands = stands.behind(logged.standing)
            self.logged = logged._replace(standing=stands, head=ruling.position.head, moved_at=at)


class GameReader:
    """Knows where the games of a log stand, and where they stood. What is at hand is a guess that the log checks.

    A log can go back, to a backup or to a copy that was behind. Where it does not hold an event that is at hand,
    nothing that was at hand is trusted any more.
    """

    def __init__(self, log: Log, attendants: Sequence[Attendant] = ()) -> None:
        self.log = log
        self._attendants = attendants
        self.history = History(log)
        self.quarantined: Mapping[UUID, str] = {}
        """The games that are read and played by nobody, and what is wrong with each."""
        self._heads = HeadLoader(log)
        self._games: LruCache[UUID, GameAtHand] = LruCache(GAMES)
        self._past: LruCache[tuple[UUID, int], Position] = LruCache(MOMENTS)
        self._feeds = Feeds(log, self._caught_up)
        self.followers: list[Callable[[Position, Sequence[Recorded]], None]] = []
        """Are told where a game stands whenever it has moved, and the last events before that. They must not wait."""
        self.forgetters: list[Callable[[], None]] = []
        """Are told that the log went back: what was seen of it need not be true any more. They must not wait."""

    @property
    def at_hand(self) -> int:
        """How many games are at hand."""
        return len(self._games)

    def length_at_hand(self, game_id: UUID) -> int:
        """How many events a game had when last looked at; 0 if it is not at hand."""
        game = self._games.get(game_id)
        return 0 if game is None or game.position is None else game.position.head.seq

    def quarantine(self, faults: Mapping[UUID, str]) -> None:
        """These games are damaged, and no others: whoever asks for one is told so."""
        self.quarantined = faults
        for game_id in faults:
            game = self._games.get(game_id)
            if game is not None:
                game.forget()

    async def position(self, game_id: UUID) -> Position:
        """Where a game stands now; raises `UnknownGame` and `DamagedGame`."""
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
        """Where a game stood when last looked at: good for what stays, as who sits there.

        Raises `UnknownGame` and `DamagedGame`.
        """
        game = self._games.get(game_id)
        return game.position if game is not None and game.position is not None else await self.position(game_id)

    async def position_at(self, game_id: UUID, seq: int) -> Position:
        """Where a game stood after event `seq`; raises `UnknownMoment`, and as `events_of` does."""
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
        """The events behind `after` that led to a position; there is at least one.

        Raises `LogWentBack` if the log does not hold them any more, `UnknownGame` and `DamagedGame`.
        """
        game_id, head = position.game_id, position.head
        events = await self.log.read(game_id, after, head.seq - after)
        if not events or Head(events[-1].seq, events[-1].hash) != head:
            raise await self.missed(position, DamagedGame(game_id, f"event {head.seq} does not match its head"))
        return events

    async def missed(self, position: Position, fault: DamagedGame) -> LogError:
        """What a fault in the log up to a position is: none, where the log does not lead there any more."""
        game_id, end = position.game_id, position.head
        head = (await self.log.game(game_id)).head
        leads = head == end or (head.seq > end.seq and await holds(self.log, game_id, end))
        return fault if leads else LogWentBack(READ_ANEW)

    async def logged(self, position: Position) -> tuple[Position, Game]:
        """Where a game stands, there or further, and what the log says of it then. Raises as `position` does."""
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
        """Follow a game, through what other processes append to it as well; raises `UnknownGame` and `DamagedGame`."""
        async with self._feeds.follow(await self.position(game_id)) as feed:
            yield feed

    def end_feeds(self) -> None:
        """The server stops: who follows a game is told so, and may go on at another one."""
        self._feeds.end(ServerStops("the server is stopping; try again"))

    async def hand(self, game_id: UUID) -> GameAtHand:
        """A game that stands where it stood when last looked at. Raises `UnknownGame` and `DamagedGame`."""
        game = self._games.get(game_id)
        if game is not None and game.position is not None:
            return game
        return self._keep(await self.position(game_id), ())

    async def dice(self, game: GameAtHand, position: Position) -> SeededChance:
        """The dice of a game. Raises `DamagedGame` if they are not those that it committed to."""
        game_id = position.game_id
        try:
            chance = SeededChance(await self.log.secret(game_id), str(game_id))
        except UnknownGame:
            await self.log.game(game_id)
            raise DamagedGame(game_id, "its seed is missing") from None
        if chance.commitment != position.state.commitment:
            raise DamagedGame(game_id, "its seed does not match the commitment in its first event")
        game.chance = chance
        return chance

    async def _caught_up(self, game_id: UUID, known: Position | None, head: Head) -> Position:
        """Where a game stands, or one step further, whose log had this head, asked for after `known` was known."""
        if known is not None and head != known.head and head.seq <= known.head.seq:
            self._went_back()
        game = self._games.get(game_id)
        at_hand = None if game is None else game.position
        if at_hand is None:
            return await self._loaded(game_id, head)
        if at_hand.head.seq >= head.seq:
            return at_hand
        # The last event that is known comes along: what follows on another one follows on another state.
        last, *events = await self.log.read(game_id, at_hand.head.seq - 1) or (None,)
        if last is None or last.hash != at_hand.head.hash:
            self._went_back()
            return await self._loaded(game_id, head)
        position = followed(at_hand, events)
        await self.history.reaches(game_id, position.head, head)
        self._keep(position, events)
        return position

    async def _loaded(self, game_id: UUID, head: Head) -> Position:
        """Where a game stands that is not at hand, and whose log had this head."""
        if game_id in self.quarantined:
            raise DamagedGame(game_id, self.quarantined[game_id])
        try:
            position = await self.history.now(game_id, head)
        except DamagedGame as error:
            DAMAGED_GAMES.inc()
            _log.error("a game is damaged", game_id=str(game_id), fault=error.fault)
            raise
        self._keep(position, ())
        return position

    def _keep(self, position: Position, events: Sequence[Recorded]) -> GameAtHand:
        """Keep a game at hand, at this position unless a later one is known."""
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
        """The log went back: what is at hand may never have been."""
        WENT_BACK.inc()
        _log.warning("the log went back; everything cached before is dropped")
        self.forget()
        self._feeds.end(LogWentBack(READ_ANEW))

    def forget(self) -> None:
        """Know nothing of any game, as after a start."""
        for game in self._games.values():
            game.forget()
        self._past = LruCache(MOMENTS)  # who looks into the past at the moment keeps that in the one before
        for forget in self.forgetters:
            forget()
