"""All games of a player in one stream: your turn, game over.

Its ids are times of the log's own clock. Every game that ended before an id was sent under it or an earlier one, except
games that arrive late. So after an id, the stream begins with what ended since a minute before it.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET, UnsetType

from mcmulti.api.streams import items as stream
from mcmulti.api.streams.items import Format, GameOver, Stopping, YourTurn
from mcmulti.api.streams.shared import SharedFeed, SharedFeeds
from mcmulti.api.telling.decisions import next_move
from mcmulti.api.telling.tables import Tables, TableView
from mcmulti.api.telling.wire import NextMove
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.errors import DamagedGame, LogUnavailable
from mcmulti.events.ports.game_index import Ended, GamesWanted
from mcmulti.events.ports.log import Log
from mcmulti.metrics import READERS
from mcmulti.referee.feed import POLL
from mcmulti.referee.referee import Referee

LATE = timedelta(minutes=1)
"""How long after its end a game can become visible: longer appends are abandoned."""
GAMES = 1000
"""The most running games of a player that are followed, the newest first."""
PAGE = 100
"""Finished games that are queried at a time."""
_FIRST = UUID(int=0)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(milliseconds=1)


class TurnDue(NamedTuple):
    """A game waits for a seat, and did so when event `seq` was its last."""

    game: UUID
    seq: int
    seat: int


class End(NamedTuple):
    """A game ended with event `seq`."""

    game: UUID
    seq: int
    winners: tuple[int, ...]


def end_of(position: Position) -> End:
    """How a finished game ended."""
    return End(position.game_id, position.head.seq, position.ruleset.outcome(position.state).winners)


class Running(NamedTuple):
    """A running game for a player: its head, and the player's turn, if it is one."""

    head: Head
    turn: TurnDue | None


class PlayerFeed(SharedFeed):
    """The games of one player, shared by all of the player's streams. Times are those of the log's own clock."""

    def __init__(self, player_id: UUID, now: datetime) -> None:
        super().__init__()
        self.looked = now - LATE
        """All that ended before was seen, except late arrivals."""
        self.running: dict[UUID, Running] = {}
        self.ends: dict[UUID, tuple[End, datetime | None]] = {}
        """The games that ended after `since`, and when; None for those that ended just now."""
        self._player_id = player_id

    @property
    def since(self) -> datetime:
        """Earlier ends are forgotten."""
        return self.looked - 2 * LATE

    def publish(self, position: Position, events: Sequence[Recorded] = ()) -> None:
        """A running game moved; `events`: the last of those that led there, if they are known."""
        before = self.running.get(position.game_id)
        seat = position.seat_of(self._player_id)
        ruleset, state, seq = position.ruleset, position.state, position.head.seq
        if seat is None or position.game_id in self.ends or (before is not None and seq <= before.head.seq):
            return
        if ruleset.status(state) == "finished":
            self.publish_end(end_of(position), None)
            return
        turn = TurnDue(position.game_id, seq, seat) if seat in ruleset.to_move(state) else None
        if before is not None and before.turn is not None and turn is not None:
            known = bool(events) and events[0].seq <= before.head.seq + 1
            if known and all(event.actor in (None, seat) for event in events if event.seq > before.head.seq):
                turn = before.turn  # nobody else moved, so it is still the same turn
        self.running[position.game_id] = Running(position.head, turn)
        self.ring()

    def publish_end(self, end: End, at: datetime | None) -> None:
        """A game has ended, at that time if it is known already."""
        self.running.pop(end.game, None)
        news = end.game not in self.ends
        self.ends[end.game] = end, at
        if news:
            self.ring()

    def seen(self, now: datetime) -> None:
        """Everything was checked, at that time or later."""
        self.looked = max(self.looked, now)
        for game_id, (_, at) in list(self.ends.items()):
            if at is not None and at < self.since:
                del self.ends[game_id]

    def forget(self) -> None:
        """Forget everything that was published: it may no longer be true."""
        self.running.clear()
        self.ends.clear()


