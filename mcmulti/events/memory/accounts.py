"""Accounts in memory."""

import asyncio
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from mcmulti.events.memory.kept import MemoryState
from mcmulti.events.ports.accounts import Holder, Pending, Player, Token, doomed
from mcmulti.events.ports.errors import Conflict, NameTaken, UnknownToken
from mcmulti.events.store.names import name_key, name_skeleton, name_words


class MemoryAccounts(MemoryState):
    """Implements the protocols `PlayerStore` and `TokenStore`."""

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        if player.player_id in self._players:
            raise NameTaken(f"player {player.player_id} bears a name already")
        self._store(player)
        self._tokens[token_hash] = player.player_id, token

    def _store(self, player: Player) -> None:
        """Store a player under a name that nobody else has."""
        key, look = name_key(player.name), name_skeleton(player.name)
        for other in self._players.values():
            alike = name_key(other.name) == key or name_skeleton(other.name) == look
            if alike and other.player_id != player.player_id:
                raise NameTaken(f"the name {player.name!r} is taken")
        self._players[player.player_id] = player

    async def player(self, player_id: UUID) -> Player | None:
        return self._players.get(player_id)

    async def players(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        return {player_id: self._players[player_id] for player_id in player_ids if player_id in self._players}

    async def players_called(self, names: Sequence[str]) -> dict[str, Player]:
        by_key = {name_key(player.name): player for player in self._players.values() if player.name}
        return {name: by_key[key] for name in names if (key := name_key(name)) in by_key}

    async def players_found(self, text: str, limit: int) -> list[UUID]:
        sought = name_words(name_key(text))
        keys = {player_id: name_key(name) for player_id, name in self._names().items()}
        found = [
            (len(key), player_id)
            for player_id, key in keys.items()
            if sought and all(any(word.startswith(begins) for word in name_words(key)) for begins in sought)
        ]
        return [player_id for _, player_id in sorted(found)[:limit]]

    def _names(self) -> dict[UUID, str]:
        """All players' names; "" for erased ones."""
        return {**self._visitors, **{player_id: player.name for player_id, player in self._players.items()}}

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        names = self._names()
        return {player_id: names[player_id] for player_id in player_ids if names.get(player_id)}

    async def rename(self, player_id: UUID, name: str) -> None:
        self._store(self._known(player_id)._replace(name=name))
        self._tell(player_id)

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        if player_id not in self._players:
            return []
        if announced is not None:
            self._confirm(player_id, announced)
        self._pending.pop(player_id, None)
        self._players[player_id] = self._players[player_id]._replace(name="")
        for entry in self._games.values():
            entry.tenures.pop(player_id, None)
        for webhook in [each for each in self._webhooks.values() if each.player_id == player_id]:
            del self._webhooks[webhook.webhook_id]
        self._forget_notices(lambda notice: notice.player_id == player_id)
        self._preferences.pop(player_id, None)
        self._game_preferences.pop(player_id, None)
        revoked = self._revoke(player_id, {token.token_id for token in await self.tokens(player_id)})
        self._forget_said({player_id, *self._companions.get(player_id, ())})
        for companion in self._companions.pop(player_id, ()):
            del self._visitors[companion]
            self._tell(companion)
        self._tell(player_id)
        return revoked

    async def keep_names(self, names: Mapping[UUID, str], companion_of: UUID | None = None) -> None:
        self._visitors.update(names)
        if companion_of is not None:
            self._companions.setdefault(companion_of, set()).update(names)
        for player_id in names:
            self._tell(player_id)

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        if token_hash in self._tokens:
            raise Conflict("there is such a token")
        if token.parent_id is not None:
            await self._there(player_id, token.parent_id)
        self._tokens[token_hash] = player_id, token

    async def holder(self, token_hash: bytes) -> Holder | None:
        if token_hash not in self._tokens:
            return None
        player_id, token = self._tokens[token_hash]
        player = self._players[player_id]
        return Holder(player, token, self._pending.get(player_id)) if player.name else None

    async def tokens(self, player_id: UUID) -> list[Token]:
        return [token for owner, token in self._tokens.values() if owner == player_id]

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        return self._revoke(player_id, doomed(await self.tokens(player_id), token_ids))

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        self._confirm(player_id, announced)
        others = {token.token_id for token in await self.tokens(player_id)} - {announced.token_id}
        revoked = self._revoke(player_id, others)
        for token_hash, (_, token) in self._tokens.items():
            if token.token_id == announced.token_id:
                self._tokens[token_hash] = player_id, token._replace(parent_id=None)
        self._tell(player_id)
        return revoked

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        self._known(player_id)
        if pending is None:
            self._pending.pop(player_id, None)
        else:
            await self._there(player_id, pending.token_id)
            self._pending[player_id] = pending
        self._tell(player_id)

    async def use_tokens(self, token_ids: Collection[UUID], at: datetime) -> None:
        for token_hash, (player_id, token) in self._tokens.items():
            if token.token_id in token_ids:
                self._tokens[token_hash] = player_id, token._replace(used_at=at)

    async def forget_tokens(self, before: datetime, limit: int) -> int:
        parents = {token.parent_id for _, token in self._tokens.values()}
        found = [
            token_hash
            for token_hash, (_, token) in self._tokens.items()
            if token.expires_at is not None and token.expires_at < before and token.token_id not in parents
        ][:limit]
        for token_hash in found:
            del self._tokens[token_hash]
        return len(found)

    async def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        told: asyncio.Queue[bytes | UUID | None] = asyncio.Queue()
        self._listening.add(told)
        try:
            yield None
            while True:
                yield await told.get()
        finally:
            self._listening.discard(told)

    def _revoke(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        revoked = [
            token_hash
            for token_hash, (owner, token) in self._tokens.items()
            if owner == player_id and token.token_id in token_ids
        ]
        for token_hash in revoked:
            del self._tokens[token_hash]
            self._tell(token_hash)
        pending = self._pending.get(player_id)
        if pending is not None and pending.token_id in token_ids:
            del self._pending[player_id]
            self._tell(player_id)
        return revoked

    async def _there(self, player_id: UUID, token_id: UUID) -> None:
        if token_id not in {token.token_id for token in await self.tokens(player_id)}:
            raise UnknownToken("the token was revoked")

    def _confirm(self, player_id: UUID, announced: Pending) -> None:
        if self._pending.get(player_id) != announced:
            raise Conflict("what was announced is not pending anymore")
        del self._pending[player_id]

    def _tell(self, what: bytes | UUID) -> None:
        for told in self._listening:
            told.put_nowait(what)
