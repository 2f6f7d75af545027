"""Where a game stood: folded from the nearest snapshot on, so that it takes no longer the longer a game is."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from mcmulti.events.codec import fold_array
from mcmulti.events.envelope import START, Head
from mcmulti.events.log import Log, LogError
from mcmulti.events.positions import Position
from mcmulti.events.snapshot import SPACING, restored, shape, taken


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
        self._keep(now, dict(zip(range(head.seq + SPACING, seq + 1, SPACING), states[1:], strict=False)))
        return now._replace(state=states[-1], head=head if head.seq == seq else await self._head(now, seq))

    async def _head(self, now: Position, seq: int) -> Head:
        """The head as it was after event `seq`."""
        if seq == now.head.seq:
            return now.head
        (event,) = await self._log.read(now.game_id, seq - 1, 1)
        return Head(seq, event.hash)

    def passed(self, before: Head, position: Position) -> None:
        """A game went on from `before` to `position`: now and then that is worth a snapshot."""
        if before.seq // SPACING < position.head.seq // SPACING:
            self._keep(position, {position.head.seq: position.state})

    def _keep(self, now: Position, states: Mapping[int, Any]) -> None:
        """Keep states, by the event they were after, beside the work: nobody waits, and nothing is lost if it fails."""
        if states:
            task = asyncio.create_task(self._kept(now, states))
            self._keeping.add(task)
            task.add_done_callback(self._keeping.discard)

    async def _kept(self, now: Position, states: Mapping[int, Any]) -> None:
        with suppress(LogError):
            snapshots = [taken(now.ruleset, state, await self._head(now, seq)) for seq, state in states.items()]
            await self._log.keep_snapshots(now.game_id, snapshots)

    async def settled(self) -> None:
        """Return when everything that was worth keeping is kept."""
        await asyncio.gather(*self._keeping)
