"""Earlier states of a game, folded from the nearest snapshot, so that the time does not depend on a game's length.

Everything folded was checked: each event follows the one before it, and the first follows the snapshot, whose state
came from events that were checked then.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import structlog

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import START, Head, Recorded, broken_link
from mcmulti.events.log.positions import Position
from mcmulti.events.log.snapshot import SPACING, restored, shape, taken
from mcmulti.events.ports.errors import DamagedGame, LogError
from mcmulti.events.ports.event_store import EventStore
from mcmulti.events.ports.log import Log
from mcmulti.metering import metered
from mcmulti.metrics import DAMAGED_SNAPSHOTS

_log = structlog.get_logger(__name__)

PAGE = 4 * SPACING
"""Events read at a time."""

Rest = Callable[[int, float], Awaitable[None]]
"""Lets other tasks work; receives how many events were checked, in how many seconds."""

_Found = TypeVar("_Found")


class History:
    """The history of a log's games. Snapshots are taken as games go on; missing ones are made on demand."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.key: bytes | None = None
        self._keeping: set[asyncio.Task[None]] = set()

    async def now(self, game_id: UUID, head: Head) -> Position:
        """The current position of a game, or one step later, whose log had this head. Raises `UnknownGame` and
        `DamagedGame`.
        """

        async def folded(head: Head) -> Position:
            short = head.seq < SPACING  # no snapshot was taken of it
            events = await self._log.read(game_id, 0, None if short else 1)
            position = Position(game_id, _ruleset_opened(game_id, events), None, START)
            if not short:
                position = await self.at(position, head.seq)
                events = await self._log.read(game_id, head.seq)
            position = followed(position, events)
            await self.reaches(game_id, position.head, head)
            return position

        return await self._settled(game_id, head, folded)

    async def at(self, now: Position, seq: int) -> Position:
        """The position of a game, of which `now` is any position, after event `seq` of its log. Raises
        `DamagedGame`.
        """
        then, events = await self._nearest(now, seq)
        missing: list[Position] = []
        async with aclosing(pages(self._log, now.game_id, then.head.seq, seq, events)) as read:
            async for events in read:
                for start in range(0, len(events), SPACING):
                    some = events[start : start + SPACING]
                    then = followed(then, some)
                    if len(some) == SPACING:
                        missing.append(then)
        if then.head.seq != seq:
            raise DamagedGame(now.game_id, f"event {then.head.seq + 1} is missing")
        self._store_later(missing)
        return then

    async def _nearest(self, now: Position, seq: int) -> tuple[Position, Sequence[Recorded]]:
        """The latest position up to event `seq` with a snapshot, and the events that follow it.

        If a snapshot is not of this log, or no longer, it is deleted with all others of the game.
        """
        found = await self._log.snapshot(now.game_id, seq, shape(now.ruleset))
        if found is not None:
            head = found.head
            events = await self._log.read(now.game_id, head.seq - 1, 1 + min(PAGE, seq - head.seq))
            if events and Head(events[0].seq, events[0].hash) == head:
                try:
                    state = restored(self.key or await self.digest_key(), now.game_id, now.ruleset, found)
                    return now._replace(state=state, head=head), events[1:]
                except (ValueError, RecursionError) as error:
                    DAMAGED_SNAPSHOTS.inc()
                    _log.error("a snapshot is damaged", game_id=str(now.game_id), fault=str(error))
            await self._log.drop_snapshots(now.game_id)
        return now._replace(state=None, head=START), ()

    async def digest_key(self) -> bytes:
        """The key of digests."""
        if self.key is None:
            self.key = await self._log.digest_key()
        return self.key

    async def check(self, game_id: UUID, end: Head, rest: Rest | None = None) -> None:
        """Check a game's log from its first event up to `end`, ignoring snapshots.

        `rest` is called after each page. Raises `DamagedGame`.
        """
        began = time.monotonic()
        async for events in self.events(game_id, end):
            if rest is not None:
                await rest(len(events), time.monotonic() - began)
            began = time.monotonic()

    async def events(self, game_id: UUID, end: Head) -> AsyncIterator[Sequence[Recorded]]:
        """A game's events up to `end`, from the first on, in pages. Each is checked before it is returned.

        Raises `DamagedGame`; at the end also if `end` is another event than in the log.
        """
        head = START
        async with aclosing(pages(self._log, game_id, 0, end.seq)) as read:
            async for events in read:
                fault = await asyncio.to_thread(metered, broken_link, events, head)
                if fault is not None:
                    raise DamagedGame(game_id, fault)
                yield events
                head = Head(events[-1].seq, events[-1].hash)
        if head.seq != end.seq:
            raise DamagedGame(game_id, f"event {head.seq + 1} is missing")
        if head != end:
            raise DamagedGame(game_id, _another(end))

    async def examine(self, game_id: UUID, head: Head, rest: Rest | None = None) -> Head:
        """Check all rows of a game whose log had this head. Returns where its events end, or ended until it went on.

        `rest`: as in `check`. Raises `UnknownGame` and `DamagedGame`.
        """

        async def checked(head: Head) -> Head:
            _ruleset_opened(game_id, await self._log.read(game_id, limit=1))
            await self.check(game_id, head, rest)
            return await self._ends(game_id, head)

        return await self._settled(game_id, head, checked)

    async def ends(self, game_id: UUID, head: Head) -> None:
        """Raise `DamagedGame` if there are rows after the end of a game whose log had this head."""
        await self._settled(game_id, head, partial(self._ends, game_id))

    async def _ends(self, game_id: UUID, head: Head) -> Head:
        for behind in await self._log.read(game_id, head.seq, 1):
            await self.reaches(game_id, Head(behind.seq, behind.hash), head)
        return head

    async def reaches(self, game_id: UUID, end: Head, head: Head) -> None:
        """Raise `DamagedGame` unless events up to `end` are complete, read from a log whose head was `head` before."""
        if end.seq < head.seq:
            raise DamagedGame(game_id, f"event {end.seq + 1} is missing")
        if end.seq > head.seq:
            head = (await self._log.game(game_id)).head
        if end.seq > head.seq:
            raise DamagedGame(game_id, f"event {head.seq + 1} stands behind its head")
        if end.seq == head.seq and end != head:
            raise DamagedGame(game_id, _another(head))

    async def _settled(self, game_id: UUID, head: Head, look: Callable[[Head], Awaitable[_Found]]) -> _Found:
        """The result of a look at a log that had this head. A fault is real only if the head is the same afterward."""
        while True:
            try:
                return await look(head)
            except DamagedGame:
                before, head = head, (await self._log.game(game_id)).head
                if head == before:
                    raise

    def passed(self, before: Head, position: Position) -> None:
        """A game went on from `before` to `position`. Now and then, take a snapshot."""
        if before.seq // SPACING < position.head.seq // SPACING:
            self._store_later([position])

    def _store_later(self, positions: Sequence[Position]) -> None:
        """Store positions of a game in the background: nobody waits, and nothing is lost if it fails."""
        if positions:
            task = asyncio.create_task(self._kept(positions))
            self._keeping.add(task)
            task.add_done_callback(self._keeping.discard)

    async def _kept(self, positions: Sequence[Position]) -> None:
        with suppress(LogError):
            key, game_id = await self.digest_key(), positions[0].game_id
            snapshots = [taken(key, game_id, each.ruleset, each.state, each.head) for each in positions]
            await self._log.keep_snapshots(game_id, snapshots)

    async def settled(self) -> None:
        """Return when all snapshots are stored."""
        await asyncio.gather(*self._keeping)


