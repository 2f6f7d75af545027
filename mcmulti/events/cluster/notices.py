"""The outbox in a cluster: each node has the messages about its own games."""

from datetime import datetime
from functools import partial
from operator import attrgetter

from msgspec import Struct

from mcmulti.events.cluster.answers import SpreadAnswers
from mcmulti.events.cluster.nodes import ClusterNode
from mcmulti.events.ports.notices import Notification
from mcmulti.events.postgres.stores.notices import NOTICES_DUE, NOTICES_WAITING, PostgresNotices
from mcmulti.events.postgres.tables import composed


class _Waiting(Struct):
    waiting: int


class SpreadNotices(SpreadAnswers, PostgresNotices):
    """Implements the `Outbox` protocol."""

    async def notices_due(
        self, now: datetime, limit: int, each: int, away: set[str] | None = None, *, by_mail: bool = False
    ) -> list[Notification]:
        async def due(node: ClusterNode) -> list[Notification]:
            query = partial(composed, NOTICES_DUE, row=Notification)
            asked = (now, by_mail, each, limit)
            return await self._rows(node, Notification, query, asked, "due_at, message_id", limit)

        return sorted(await self._each(due, away), key=attrgetter("due_at", "message_id"))[:limit]

    async def notices_waiting(self, away: set[str] | None = None) -> int:
        async def waiting(node: ClusterNode) -> list[_Waiting]:
            return await self._rows(node, _Waiting, partial(composed, NOTICES_WAITING), (), "waiting", None)

        return sum(row.waiting for row in await self._each(waiting, away))
