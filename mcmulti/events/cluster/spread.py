"""The log in a database that is distributed over a Citus cluster."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from uuid import UUID

from psycopg import Error

from mcmulti.events.cluster.direct import DirectAppends
from mcmulti.events.cluster.timekeeping import SpreadTimekeeping
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.appending import Append, append_by_call
from mcmulti.events.postgres.connections import raise_in_our_words
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.stores.game_index import HEADS
from mcmulti.events.postgres.stores.tokens import meant

POLL = 0.5
"""Seconds between two polls for announcements about tokens and players."""

_ANNOUNCED = "SELECT number, what FROM announcement WHERE number > %s ORDER BY number"
_LAST_ANNOUNCED = "SELECT number FROM last_announcement"

_HEADS = HEADS.format("%s")


class SpreadLog(SpreadTimekeeping, PostgresLog):
    """Implements the `Log` protocol in a database that `citus.distribute` has distributed. Connects to any of its
    nodes.
    """

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        super().__init__(conninfo, pool_size=pool_size, patience=patience)
        self._appends: dict[tuple[str, int], DirectAppends] = {}

    async def _end(self) -> None:
        for appends in self._appends.values():
            await appends.close()
        await super()._end()

    async def _append_quickly(self, append: Append) -> bool:
        """Append over a connection to the node of the game, or over any node if that one cannot be reached."""
        node = self._nodes.owner_of(append.game_id)
        direct = self._appends.get((node.host, node.port))
        if direct is None:
            connect = partial(self._beside, host=node.host, port=node.port, hostaddr=None)
            direct = self._appends[node.host, node.port] = DirectAppends(connect, self._nodes.shard_of, self._answer)
        if not node.away and direct.reachable:
            try:
                if await direct.append(append):
                    return True
            except Error as error:
                raise_in_our_words(error, several=True)
        async with self._connection(append.game_id) as connection:
            return await append_by_call(connection, append)

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        async def heads(some: list[UUID]) -> list[tuple[UUID, int, bytes]]:
            async with self._connection(some[0]) as connection:
                return await (await connection.execute(_HEADS, (some,), binary=True)).fetchall()

        found = await asyncio.gather(*map(heads, self._by_node(game_ids)))
        return {game_id: Head(seq, hash_) for rows in found for game_id, seq, hash_ in rows}

    async def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        """See `TokenStore.revocations`. Nodes do not notify each other, so announcements are polled."""
        row = await self._one_row(None, _LAST_ANNOUNCED)
        if row is None:
            raise LogUnavailable("nothing is announced here")
        number = int(row[0])
        while True:
            yield None
            await asyncio.sleep(POLL)
            async with self._connection() as connection:
                cursor = await connection.execute(_ANNOUNCED, (number,), binary=True)
                rows = await cursor.fetchall()
            for said, what in rows:
                number += 1
                if said != number:
                    raise LogUnavailable("announcements were missed")
                yield meant(what)


@asynccontextmanager
async def open_log(conninfo: str, *, pool_size: int = 10, patience: float = 3.0) -> AsyncIterator[PostgresLog]:
    """The log in a database, like `PostgresLog.open`, whether it is distributed or not."""
    async with PostgresLog.open(conninfo, pool_size=pool_size, patience=patience) as log:
        if not await log.is_distributed():
            yield log
            return
    async with SpreadLog.open(conninfo, pool_size=pool_size, patience=patience) as log:
        yield log
