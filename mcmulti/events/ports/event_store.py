"""The store of events: what happened in each game, in order, and what is kept with it."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple, Protocol
from uuid import UUID

from mcmulti.events.log.digests import SIZE
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.ports.game_index import FOR_ALL, Access, TableRow, TenureRow


class Receipt(NamedTuple):
    """That a request was answered, kept under the client's idempotency key with the events it led to.

    ``request_hash`` is SHA-256 over the request. Its events are those behind ``after``, up to ``seq``: where the game
    stood when the answer was given, so that it can be told again. ``digest`` is of all this.
    """

    player_id: UUID
    key: str
    request_hash: bytes
    after: int
    seq: int
    digest: bytes


def signed(
    digest_key: bytes, game_id: UUID, player_id: UUID, key: str, request: bytes, after: int, seq: int
) -> Receipt:
    """A receipt with its digest: one call, as it stands in the way of every command."""
    said = b"%b%b%b%d %d %b" % (game_id.bytes, player_id.bytes, request, after, seq, key.encode())
    made = blake2b(said, key=digest_key, digest_size=SIZE, person=b"receipt").digest()
    return Receipt(player_id, key, request, after, seq, made)


class EventStore(Protocol):
    """Append-only and ordered within a game. Any method may raise `LogUnavailable`."""

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
    ) -> None:
        """Open a game: its first events, at least one, and the secret (32 bytes) that its dice come from.

        A game that was played elsewhere comes with all its events, and who played it; nobody opened it here.
        The game's ``created_at`` is the moment of its first event. Raises `Conflict` if the id is taken.
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
        """Put events behind `expected`, with where the game stands then and the receipt, all or nothing.

        `reseated`: whether others sit there than before. `tenures`: what changes in who plays; without events, and
        `reseated`, they are all there is.
        Raises `Conflict` if the head is elsewhere or the receipt's key was used meanwhile, and `UnknownGame`.
        After `LogUnavailable`, and where the call was cancelled, the outcome may be unknown: read the head or the
        receipt before trying again.
        """

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        """The events with a seq above `after`, in order. Empty for an unknown game."""

    async def receipt(self, game_id: UUID, player_id: UUID, key: str) -> Receipt | None:
        """What was answered to this player under this key."""

    async def forget_receipts(self, game_id: UUID) -> int:
        """Delete the receipts of a game; how many these were."""

    async def secret(self, game_id: UUID) -> bytes:
        """The 32 bytes the game's dice come from; raises `UnknownGame`."""

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        """The latest snapshot of this shape, of event `until` at most; None if there is none."""

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        """Keep snapshots; nothing happens where there is one already. The log may lose them at any time."""

    async def drop_snapshots(self, game_id: UUID) -> None:
        """Throw away all snapshots of a game."""
