"""The nodes of a cluster: where each game lives, and which nodes do not answer.

The Citus catalogs list the hash range of each shard of a table, and its node. Ids are distributed by their hash.
"""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.rows import namedtuple_row

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.tables import TableNames

_SHARDS = """
    SELECT nodeid, nodename, nodeport, shardminvalue::integer AS least, shardmaxvalue::integer AS most,
        array_agg(shard_name(logicalrelid, shardid) ORDER BY array_position(%(tables)s, logicalrelid::text)) AS tables
    FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
    WHERE logicalrelid = ANY (%(tables)s::regclass[]) AND noderole = 'primary'
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 4
"""

_COORDINATOR = "SELECT nodeid, nodename, nodeport FROM pg_dist_node WHERE groupid = 0 AND noderole = 'primary'"


class Shard(NamedTuple):
    """A shard of the games: an id that lives there, and the names of its tables on the node."""

    place: UUID
    tables: TableNames

    @property
    def shard_number(self) -> int:
        """The id of the shard of `game`."""
        return int(self.tables.game.rpartition("_")[2])


class ClusterNode:
    """A node. Calls about its games hold only some connections of the pool, so that others are left if it hangs.

    `timely`: whether the last attempt to keep time for its games succeeded. If not, games that are about to get time
    back may seem due.
    """

    def __init__(self, number: int, places: int) -> None:
        self.number = number
        self.host = ""
        self.port = 0
        self.shards: list[Shard] = []
        self.away = False
        self.timely = True
        self._places = asyncio.Semaphore(places)

    @property
    def name(self) -> str:
        """The public name of the node. Its address is for operators only."""
        return f"node {self.number}" if self.shards else "the coordinator"

    @asynccontextmanager
    async def place(self, wait: float) -> AsyncIterator[None]:
        """One of its connections, within `wait` seconds. Raises `LogUnavailable`; at once while it is down."""
        if self.away:
            raise LogUnavailable(f"{self.name} is not responding")
        try:
            async with asyncio.timeout(wait):
                await self._places.acquire()
        except TimeoutError:
            raise LogUnavailable(f"too many calls are waiting for {self.name}") from None
        try:
            yield
        finally:
            self._places.release()


class ClusterNodes:
    """All nodes that store games, each of which may use `places` connections."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._nodes: dict[int, ClusterNode] = {}
        self.coordinator: ClusterNode | None = None
        """The coordinator, unless it stores games itself."""
        self._least: list[int] = []
        self._owners: list[ClusterNode] = []
        self._shards: list[Shard] = []

    def __iter__(self) -> Iterator[ClusterNode]:
        return iter(list(self._nodes.values()))

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node: ClusterNode) -> bool:
        return node.number in self._nodes

    def owner_of(self, game_id: UUID) -> ClusterNode:
        """The node of a game."""
        return self._owners[bisect_right(self._least, hash_of(game_id)) - 1]

    def shard_of(self, game_id: UUID) -> Shard:
        """The shard of a game."""
        return self._shards[bisect_right(self._least, hash_of(game_id)) - 1]

    def away(self) -> list[ClusterNode]:
        """The nodes that do not answer, including the coordinator."""
        every = [*self._nodes.values(), *([self.coordinator] if self.coordinator else [])]
        return [node for node in every if node.away]

    async def find(self, connection: AsyncConnection) -> None:
        """Look up the nodes, and the shards on each of them. Shards move when a cluster grows."""
        asked = {"tables": list(TableNames._fields)}
        cursor = connection.cursor(row_factory=namedtuple_row)
        rows: list[Any] = await (await cursor.execute(_SHARDS, asked)).fetchall()
        places = places_in([(row.least, row.most) for row in rows])
        shards: dict[int, list[Shard]] = {}
        owners: list[ClusterNode] = []
        every: list[Shard] = []
        for row, place in zip(rows, places, strict=True):
            node = self._nodes.setdefault(row.nodeid, ClusterNode(row.nodeid, self._places))
            node.host, node.port = row.nodename, row.nodeport
            every.append(Shard(place, TableNames(*row.tables)))
            shards.setdefault(row.nodeid, []).append(every[-1])
            owners.append(node)
        for number, node in list(self._nodes.items()):
            if number in shards:
                node.shards = shards[number]
            else:
                del self._nodes[number]
        self._least, self._owners, self._shards = [row.least for row in rows], owners, every
        for number, host, port in await (await connection.execute(_COORDINATOR)).fetchall():
            if number in shards:
                self.coordinator = None
            else:
                self.coordinator = self.coordinator or ClusterNode(number, self._places)
                self.coordinator.host, self.coordinator.port = host, port


_WORD = 0xFFFFFFFF


def places_in(ranges: Sequence[tuple[int, int]]) -> list[UUID]:
    """The least id of each hash range. The ranges are in order and cover every hash."""
    least = [first for first, _ in ranges]
    found: dict[int, UUID] = {}
    number = 0
    while len(found) < len(ranges):
        place = UUID(int=number)
        found.setdefault(bisect_right(least, hash_of(place)) - 1, place)
        number += 1
    return [found[index] for index in range(len(ranges))]


def hash_of(game_id: UUID) -> int:
    """The hash by which Citus distributes ids: PostgreSQL's `uuid_hash` on little-endian machines, lookup3."""
    words = [int.from_bytes(game_id.bytes[at : at + 4], "little") for at in range(0, 16, 4)]
    start = 0x9E3779B9 + 16 + 3923095
    a, b, c = (start + words[0] & _WORD, start + words[1] & _WORD, start + words[2] & _WORD)
    for turn in (4, 6, 8, 16, 19, 4):
        a = a - c & _WORD ^ _turned(c, turn)
        c = c + b & _WORD
        a, b, c = b, c, a
    a = a + words[3] & _WORD
    for turn in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - _turned(b, turn) & _WORD
        a, b, c = b, c, a
    return b - (1 << 32) if b >> 31 else b


def _turned(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & _WORD