async def holds(log: EventStore, game_id: UUID, head: Head) -> bool:
    """Whether a log has the last event of a head. It may have been rewound since, or have continued differently."""
    return [event.hash for event in await log.read(game_id, head.seq - 1, 1)] == [head.hash]


async def pages(
    log: EventStore, game_id: UUID, after: int, until: int, events: Sequence[Recorded] = ()
) -> AsyncGenerator[Sequence[Recorded], None]:
    """The events of a game after `after`, up to `until` or the end of its log, starting with those given.

    While a page is processed, the next one is being fetched.
    """
    reading: asyncio.Future[list[Recorded]] | None = None
    try:
        while events or after < until:
            after = events[-1].seq if events else after
            if after < until:
                reading = asyncio.ensure_future(log.read(game_id, after, min(PAGE, until - after)))
            if events:
                await asyncio.sleep(0)  # this starts the query
                yield events
            events = () if reading is None else await reading
            if not events:
                return
            reading = None
    finally:
        if reading is not None:
            reading.cancel()


def _ruleset_opened(game_id: UUID, events: Sequence[Recorded]) -> Ruleset[Any]:
    """The rule set of a game, from its first event."""
    if not events:
        raise DamagedGame(game_id, "event 1 is missing")
    try:
        return opened_with(events[0])
    except ValueError as error:
        raise DamagedGame(game_id, f"event 1 opens no game: {error}") from error


def _another(head: Head) -> str:
    return f"its head names another event {head.seq} than the log holds"


def followed(position: Position, events: Sequence[Recorded]) -> Position:
    """The position of a game after events that follow a position. Raises `DamagedGame` if they do not."""
    if not events:
        return position
    game_id, ruleset, state, head = position
    fault = broken_link(events, head)
    if fault is not None:
        raise DamagedGame(game_id, fault)
    try:
        state = fold(ruleset, events, state)
    except Exception as error:  # even events with an intact hash chain may make no sense
        raise DamagedGame(game_id, f"an event behind {head.seq} cannot be: {error}") from error
    return Position(game_id, ruleset, state, Head(events[-1].seq, events[-1].hash))