def id_of(moment: datetime) -> str:
    """The id for a time, rounded so that it is never too late."""
    return str((moment - _EPOCH) // _TICK)


def moment_of(id_: int) -> datetime:
    """The time for an id; it has at most 13 digits."""
    return _EPOCH + id_ * _TICK


class Turns(SharedFeeds[UUID, PlayerFeed]):
    """Tracks the games of all players with an open stream, whichever process appends to them."""

    task = "player_streams"

    def __init__(self, log: Log, referee: Referee, tables: Tables) -> None:
        super().__init__()
        self._log = log
        self._referee = referee
        self._tables = tables
        referee.followers.append(self._show)
        referee.forgetters.append(self._forget)

    @asynccontextmanager
    async def feed(self, player_id: UUID) -> AsyncIterator[PlayerFeed]:
        """Follow a player's games. Raises `LogUnavailable`."""
        now = await self._log.now()
        with READERS.labels("player_stream").track_inprogress():
            async with self._shared(player_id, PlayerFeed(player_id, now)) as feed:
                await self._look(player_id, feed, now)
                yield feed

    async def ended(self, player_id: UUID, since: datetime, away: set[str] | None = None) -> AsyncIterator[Ended]:
        """The games of a player that ended after a time, in the order of their ends. `away`: see `GameIndex`."""
        last = Ended(since, _FIRST)
        while page := await self._log.ended(player_id, last, PAGE, away):
            for last in page:
                yield last
            if len(page) < PAGE:
                return

    async def end(self, game_id: UUID) -> End | None:
        """How a game ended; None if that is unknown because it is damaged. Raises `LogUnavailable`."""
        with suppress(DamagedGame):
            return end_of(await self._referee.position(game_id))
        return None

    async def decision(self, turn: TurnDue, player_id: UUID, language: Language) -> NextMove | UnsetType:
        """What a player decides on in a game; unset if the player no longer sits there. Raises `LogUnavailable`.

        The feed knows the position from the game's last move, so that it is not read again.
        """
        with suppress(DamagedGame):
            return await next_move(await self._referee.known(turn.game), self._tables, player_id, language)
        return UNSET

    async def tables(self, games: Iterable[UUID]) -> dict[UUID, TableView]:
        """The tables of games; damaged ones are missing. Raises `LogUnavailable`."""
        found = {}
        for game_id in games:
            with suppress(DamagedGame):
                found[game_id] = await self._tables.present(game_id)
        return found

    def _show(self, position: Position, events: Sequence[Recorded]) -> None:
        if self._feeds and position.ruleset.status(position.state) != "open":
            for player in position.ruleset.players(position.state):
                feed = None if player is None else self._feeds.get(UUID(player))
                if feed is not None:
                    feed.publish(position, events)

    def _forget(self) -> None:
        """The log went back: look up all turns and finished games again."""
        for feed in self._feeds.values():
            feed.forget()

    async def _keep(self) -> None:
        """Check every player, one by one, until nobody follows any."""
        await asyncio.sleep(POLL)
        while self._feeds:
            with suppress(LogUnavailable):
                now = await self._log.now()
                for player_id, feed in list(self._feeds.items()):
                    if feed.readers:
                        await self._look(player_id, feed, now)
            await asyncio.sleep(POLL)

    async def _look(self, player_id: UUID, feed: PlayerFeed, now: datetime) -> None:
        """Two queries if no game has moved. A game that ends between them is found by the second one.

        News of games on nodes that are down is sent when the nodes are back.
        """
        away: set[str] = set()
        wanted = GamesWanted("running", player_ids=(player_id,))
        games = await self._log.games(GAMES, wanted=wanted, away=away)
        for game in games:
            known = feed.running.get(game.game_id)
            if known is None or known.head != game.head:
                with suppress(DamagedGame):  # does not hold up the others
                    feed.publish(await self._referee.position(game.game_id))
        async for ended in self.ended(player_id, feed.looked - LATE, away):
            known_end = feed.ends.get(ended.game_id)
            end = known_end[0] if known_end else await self.end(ended.game_id)
            if end is not None:
                feed.publish_end(end, ended.at)
        if not away:
            feed.seen(now)


class _Told:
    """What one stream has sent. Its `mark` is where it resumes: all that ended before was sent."""

    def __init__(self, mark: datetime, behind: datetime) -> None:
        self.mark = mark
        self._behind = behind
        self._turns: dict[UUID, TurnDue] = {}
        self._ends: dict[UUID, datetime] = {}

    @property
    def behind(self) -> datetime:
        """Earlier ends need not be looked for."""
        return max(self._behind, self.mark - LATE)

    def begin(self, feed: PlayerFeed) -> None:
        """Leave out games that ended before the stream begins."""
        self._ends = {game: at for game, (_, at) in feed.ends.items() if at is not None and at < self._behind}

    def knows(self, game: UUID) -> bool:
        """Whether the end of a game was sent."""
        return game in self._ends

    def record_end(self, end: End, at: datetime) -> None:
        """Record that the end of a game was sent."""
        self._ends[end.game] = at

    def news(self, feed: PlayerFeed) -> list[TurnDue | End]:
        """What the feed knows and the reader has not received."""
        ends = [end for game, (end, _) in feed.ends.items() if not self.knows(game)]
        turns = [turn for game, (_, turn) in feed.running.items() if turn is not None and self._turns.get(game) != turn]
        return [*ends, *turns]

    def all_of(self, news: Sequence[TurnDue | End], feed: PlayerFeed) -> None:
        """Record that everything was sent."""
        told = {item.game: item for item in news if isinstance(item, TurnDue)}
        due = [game for game, (_, turn) in feed.running.items() if turn is not None]
        self._turns = {game: turn for game in due if (turn := told.get(game) or self._turns.get(game))}
        for item in news:
            if isinstance(item, End):
                _, at = feed.ends.get(item.game, (item, None))
                self.record_end(item, at or feed.looked)
        for game in [game for game, at in self._ends.items() if at < feed.since and game not in feed.ends]:
            del self._ends[game]


async def chunks(
    turns: Turns, player_id: UUID, form: Format, mark: datetime, *, resumed: bool, offers: Language | None = None
) -> AsyncGenerator[bytes, None]:
    """A player's encoded stream: games that ended since, the games that wait for the player, then news.

    `mark`: where it begins: now, or the time of the id that it is `resumed` after. `offers`: the language of offers in
    turns; None for no offers. While the database is down it goes on with heartbeats.
    """
    told = _Told(mark, mark - LATE if resumed else mark)
    begun = False
    yield form.opening + form.alive(id_of(told.mark))
    while True:
        try:
            async with turns.feed(player_id) as feed:
                if not begun:
                    told.begin(feed)
                    begun = True
                while True:
                    looked = feed.looked
                    if told.behind < feed.since:  # the feed forgot, or never knew, what this reader has not received
                        async for ended in turns.ended(player_id, told.behind):
                            if told.knows(ended.game_id):
                                continue
                            end, tables = await turns.end(ended.game_id), await turns.tables([ended.game_id])
                            if end is None or not tables:
                                continue
                            told.mark = max(told.mark, min(ended.at, looked))
                            told.record_end(end, ended.at)
                            yield _news_item(end, tables[end.game], UNSET, form, told.mark)
                    news = told.news(feed)
                    tables = await turns.tables(item.game for item in news)
                    told.all_of(news, feed)
                    decisions = {
                        item.game: await turns.decision(item, player_id, offers)
                        for item in news
                        if offers is not None and isinstance(item, TurnDue)
                    }
                    shown = [
                        (item, tables[item.game], decisions.get(item.game, UNSET))
                        for item in news
                        if item.game in tables
                    ]
                    written = [_news_item(*item, form, told.mark) for item in shown[:-1]]
                    told.mark = max(told.mark, looked)  # once everything is sent
                    written += [_news_item(*item, form, told.mark) for item in shown[-1:]]
                    if written:
                        yield b"".join(written)
                    elif turns.stopping:
                        yield form.item(Stopping(), None)
                        return
                    elif not await feed.rung(stream.HEARTBEAT):
                        yield form.alive(id_of(told.mark))
        except LogUnavailable:
            yield form.alive(id_of(told.mark))
            await asyncio.sleep(POLL)


def _news_item(
    news: TurnDue | End, table: TableView, next_: NextMove | UnsetType, form: Format, mark: datetime
) -> bytes:
    id_ = id_of(mark)
    item = YourTurn(*news, id_, table, next_) if isinstance(news, TurnDue) else GameOver(*news, id_, table)
    return form.item(item, id_)
