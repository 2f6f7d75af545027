"""The store of events: what happened in each game, in order, and the data stored with it."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple, Protocol
from uuid import UUID

from mcmulti.events.log.digests import SIZE
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.ports.game_index import FOR_ALL, Access, TableRow, TenureRow
from mcmulti.events.ports.notices import Notification
from mcmulti.metering import bytes_stored

EVENT_BYTES = 512
"""Bytes that an event takes in the log in addition to its data and its command: about what PostgreSQL needs for its
other columns, its share of indexes and snapshots, and its receipt.
"""


class Receipt(NamedTuple):
    """Proof that a request was answered, stored under the client's idempotency key with the events it led to.

    ``request_hash`` is SHA-256 over the request. Its events are those after ``after_seq``, up to ``seq``, where the
    game stood when the answer was given, so that it can be repeated. ``digest`` covers all of this.
    """

    player_id: UUID
    key: str
    request_hash: bytes
    after_seq: int
    seq: int
    digest: bytes


def signed(
    digest_key: bytes, game_id: UUID, player_id: UUID, key: str, request: bytes, after: int, seq: int
) -> Receipt:
    """A receipt with its digest. One call, since every command waits for it."""
    said = b"%b%b%b%d %d %b" % (game_id.bytes, player_id.bytes, request, after, seq, key.encode())
    made = blake2b(said, key=digest_key, digest_size=SIZE, person=b"receipt").digest()
    return Receipt(player_id, key, request, after, seq, made)


def count_stored(events: Sequence[Recorded]) -> None:
    """Charge the caller for the bytes that events take in the log."""
    bytes_stored(sum([EVENT_BYTES + len(event.data) + len(event.command or b"") for event in events]))


class EventStore(Protocol):
    """Append-only and ordered within a game. Any method can raise `LogUnavailable`."""

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
        """Open a game, given its first events, at least one, and the secret (32 bytes) that its dice come from.

        A game that was played elsewhere comes with all its events and tenures; nobody opened it here. The game's
        ``created_at`` is the moment of its first event. `notices`: messages about it, posted in the same transaction,
        as by `Outbox.post_notices`. Raises `Conflict` if the id is taken.
        """

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
        """Append events after `expected`, with the new standing and the receipt, atomically.

        `reseated`: whether players changed seats. `tenures`: changes in who plays; without events, and `reseated`, the
        complete list. Raises `Conflict` if the head is elsewhere or the receipt's key was used meanwhile, and
        `UnknownGame`. After `LogUnavailable`, and if the call was canceled, the outcome may be unknown: read the head
        or the receipt before trying again.
        """

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        """The events with a seq above `after`, in order. Empty for an unknown game."""

    async def receipt(self, game_id: UUID, player_id: UUID, key: str) -> Receipt | None:
        """The receipt for this player and this key."""

    async def forget_receipts(self, game_id: UUID) -> int:
        """Delete the receipts of a game. Returns how many there were."""

    async def secret(self, game_id: UUID) -> bytes:
        """The 32 bytes the game's dice come from. Raises `UnknownGame`."""

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        """The latest snapshot of this shape, at event `until` at most; None if there is none."""

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        """Store snapshots, unless they exist already. The log may lose them at any time."""

    async def drop_snapshots(self, game_id: UUID) -> None:
        """Delete all snapshots of a game."""
