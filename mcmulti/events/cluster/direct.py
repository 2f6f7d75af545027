"""Appends to the games of one node, over a direct connection to that node, many in one transaction.

They write to the shards themselves, so that Citus has nothing to plan. `hold_shards` keeps the shards in place
meanwhile, as every write through the cluster does.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

import structlog
from psycopg import AsyncConnection, Error, OperationalError
from psycopg.pq import Escaping

from mcmulti.events.cluster.nodes import Shard
from mcmulti.events.ports.errors import LogError
from mcmulti.events.postgres.appending import APPEND_TOGETHER, Append, as_json
from mcmulti.events.postgres.connections import shut
from mcmulti.events.postgres.tables import composed
from mcmulti.events.store.group_commit import GroupCommit, QueuedWrite

REST = 60.0
"""Seconds until a node that could not be reached is tried again."""

_PREPARE = "PREPARE append_{number} (json) AS {statement}"
_APPEND = "EXECUTE append_{number} ({appends})"
_HOLD = "SELECT hold_shards('{{{numbers}}}')"

_log = structlog.get_logger(__name__)


class DirectAppends:
    """`connect` makes a connection to the node; one that does not answer within `patience` seconds is cut.

    `shard_of`: returns the shard of a game.
    """

    def __init__(
        self, connect: Callable[[], Awaitable[AsyncConnection]], shard_of: Callable[[UUID], Shard], patience: float
    ) -> None:
        self._connect = connect
        self._shard_of = shard_of
        self._patience = patience
        self._connection: AsyncConnection | None = None
        self._prepared: set[int] = set()
        self._commits = GroupCommit(self._write)
        self._rests_until = 0.0

    @property
    def reachable(self) -> bool:
        """Whether a direct append is worth trying."""
        return time.monotonic() >= self._rests_until

    async def append(self, append: Append) -> bool:
        """Append to a game, except for its seats. Returns whether that succeeded. If not, nothing was done.

        Raises psycopg errors if the connection is lost during the append. The outcome is then unknown.
        """
        return await self._commits.commit(append.game_id, as_json(append))

    async def close(self) -> None:
        """Accept no more appends, and close when all accepted ones are answered."""
        await self._commits.close()
        self._hang_up()

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        self._prepared.clear()
        if connection is not None:
            connection.pgconn.finish()

    async def _write(self, batch: Sequence[QueuedWrite]) -> set[UUID]:
        by_shard: dict[Shard, list[str]] = {}
        for queued in batch:
            by_shard.setdefault(self._shard_of(queued.game_id), []).append(queued.what)
        connection = await self._connected()
        if connection is None:
            return set()
        late = asyncio.get_running_loop().call_later(self._patience, shut, connection)
        try:
            return await self._sent(connection, by_shard)
        except Error:
            lost = connection.closed or connection.broken
            self._hang_up()
            if lost:
                raise
            return set()  # refused, so nothing was done: try each alone
        except BaseException:
            self._hang_up()
            raise
        finally:
            late.cancel()

    async def _connected(self) -> AsyncConnection | None:
        if self._connection is None:
            try:
                self._connection = await self._connect()
            except (OperationalError, LogError) as error:
                self._rests_until = time.monotonic() + REST
                _log.warning("a node cannot be reached, and is asked through others", reason=str(error))
        return self._connection

    async def _sent(self, connection: AsyncConnection, by_shard: dict[Shard, list[str]]) -> set[UUID]:
        """Send all in one message, which is one transaction."""
        literal = Escaping(connection.pgconn).escape_literal
        statements = [_HOLD.format(numbers=",".join(str(shard.shard_number) for shard in by_shard))]
        for shard in by_shard:
            if shard.shard_number not in self._prepared:
                statement = composed(APPEND_TOGETHER, shard.tables).replace("%s", "$1")
                statements.append(_PREPARE.format(number=shard.shard_number, statement=statement))
        for shard, appends in by_shard.items():
            text = bytes(literal(f"[{','.join(appends)}]".encode())).decode()
            statements.append(_APPEND.format(number=shard.shard_number, appends=text))
        cursor = await connection.execute(";".join(statements).encode(), prepare=False)
        self._prepared.update(shard.shard_number for shard in by_shard)
        appended: set[UUID] = set()
        async for result in cursor.results():
            if result.description and result.description[0].name == "game_id":
                appended.update(game_id for (game_id,) in await result.fetchall())
        return appended
