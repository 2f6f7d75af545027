"""The log of a growing game: one generator for pages and streams; and what its stream shows of the present."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import UNSET, Raw, UnsetType

from mcmulti.api.caching.tags import etag
from mcmulti.api.http.answers import encoded
from mcmulti.api.streams import items as stream
from mcmulti.api.streams.items import Format, Stopping, StreamHead, TableMoved, WentBack, YourView
from mcmulti.api.telling.decisions import offers_of
from mcmulti.api.telling.tables import Tables, TableView
from mcmulti.api.telling.wire import Offers, ViewForm
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import item
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.store.redaction import for_reader
from mcmulti.metrics import READERS
from mcmulti.projections.reports.patches import patch
from mcmulti.referee.feed import POLL, READ_ANEW, Feed, FeedEnded, LogWentBack
from mcmulti.referee.referee import Referee

PAGE = 100
"""Events that a stream holds at a time."""
PIECE = 250
"""Events that are read at a time: an order sheet can be as long as hundreds of other events."""
MOST_BYTES = 2**20
"""Bytes of events and commands that a reader gets at a time, before the last event."""


class StreamedView:
    """One stream's view of a game. Changes refer to the view that was sent before, so the first one is complete.

    `form`: of the view; unset for none. `offers`: the language of offers; unset for none.
    """

    def __init__(
        self, tables: Tables, player: Player | None, form: ViewForm | UnsetType, offers: Language | UnsetType
    ) -> None:
        self._tables = tables
        self._player = player
        self._form = form
        self._offers = offers
        self._sent: Any = None

    async def at(self, position: Position) -> YourView:
        """The item for a position, which must be sent. Raises `LogUnavailable`."""
        seat = None if self._player is None else position.seat_of(self._player.player_id)
        tag, head = etag(position.head), position.head
        offers: Offers | UnsetType = UNSET
        if seat is not None and not isinstance(self._offers, UnsetType):
            offers = offers_of(position, seat, self._offers)
        if isinstance(self._form, UnsetType):
            return YourView(head.seq, tag, offers=offers)
        shown = position.presented(await self._tables.called(position))
        before, view = self._sent, shown.ruleset.view(shown.state, seat)
        self._sent = view if self._form == "patch" else None
        if before is None:
            return YourView(head.seq, tag, view=Raw(encoded(view)), offers=offers)
        return YourView(head.seq, tag, changes=patch(before, view), offers=offers)


class Batch(NamedTuple):
    """Consecutive events, empty if there were none for a while, and where the game stands."""

    position: Position
    events: Sequence[Recorded]


class EventRange(NamedTuple):
    """Which events: those after `after`, at most `limit`, and up to number `until`.

    `hash`: that of event `after`, if it was sent already.
    """

    after: int
    limit: int
    until: int
    hash: bytes | None = None

    @property
    def room(self) -> int:
        """How many events are still wanted."""
        return min(self.limit, self.until - self.after)

    def behind(self, events: Sequence[Recorded]) -> "EventRange":
        """The rest of the range after these were sent."""
        last = events[-1] if events else None
        return EventRange(last.seq, self.limit - len(events), self.until, last.hash) if last else self


async def batches(
    referee: Referee, game_id: UUID, reader: Player | None, span: EventRange, pause: float, page: int = PAGE
) -> AsyncGenerator[Batch, None]:
    """The events of a range as they come, at most `page` and about `MOST_BYTES` at a time; an empty batch after each
    `pause` (seconds).

    What the reader may not know yet is sealed. Ends when the range is complete, and when the game is over. Raises
    `UnknownGame`, `LogUnavailable`, and `FeedEnded`.
    """
    async with referee.feed(game_id) as feed:
        if feed.position.head.seq < span.after:  # the caller has seen it further on
            raise LogWentBack(READ_ANEW)
        while span.room > 0:
            if await feed.moved(span.after, pause):
                known = feed.position.head.seq - span.after  # another server may have appended more since
                found = await _next(feed, reader, span, min(page, span.room, known))
                span = span.behind(found.events)
                yield found
            elif feed.finished:
                return
            else:
                yield Batch(feed.position, ())


async def _next(feed: Feed, reader: Player | None, span: EventRange, limit: int) -> Batch:
    """The next events of a range: at most `limit`, up to the one that makes it `MOST_BYTES`. Sealed ones have none.

    Raises `LogWentBack`.
    """
    now, after = feed.position, span.after
    shown: list[Recorded] = []
    while True:
        events = await feed.page(after, min(limit - len(shown), PIECE))
        if events and not shown and span.hash not in (None, events[0].prev_hash):
            raise LogWentBack("the log was rolled back and continued differently; read the game again")
        shown += for_reader(now, reader, events)
        fitting = _fitting(shown)
        if len(fitting) < len(shown) or len(events) < PIECE or len(shown) >= limit:
            return Batch(now, fitting)
        after = events[-1].seq


def _fitting(events: list[Recorded]) -> list[Recorded]:
    """These events, up to the one that makes it `MOST_BYTES`."""
    size = 0
    for number, event in enumerate(events, 1):
        size += len(event.data) + len(event.command or b"")
        if size >= MOST_BYTES:
            return events[:number]
    return events


class Presence:
    """Which players have a stream of which game open at this server."""

    def __init__(self) -> None:
        self._streams: Counter[tuple[UUID, UUID]] = Counter()

    @contextmanager
    def attended(self, game_id: UUID, player: Player | None) -> Iterator[None]:
        """The player is present while the block runs."""
        if player is None:
            yield
            return
        mine = game_id, player.player_id
        self._streams[mine] += 1
        try:
            yield
        finally:
            self._streams[mine] -= 1
            if not self._streams[mine]:
                del self._streams[mine]

    def seats(self, position: Position) -> tuple[int, ...]:
        """The seats whose players are present."""
        game, seated = position.game_id, position.ruleset.players(position.state)
        return tuple(seat for seat, player in enumerate(seated) if player and self._streams[game, UUID(player)])


async def chunks(
    referee: Referee,
    tables: Tables,
    presence: Presence,
    position: Position,
    table: TableView,
    player: Player | None,
    span: EventRange,
    form: Format,
    mark: str,
    seen: StreamedView | None = None,
) -> AsyncGenerator[bytes, None]:
    """A game's encoded stream: the head, with the table at that time, and the events of the range, with the table after
    the latest event, and what is `seen` of it; with heartbeats in between.

    `mark`: the id with which the client resumes. While the database is down it goes on with heartbeats.
    """
    with presence.attended(position.game_id, player), READERS.labels("game_stream").track_inprogress():
        yield form.opening + form.item(_head(position, table, presence), mark)
        unseen = seen is not None
        while True:
            try:
                async with aclosing(batches(referee, position.game_id, player, span, stream.HEARTBEAT)) as found:
                    if seen is not None and unseen and span.after == position.head.seq:
                        yield form.item(await seen.at(position), None)
                        unseen = False
                    async for now, events in found:
                        written = [_event_item(event, form) for event in events]
                        if events and events[-1].seq == now.head.seq:
                            table = await tables.present(position.game_id)
                            if table.seq == now.head.seq:  # otherwise more events follow, and their table after them
                                written.append(form.item(TableMoved(table), None))
                                if seen is not None:
                                    written.append(form.item(await seen.at(now), None))
                                    unseen = False
                        yield b"".join(written) or form.heartbeat
                        span = span.behind(events)
                return
            except FeedEnded as error:
                yield form.item(WentBack() if isinstance(error, LogWentBack) else Stopping(), None)
                return
            except LogUnavailable:
                yield form.heartbeat
                await asyncio.sleep(POLL)


@lru_cache(maxsize=1024)
def _event_item(event: Recorded, form: Format) -> bytes:
    """An encoded event: encoded once for all who follow the game in this format."""
    return form.item(item(event), f"{event.seq}-{event.hash.hex()}")


def _head(position: Position, table: TableView, presence: Presence) -> StreamHead:
    return StreamHead(
        position.game_id,
        position.head.seq,
        position.head.hash.hex(),
        position.ruleset.status(position.state),
        presence.seats(position),
        table,
    )
