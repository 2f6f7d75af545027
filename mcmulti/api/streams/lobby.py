"""The lobby: followed tables, kept up to date whichever server appends to their games, and their stream."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from itertools import islice
from uuid import UUID

from msgspec import Struct

from mcmulti.api.admission.callers import Callers
from mcmulti.api.streams import items as stream
from mcmulti.api.streams.items import Format, LobbyHead, Stopping, TableGone, TableListed
from mcmulti.api.streams.shared import SharedFeed, SharedFeeds
from mcmulti.api.telling.ladder import LadderBoard
from mcmulti.api.telling.rated import seated
from mcmulti.api.telling.tables import Tables, TableView
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.errors import LogError, LogUnavailable
from mcmulti.events.ports.game_index import Bookmark, Game, GamesWanted
from mcmulti.events.ports.log import Log
from mcmulti.metrics import READERS
from mcmulti.referee.feed import POLL
from mcmulti.referee.referee import Referee

ROWS = 1000
"""The most tables in a feed: those that moved last."""
GATHER = 0.2
"""Seconds in which changes are gathered, so that one query covers all of them."""
LATE = timedelta(seconds=15)
"""How late a move by another server may become visible and still be found at once. Later ones are found by `LOOK`."""
LOOK = 30.0
"""Seconds after which everything is checked again for changes without an event: invitations, time given back."""
_PAGE = 500
"""Moved games queried at a time."""
PAGE = 100
"""The most items sent together."""


class LobbyFeed(SharedFeed):
    """The tables that match a filter. All streams with the same filter share it.

    `rows`: the current matches, the most recently moved at the end. A reader compares them with what it sent. So a slow
    reader gets only the latest state of each, and nothing is buffered for it.
    """

    def __init__(self, wanted: GamesWanted) -> None:
        super().__init__()
        self.wanted = wanted
        self.rows: dict[UUID, TableView] = {}
        self.looked: float | None = None
        """When all rows were checked, by the clock of the loop; None if they must be checked."""

    def put(self, game: Game, table: TableView) -> None:
        """Set the current state of a game."""
        known = self.rows.get(game.game_id)
        if not self.wanted.fits(game):
            if self.rows.pop(game.game_id, None) is not None:
                self.ring()
        elif known != table:
            self.rows.pop(game.game_id, None)
            self.rows[game.game_id] = table
            while len(self.rows) > ROWS:
                del self.rows[min(self.rows, key=lambda each: self.rows[each].moved_at)]
            self.ring()

    def replace(self, tables: Iterable[TableView], looked: float, *, whole: bool) -> None:
        """Replace all rows, the most recently moved at the end. If not `whole`, there may be others on nodes that are
        down.
        """
        before, self.rows = self.rows, {} if whole else dict(self.rows)
        for table in tables:
            known = before.get(table.game)
            self.rows[table.game] = known if known == table and known is not None else table
        self.looked = looked
        self.ring()


class Lobby(SharedFeeds[GamesWanted, LobbyFeed]):
    """Tracks the tables that are followed. While nobody follows any, an append costs nothing here."""

    task = "lobby_streams"

    def __init__(self, log: Log, referee: Referee, tables: Tables, callers: Callers) -> None:
        super().__init__()
        self._log = log
        self._tables = tables
        self._touched: set[UUID] = set()
        self._seen: dict[UUID, Head] = {}
        self._bell = asyncio.Event()
        self._turn = asyncio.Lock()
        referee.followers.append(self._moved)
        referee.forgetters.append(self._doubt)
        callers.followers.append(self._renamed)

    @asynccontextmanager
    async def feed(self, wanted: GamesWanted) -> AsyncIterator[LobbyFeed]:
        """Follow the matching tables. Raises `LogUnavailable`."""
        with READERS.labels("lobby_stream").track_inprogress():
            async with self._shared(wanted, LobbyFeed(wanted)) as feed:
                async with self._turn:
                    if feed.looked is None:
                        await self._look(feed)
                yield feed

    def touched(self, game_id: UUID) -> None:
        """The table of a game, or its visibility, may have changed."""
        if self._feeds:
            self._touched.add(game_id)
            self._bell.set()

    def _moved(self, position: Position, events: Sequence[Recorded]) -> None:
        if self._feeds:
            self.touched(position.game_id)

    def _renamed(self, player_id: UUID | None) -> None:
        """A player was renamed, or anybody may have been (None)."""
        if player_id is None:
            self._doubt()
        for feed in self._feeds.values():
            for row in feed.rows.values():
                if any(seat.player == player_id for seat in row.seats if player_id is not None):
                    self.touched(row.game)

    def _doubt(self) -> None:
        """No row is known to be true anymore."""
        self._seen.clear()
        for feed in self._feeds.values():
            feed.looked = None
        self._bell.set()

    async def _kept(self) -> None:
        try:
            await super()._kept()
        finally:
            self._seen.clear()
            self._touched.clear()

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        polled = loop.time()
        while self._feeds:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, polled + POLL - loop.time())):
                    await self._bell.wait()
            await asyncio.sleep(GATHER)
            self._bell.clear()
            try:
                async with self._turn:
                    if loop.time() >= polled + POLL:
                        polled = loop.time()
                        self._show(*await self._with_views(await self._elsewhere()))
                    await self._catch_up()
                    for feed in list(self._feeds.values()):
                        if feed.looked is None or loop.time() >= feed.looked + LOOK:
                            await self._look(feed)
            except LogError:
                self._doubt()
                await asyncio.sleep(POLL)

    async def _catch_up(self) -> None:
        """Check the touched games, in one query."""
        touched, self._touched = self._touched, set()
        if touched:
            wanted = GamesWanted(game_ids=tuple(touched))
            self._show(*await self._with_views(await self._log.games(len(touched), wanted=wanted, away=set())))

    async def _elsewhere(self) -> list[Game]:
        """Games that moved recently and whose current head was not seen."""
        since = await self._log.now() - LATE
        lately: list[Game] = []
        before: Bookmark | None = None
        while page := await self._log.games(_PAGE, before, away=set(), order="moved"):
            before = page[-1].mark("moved")
            lately += [game for game in page if game.moved_at > since]
            if len(page) < _PAGE or page[-1].moved_at <= since:
                break
        news = [game for game in lately if self._seen.get(game.game_id) != game.head]
        self._seen = {game.game_id: game.head for game in lately}
        return news

    async def _look(self, feed: LobbyFeed) -> None:
        """Check all the rows of a feed."""
        now, away = asyncio.get_running_loop().time(), set[str]()
        _, tables = await self._with_views(await self._log.games(ROWS, None, feed.wanted, away, "moved"))
        feed.replace(reversed(tables), now, whole=not away)

    async def _with_views(self, games: list[Game]) -> tuple[list[Game], tuple[TableView, ...]]:
        return games, await self._tables.summaries(games) if games else ()

    def _show(self, games: Sequence[Game], tables: Sequence[TableView]) -> None:
        self._seen |= {game.game_id: game.head for game in games}
        for game, table in sorted(zip(games, tables, strict=True), key=lambda each: each[0].moved_at):
            for feed in self._feeds.values():
                feed.put(game, table)


def _row_changes(rows: dict[UUID, TableView], told: dict[UUID, TableView], ladder: LadderBoard) -> Iterator[Struct]:
    """The items that bring a reader who has seen `told` up to date with `rows`."""
    for game in [game for game in told if game not in rows]:
        del told[game]
        yield TableGone(game)
    for game, table in rows.items():
        if told.get(game) is not table:
            told[game] = table
            yield TableListed(table, seated(ladder, (table,)))


async def chunks(
    lobby: Lobby, ladder: LadderBoard, wanted: GamesWanted, limit: int, form: Format
) -> AsyncGenerator[bytes, None]:
    """The encoded stream: the number of rows, the rows, and then changes, at most `limit` items after the head.

    While the database is down it goes on with heartbeats.
    """
    told: dict[UUID, TableView] | None = None
    yield form.opening
    await ladder.glance()
    while True:
        try:
            async with lobby.feed(wanted) as feed:
                while True:
                    written = []
                    if told is None:
                        told = {}
                        written.append(form.item(LobbyHead(len(feed.rows)), None))
                    some = islice(_row_changes(feed.rows, told, ladder), min(limit, PAGE))
                    news = [form.item(item, None) for item in some]
                    limit -= len(news)
                    if written or news:
                        yield b"".join([*written, *news])
                    if limit == 0:
                        return
                    if lobby.stopping:
                        yield form.item(Stopping(), None)
                        return
                    if not news and not await feed.rung(stream.HEARTBEAT):
                        yield form.heartbeat
        except LogUnavailable:
            yield form.heartbeat
            await asyncio.sleep(POLL)
