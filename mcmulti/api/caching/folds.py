"""Folds of games, cached by position: a response costs only the events since then, and for the past those of a page.

All readers of logs take turns: each reads and folds one page, and then waits behind the others for the next one.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, NamedTuple, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from mcmulti.api.http.apart import Apart, FairTurns
from mcmulti.events.log.envelope import START, Head, Recorded, broken_link
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.projections.fold import Fold
from mcmulti.referee.referee import Referee

F = TypeVar("F", bound=Fold)
T = TypeVar("T")
MOST = 64 * 2**20
"""The most bytes in the cache, as folds measure themselves."""
PAGE = 1000
"""Events read and folded at a time, which is also the interval between stored forks."""
HELD = 2 * PAGE
"""The most events of a log that are kept from its check until they are written, so that most games are read once."""

FoldKey = tuple[UUID, Hashable]


class Milestones(NamedTuple):
    """The states of a game's fold: at the end of each page, and the furthest one. Stored states are never stepped."""

    moments: tuple[tuple[Head, Any], ...] = ()

    def nearest(self, now: Position, until: int) -> tuple[Head, Any] | None:
        """The latest state up to event `until` from which the fold can continue while the game stands at `now`."""
        at = [each for each in self.moments if each[0].seq <= until]
        return next((each for each in reversed(at) if each[1].fits(now)), None)

    def with_(self, head: Head, fold: Fold) -> "Milestones":
        """With this state added, which replaces the furthest one if it is further."""
        others = [each for each in self.moments if each[0].seq != head.seq]
        found = sorted([*others, (head, fold)], key=lambda each: each[0].seq)
        return Milestones((*(each for each in found[:-1] if each[0].seq % PAGE == 0), found[-1]))


def _weight(kept: Milestones) -> int:
    folds: list[Fold] = [fold for _, fold in kept.moments]
    return sum(fold.own for fold in folds) + max(fold.shared for fold in folds)


class Folds:
    """The folds of a log's games, cached by one server."""

    def __init__(self, referee: Referee, apart: Apart, most: int = MOST) -> None:
        self._referee = referee
        self._apart = apart
        self._kept: LruCache[FoldKey, Milestones] = LruCache(most, _weight)
        self._busy: WeakValueDictionary[FoldKey, asyncio.Lock] = WeakValueDictionary()
        """Folds in progress. Concurrent requests for the same fold wait for it."""
        self._turns: dict[int, FairTurns] = {}
        """Turns of readers, by node, so that one that does not answer does not delay the others."""
        referee.forgetters.append(self._kept.clear)

    @property
    def weighs(self) -> int:
        """The number of bytes in the cache."""
        return self._kept.weighs

    async def reach(self, now: Position, kind: Hashable, start: Callable[[], F], until: int | None = None) -> F:
        """The fold of this kind up to a position, or to event `until` before it. Do not step it.

        Raises `LogWentBack` if the log no longer leads there, and `DamagedGame`.
        """
        key, end = (now.game_id, kind), now.head.seq if until is None else until
        async with self._busy.setdefault(key, asyncio.Lock()):
            found = (self._kept.get(key) or Milestones()).nearest(now, end)
            if found is not None:
                try:
                    return await self._reached(key, now, end, *found)
                except DamagedGame:  # the cached fold may be of a log that went back
                    self._kept.drop(key)
            try:
                return await self._reached(key, now, end, START, start())
            except DamagedGame as fault:
                self._kept.drop(key)
                raise await self._referee.missed(now, fault) from None

    async def _reached(self, key: FoldKey, now: Position, end: int, head: Head, fold: F) -> F:
        """Continue the fold from `head` up to event `end`. Raises `DamagedGame`."""
        _lead(now, head)
        while head.seq < end:
            head, fold = await self._page(now, head, end, partial(_stepped, fold, now))
            self._kept.put(key, (self._kept.get(key) or Milestones()).with_(head, fold))
        return fold

    async def check(self, now: Position, look: Callable[[Sequence[Recorded]], Any] = len) -> list[Sequence[Recorded]]:
        """Check the log from its first event up to a position, ignoring the cache. Raises like `reach`.

        `look` receives each page after it is checked. Returns the first pages, up to `HELD` events, for `written`.
        """

        def looked(events: Sequence[Recorded]) -> Sequence[Recorded]:
            look(events)
            return events

        held: list[Sequence[Recorded]] = []
        async for events in self.pages(now, looked):
            if len(held) * PAGE < HELD:
                held.append(events)
        return held

    async def written(
        self,
        now: Position,
        write: Callable[[Sequence[Recorded]], bytes],
        held: list[Sequence[Recorded]],
        opening: bytes = b"",
    ) -> AsyncGenerator[bytes, None]:
        """An opening, and what is written about each page of a log that was checked. Raises like `reach`.

        `held`: the first pages, which need not be read again. They are written in one piece, and then dropped, so that
        memory holds no more than the piece that is being sent.
        """
        head, pieces = START, [opening]
        while held:
            head = Head(held[0][-1].seq, held[0][-1].hash)
            pieces.append(await self._apart(write, held.pop(0)))
        yield b"".join(pieces)
        pieces.clear()
        async with aclosing(self.pages(now, write, head)) as pages:
            async for page in pages:
                yield page

    async def pages(
        self, now: Position, work: Callable[[Sequence[Recorded]], T], head: Head = START
    ) -> AsyncGenerator[T, None]:
        """Apply the work to each page of the log up to a position, in order, from the first one, or from `head` on.

        Raises like `reach`.
        """
        try:
            while head.seq < now.head.seq:
                head, done = await self._page(now, head, now.head.seq, work)
                yield done
        except DamagedGame as fault:
            raise await self._referee.missed(now, fault) from None

    async def _page(
        self, now: Position, after: Head, end: int, work: Callable[[Sequence[Recorded]], T]
    ) -> tuple[Head, T]:
        """Read the next events up to event `end`, in turn. Returns the last one, and the result of the work.

        Raises `DamagedGame` unless they follow the previous event and lead to the game's head.
        """
        game_id, log = now.game_id, self._referee.log
        async with self._turns.setdefault(log.node_of(game_id), FairTurns()):
            events = await log.read(game_id, after.seq, min(PAGE - after.seq % PAGE, end - after.seq))
            if not events:
                raise DamagedGame(game_id, f"event {after.seq + 1} is missing")
            done = await self._apart(_checked, events, after, work)
        head = Head(events[-1].seq, events[-1].hash)
        _lead(now, head)
        return head, done


def _lead(now: Position, head: Head) -> None:
    """Raise `DamagedGame` if events up to `head` do not lead to the game's head."""
    if head.seq == now.head.seq and head != now.head:
        raise DamagedGame(now.game_id, f"event {head.seq} does not match its head")


def _checked(events: Sequence[Recorded], after: Head, work: Callable[[Sequence[Recorded]], T]) -> T:
    fault = broken_link(events, after)
    if fault is not None:
        raise DamagedGame(events[0].game_id, fault)
    return work(events)


def _stepped(fold: F, now: Position, events: Sequence[Recorded]) -> F:
    """A fork, stepped over events."""
    fold = fold.fork()
    fold.step(events, now)
    return fold
