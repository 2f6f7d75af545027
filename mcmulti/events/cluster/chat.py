"""Chats in a cluster: each node has those of its own games."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from operator import attrgetter
from uuid import UUID

from mcmulti.events.cluster.answers import SpreadAnswers
from mcmulti.events.cluster.nodes import ClusterNode
from mcmulti.events.ports.chat import ChatMessage, FlaggedMessage
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.stores.chat import FLAGGED, SAID_BY, PostgresChats
from mcmulti.events.postgres.tables import composed


class SpreadChats(SpreadAnswers, PostgresChats):
    """Implements the `Chats` protocol."""

    async def chat_heads(self, game_ids: Sequence[UUID]) -> dict[UUID, int]:
        """See `Chats.chat_heads`. Chats on nodes that are down are missing."""
        found: dict[UUID, int] = {}

        async def heads(some: list[UUID]) -> None:
            with suppress(LogUnavailable):
                found.update(await PostgresChats.chat_heads(self, some))

        await asyncio.gather(*map(heads, self._by_node(game_ids)))
        return found

    async def flagged(self, limit: int, away: set[str] | None = None) -> list[FlaggedMessage]:
        async def flagged(node: ClusterNode) -> list[FlaggedMessage]:
            query = partial(composed, FLAGGED, row=FlaggedMessage)
            return await self._rows(node, FlaggedMessage, query, (limit,), "flagged_at, flagged_by", limit)

        return sorted(await self._each(flagged, away), key=attrgetter("flagged_at", "flagged_by"))[:limit]

    async def said_by(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[ChatMessage]:
        async def said(node: ClusterNode) -> list[ChatMessage]:
            query, order = partial(composed, SAID_BY, row=ChatMessage), "said_at DESC, number DESC"
            return await self._rows(node, ChatMessage, query, (player_id, limit), order, limit)

        return sorted(await self._each(said, away), key=attrgetter("said_at", "number"), reverse=True)[:limit]
