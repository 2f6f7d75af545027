"""Events in memory."""

from collections.abc import Sequence
from uuid import UUID

from mcmulti.events.log.envelope import START, Head, Recorded, head_after
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.memory.kept import KeptGame, MemoryState
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.event_store import Receipt, count_stored
from mcmulti.events.ports.game_index import FOR_ALL, Access, Game, TableRow, TenureRow
from mcmulti.events.ports.notices import Notification
from mcmulti.metering import events_read


class MemoryEvents(MemoryState):
    """Implements the `EventStore` protocol."""

    async def create(
        self,
        game_id: UUID,
        ruleset: str,
        version: int,
        standing: TableRow,
        secret: bytes,
        events: Sequence[Recorded],
        opened_by: UUID | None = None,
        access: Access = FOR_ALL,
        *,
        tenures: Sequence[TenureRow] = (),
        notices: Sequence[Notification] = (),
    ) -> None:
        if game_id in self._games:
            raise Conflict(f"there is a game {game_id} already")
        head = head_after(game_id, START, events)
        created_at, moved_at = events[0].recorded_at, events[-1].recorded_at
        game = Game(game_id, ruleset, version, standing.behind(None), head, created_at, moved_at, opened_by, access)
        ended_at = moved_at if standing.status == "finished" else None
        entry = self._games[game_id] = KeptGame(game, secret, list(events), frozenset(standing.players), ended_at)
        entry.tenures = {tenure.player_id: tenure for tenure in tenures}
        self._keep_notices(notices)
        count_stored(events)

    async def append(
        self,
        game_id: UUID,
        expected: Head,
        events: Sequence[Recorded],
        standing: TableRow,
        receipt: Receipt | None = None,
        *,
        reseated: bool = False,
        tenures: Sequence[TenureRow] = (),
    ) -> None:
        entry = self._entry(game_id)
        head = head_after(game_id, expected, events)
        if entry.game.head != expected:
            raise Conflict(f"game {game_id} stands at event {entry.game.head.seq}, not at {expected.seq}")
        if receipt is not None:
            if (receipt.player_id, receipt.key) in entry.receipts:
                raise Conflict(f"the key {receipt.key!r} was used meanwhile")
            entry.receipts[receipt.player_id, receipt.key] = receipt
        entry.events += events
        count_stored(events)
        moved_at = events[-1].recorded_at if events else entry.game.moved_at
        entry.game = entry.game._replace(head=head, standing=standing.behind(entry.game.standing), moved_at=moved_at)
        if standing.status == "finished":
            entry.ended_at = entry.ended_at or await self.now()
        if reseated:
            entry.players = frozenset(standing.players)
        if reseated and not events:
            entry.tenures = {}
        for told in tenures:
            if told.began_at is not None:
                entry.tenures[told.player_id] = told
            elif told.player_id in entry.tenures:
                entry.tenures[told.player_id] = entry.tenures[told.player_id].then(told)

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        if game_id not in self._games:
            return []
        events = self._games[game_id].events[after:][:limit]
        events_read(len(events))
        return events

    async def receipt(self, game_id: UUID, player_id: UUID, key: str) -> Receipt | None:
        entry = self._games.get(game_id)
        return None if entry is None else entry.receipts.get((player_id, key))

    async def forget_receipts(self, game_id: UUID) -> int:
        receipts = self._entry(game_id).receipts
        number = len(receipts)
        receipts.clear()
        return number

    async def secret(self, game_id: UUID) -> bytes:
        return self._entry(game_id).secret

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        kept = self._games[game_id].snapshots.values() if game_id in self._games else ()
        fitting = [snapshot for snapshot in kept if snapshot.shape == shape and snapshot.head.seq <= until]
        return max(fitting, key=lambda snapshot: snapshot.head.seq, default=None)

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        kept = self._entry(game_id).snapshots
        for snapshot in snapshots:
            kept.setdefault((snapshot.shape, snapshot.head.seq), snapshot)

    async def drop_snapshots(self, game_id: UUID) -> None:
        self._entry(game_id).snapshots.clear()
