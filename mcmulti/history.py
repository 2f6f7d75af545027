"""Where a game stood: folded from the nearest snapshot on, so that it takes no longer the longer a game is."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from mcmulti.events.codec import fold_array
from mcmulti.events.envelope import START, Head
from mcmulti.events.log import Log, LogError
from mcmulti.events.snapshot import SPACING, Snapshot, restored, shape, taken
from mcmulti.watch import Position


class History:
    """The past of a log's games. Snapshots are taken as games go on; those that are missing are made when asked for."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._keeping: set[asyncio.Task[None]] = set()

    async def at(self, now: Position, seq: int) -> Position:
        """Where a game stood after event `seq`, one of those up to `now`."""
        ruleset = now.ruleset
        found = await self._log.snapshot(now.game_id, seq, shape(ruleset))
        head = found.head if found else START
        states = [restored(ruleset, found) if found else None]

        def take(array: bytes) -> None:
            states.append(fold_array(ruleset, array, states[-1]))

        await self._log.data(now.game_id, head.seq, seq, SPACING, take)
        missing = []
        for state in states[1:]:
            before, head = head, await self._head(now, min(head.seq + SPACING, seq))
            if head.seq - before.seq == SPACING:
                missing.append(taken(ruleset, state, head))
        self._keep(now, missing)
        return now._replace(state=states[-1], head=head)

    async def _head(self, now: Position, seq: int) -> Head:
        """The head as it was after event `seq`."""
        if seq == now.head.seq:
            return now.head
        (event,) = await self._log.read(now.game_id, seq - 1, 1)
        return Head(seq, event.hash)

    def passed(self, before: Head, position: Position) -> None:
        """A game went on from `before` to `position`: now and then that is worth a snapshot."""
        if before.seq // SPACING < position.head.seq // SPACING:
            self._keep(position, [taken(position.ruleset, position.state, position.head)])

    def _keep(self, position: Position, snapshots: Sequence[Snapshot]) -> None:
        """Keep them beside the work: nobody waits for it, and nothing is lost if it fails."""
        if snapshots:
            task = asyncio.create_task(self._kept(position, snapshots))
            self._keeping.add(task)
            task.add_done_callback(self._keeping.discard)

    async def _kept(self, position: Position, snapshots: Sequence[Snapshot]) -> None:
        with suppress(LogError):
            await self._log.keep_snapshots(position.game_id, snapshots)

    async def settled(self) -> None:
        """Return when everything that was worth keeping is kept."""
        await asyncio.gather(*self._keeping)
