"""Folds of games, kept where they stand: an answer costs the events since, and of the past those of a page.

Nobody reads a log before its turn: who folds reads a page and folds it, and waits behind the others for the next one.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from mcmulti.api.admission.turns import FairTurns
from mcmulti.api.http.apart import Apart
from mcmulti.events.log.envelope import START, Head, Recorded, broken_link
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.projections.fold import Fold
from mcmulti.referee.referee import Referee

F = TypeVar("F", bound=Fold)
T = TypeVar("T")
MOST = 64 * 2**20
"""Bytes that are kept at most, as folds weigh themselves."""
PAGE = 1000
"""Events that are read and folded at a time; a fork is kept of every so many."""

FoldKey = tuple[UUID, Hashable]


class Milestones(NamedTuple):
    """Where a fold of a game stood: at the end of each page, and furthest of all. Nothing of it is ever stepped."""

    moments: tuple[tuple[Head, Any], ...] = ()

    def nearest(self, now: Position, until: int) -> tuple[Head, Any] | None:
        """The latest moment up to event `until` from which can be gone on while the game stands at `now`."""
        at = [each for each in self.moments if each[0].seq <= until]
        return next((each for each in reversed(at) if each[1].fits(now)), None)

    def with_(self, head: Head, fold: Fold) -> "Milestones":
        """This moment as well, in place of the furthest one if it is further."""
        others = [each for each in self.moments if each[0].seq != head.seq]
        found = sorted([*others, (head, fold)], key=lambda each: each[0].seq)
        return Milestones((*(each for each in found[:-1] if each[0].seq % PAGE == 0), found[-1]))


def _weight(kept: Milestones) -> int:
    folds: list[Fold] = [fold for _, fold in kept.moments]
    return sum(fold.own for fold in folds) + max(fold.shared for fold in folds)


class Folds:
    """The folds of a log's games, as one server keeps them."""

    def __init__(self, referee: Referee, apart: Apart, most: int = MOST) -> None:
        self._referee = referee
        self._apart = apart
        self._kept: LruCache[FoldKey, Milestones] = LruCache(most, _weight)
        self._busy: WeakValueDictionary[FoldKey, asyncio.Lock] = WeakValueDictionary()
        """Who folds at the moment: what somebody else folds is not folded again, but waited for."""
        self._turns: dict[int, FairTurns] = {}
        """By node, whose turn it is to read there: one that does not answer keeps nobody waiting for the others."""
        referee.forgetters.append(self._kept.clear)

    @property
    def weighs(self) -> int:
        """Bytes that are kept."""
        return self._kept.weighs

    async def reach(self, now: Position, kind: Hashable, start: Callable[[], F], until: int | None = None) -> F:
        """The fold of this kind up to a position, or to event `until` before it. Nobody may step it.

        Raises `LogWentBack` if the log does not lead there any more, and `DamagedGame`.
        """
        key, end = (now.game_id, kind), now.head.seq if until is None else until
        async with self._busy.setdefault(key, asyncio.Lock()):
            found = (self._kept.get(key) or Milestones()).nearest(now, end)
            if found is not None:
                try:
                    return await self._reached(key, now, end, *found)
                except DamagedGame:  # what was kept may be of a log that went back
                    self._kept.drop(key)
            try:
                return await self._reached(key, now, end, START, start())
            except DamagedGame as fault:
                self._kept.drop(key)
                raise await self._referee.missed(now, fault) from None

    async def _reached(self, key: FoldKey, now: Position, end: int, head: Head, fold: F) -> F:
        """The fold, which stood at `head`, up to event `end`. Raises `DamagedGame`."""
        _lead(now, head)
        while head.seq < end:
            head, fold = await self._page(now, head, end, partial(_stepped, fold, now))
            self._kept.put(key, (self._kept.get(key) or Milestones()).with_(head, fold))
        return fold

    async def check(self, now: Position, look: Callable[[Sequence[Recorded]], Any] = len) -> None:
        """Check the log from its first event up to a position, whatever is kept. Raises as `reach` does.

        `look` takes each page once it is checked.
        """
        async for _ in self.pages(now, look):
            pass

    async def pages(self, now: Position, work: Callable[[Sequence[Recorded]], T]) -> AsyncGenerator[T, None]:
        """What the work makes of each page of the log up to a position, in order. Raises as `reach` does."""
        head = START
        try:
            while head.seq < now.head.seq:
                head, done = await self._page(now, head, now.head.seq, work)
                yield done
        except DamagedGame as fault:
            raise await self._referee.missed(now, fault) from None

    async def _page(
        self, now: Position, after: Head, end: int, work: Callable[[Sequence[Recorded]], T]
    ) -> tuple[Head, T]:
        """Read the next events up to event `end`, in turn; the last one, and what the work makes of them.

        They follow from the event before, and lead where the game stands, or this raises `DamagedGame`.
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
    """Raise `DamagedGame` if events up to `head` do not lead where the game stands."""
    if head.seq == now.head.seq and head != now.head:
        raise DamagedGame(now.game_id, f"event {head.seq} does not match its head")


def _checked(events: Sequence[Recorded], after: Head, work: Callable[[Sequence[Recorded]], T]) -> T:
    fault = broken_link(events, after)
    if fault is not None:
        raise DamagedGame(events[0].game_id, fault)
    return work(events)


def _stepped(fold: F, now: Position, events: Sequence[Recorded]) -> F:
    """A fork that went on over events."""
    fold = fold.fork()
    fold.step(events, now)
    return fold
