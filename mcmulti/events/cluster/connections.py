"""Connections to the nodes of a cluster, and which of them answer.

Calls about one game go to its node. They never hold connections that games on other nodes need.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from uuid import UUID

import structlog
from psycopg import AsyncConnection, errors

from mcmulti.events.cluster.citus import begin_changing
from mcmulti.events.cluster.nodes import ClusterNode, ClusterNodes
from mcmulti.events.ports.errors import LogError, LogUnavailable
from mcmulti.events.postgres.connections import PostgresConnections

PROBE = 5.0
"""Seconds between two checks of whether the coordinator answers."""
PAUSE = 0.5
"""The fewest seconds between two attempts to reach a node; as long as the last attempt took if that is more."""

_ASK_NODE = "SELECT ask_node(%s, %s)"
_ASK_NODE_AGAIN = "SELECT ask_node_again(%s, %s, %s)"
_ASK_ADDRESS = "SELECT success, result FROM master_run_on_worker(%s::text[], %s::integer[], %s::text[], false)"

_log = structlog.get_logger(__name__)


class ShardsMovedError(LogError):
    """Shards are on other nodes than expected."""


class SpreadConnections(PostgresConnections):
    """A pool of connections to any node of a cluster, over which each node is asked individually."""

    _several = True

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        super().__init__(conninfo, pool_size=pool_size, patience=patience)
        self._nodes = ClusterNodes(max(1, pool_size // 2))
        self._looked_around = 0.0
        self._few = asyncio.Semaphore(max(1, pool_size // 4))
        self._watching: dict[int, asyncio.Task[None]] = {}
        self._probing: asyncio.Task[None] | None = None

    async def _begin(self) -> None:
        await self._look_around()
        self._probing = asyncio.create_task(self._probe())

    async def _end(self) -> None:
        tasks = [*self._watching.values(), *([self._probing] if self._probing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await super()._end()

    def node_of(self, game_id: UUID) -> int:
        return self._nodes.owner_of(game_id).number

    def nodes_away(self) -> Sequence[str]:
        return [node.name for node in self._nodes.away()]

    async def ready(self) -> None:
        await super().ready()
        if all(node.away for node in self._nodes):
            raise LogUnavailable("no node answers")

    async def writable(self) -> None:
        """See `Log.writable`. Reference tables cannot be written while a node is down; games on others go on."""
        await self.ready()

    @asynccontextmanager
    async def _everywhere(self) -> AsyncIterator[AsyncConnection]:
        """See `PostgresConnections._everywhere`. Every node stores what is written, so all of them must answer."""
        for node in self._nodes.away():
            raise LogUnavailable(f"{node.name} is not responding, and holds all players")
        async with self._few:
            try:
                async with super()._everywhere() as connection:
                    await begin_changing(connection)
                    yield connection
            except LogUnavailable:
                for node in self._nodes:
                    self._watch(node)
                raise

    @asynccontextmanager
    async def _connection(self, about: UUID | None = None, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        if about is None:
            async with super()._connection(patient=patient) as connection:
                yield connection
        else:
            async with self._at(self._nodes.owner_of(about), patient=patient) as connection:
                yield connection

    @asynccontextmanager
    async def _at(self, node: ClusterNode, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection for a query to one node. If it does not answer, no other query goes to the node
        until it does.
        """
        asked = False
        if node.away:
            self._watch(node)  # whatever happened to the other query
        async with node.place(self._patience / 3):
            try:
                async with super()._connection(patient=patient) as connection:
                    asked = True
                    yield connection
            except LogUnavailable as error:
                if asked and not node.away:
                    _log.warning("a node is not responding", node=node.name, host=node.host, reason=str(error))
                    node.away = True
                    self._watch(node)
                raise

    async def _answer_of(
        self,
        connection: AsyncConnection,
        node: ClusterNode,
        command: str,
        place: UUID | None = None,
        moment: datetime | None = None,
    ) -> str:
        """The answer of a node to a command, in its only row and column; `place`: an id that lives there, if any.

        A command about a `moment`, which it calls $1, is planned once per connection.
        """
        if place is not None:
            try:
                if moment is None:
                    cursor = await connection.execute(_ASK_NODE, (place, command))
                else:
                    cursor = await connection.execute(_ASK_NODE_AGAIN, (place, command, moment))
            except errors.UndefinedTable as error:
                raise ShardsMovedError(f"{node.name} has other shards now") from error
            row = await cursor.fetchone()
            return str(row and row[0])
        cursor = await connection.execute(_ASK_ADDRESS, ([node.host], [node.port], [command]))
        row = await cursor.fetchone()
        if row is None or not row[0]:
            raise LogUnavailable(f"{node.name} does not answer: {row and row[1]}")
        return str(row[1])

    async def _probe(self) -> None:
        """Check repeatedly whether the coordinator answers. Nothing else asks it, since games do not need it."""
        while True:
            await asyncio.sleep(PROBE)
            coordinator = self._nodes.coordinator
            if coordinator is not None and not coordinator.away:
                try:
                    async with super()._connection() as connection:
                        await self._answer_of(connection, coordinator, "SELECT 1")
                except LogError as error:
                    _log.warning("the coordinator is not responding", host=coordinator.host, reason=str(error))
                    coordinator.away = True
                    self._watch(coordinator)

    async def _look_around(self) -> None:
        async with super()._connection() as connection:
            await self._nodes.find(connection)
        self._looked_around = time.monotonic()

    def _watch(self, node: ClusterNode) -> None:
        """Ping a node until it answers, in the background. Then other queries may use it again."""
        if node.number not in self._watching:
            task = self._watching[node.number] = asyncio.create_task(self._watched(node))
            task.add_done_callback(lambda _: self._watching.pop(node.number))

    async def _watched(self, node: ClusterNode) -> None:
        while node in self._nodes or node is self._nodes.coordinator:
            started = time.monotonic()
            with suppress(LogError):
                async with super()._connection() as connection:
                    await self._answer_of(connection, node, "SELECT 1")
                await self._look_around()  # its shards may have moved to other nodes
                if node.away:
                    _log.info("a node is responding again", node=node.name, host=node.host)
                node.away = False
                return
            node.away = True
            await asyncio.sleep(max(PAUSE, time.monotonic() - started))
