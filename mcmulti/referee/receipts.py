"""Results of earlier requests, for requests that are repeated with the same key."""

from collections.abc import Sequence
from uuid import UUID

from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.ports.event_store import Receipt, signed
from mcmulti.referee.attendant import Decided
from mcmulti.referee.reading import GameReader
from mcmulti.referee.ruling import Idempotency, KeyReused, Ruling

PAGE = 200
"""Events read at a time to see what happened to a request."""


class Receipts(GameReader):
    """Finds the answers to earlier requests."""

    async def answered(self, game_id: UUID, player: Player, idempotency: Idempotency | None) -> Ruling | None:
        """The result of the same request before. Raises `KeyReused` if another one was sent with its key."""
        if idempotency is None:
            return None
        receipt = await self.log.receipt(game_id, player.player_id, idempotency.key)
        if receipt is None:
            return None
        if receipt != signed(self.history.key or await self.history.digest_key(), game_id, *receipt[:-1]):
            raise DamagedGame(game_id, f"the receipt of key {idempotency.key!r} is not what was kept")
        if receipt.request_hash != idempotency.request_hash:
            raise KeyReused(idempotency.key)
        position = await self.position_at(game_id, receipt.seq)
        events = await self.log.read(game_id, receipt.after_seq, receipt.seq - receipt.after_seq)
        undone = await self._undone(position, events)
        return Ruling(position, events, repeated=True, undone=undone)

    async def receipt(self, decided: Decided) -> Receipt | None:
        """The receipt that proves later that a request was answered, and its events; None without a key."""
        (game_id, _, _, head), _, ruling, _, request, *_ = decided
        if request.player is None or request.idempotency is None:
            return None
        key = self.history.key or await self.history.digest_key()
        return signed(key, game_id, request.player.player_id, *request.idempotency, head.seq, ruling.position.head.seq)

    async def _undone(self, position: Position, events: Sequence[Recorded]) -> bool:
        """Whether moves among the events of a request, which led to a position, were taken back since."""
        ruleset, seq = position.ruleset, position.head.seq
        decode = event_decoder(ruleset.name, ruleset.version)
        follow = ruleset.terms(ruleset.setup_of(position.state)).aftermath
        aftermath = None if follow is None else follow([decode(event.data) for event in events])
        if aftermath is None:
            return False
        while aftermath.undone is None and (page := await self.log.read(position.game_id, seq, PAGE)):
            aftermath.read(decode(event.data) for event in page)
            seq = page[-1].seq
        return bool(aftermath.undone)
