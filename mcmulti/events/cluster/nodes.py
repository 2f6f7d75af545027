"""The nodes of a cluster: which of them a game lives on, and which do not answer.

Citus says in its catalogs which shard of a table holds which range of hashes, and on which node it is.
"""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from psycopg import AsyncConnection

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.tables import TableNames

_SHARDS = """
    SELECT node.nodeid, node.nodename, node.nodeport, game.shardminvalue::integer,
        shard_name(game.logicalrelid, game.shardid), shard_name(seat.logicalrelid, seat.shardid),
        shard_name(tenure.logicalrelid, tenure.shardid), shard_name(event.logicalrelid, event.shardid)
    FROM pg_dist_shard AS game
    JOIN pg_dist_shard AS seat ON seat.logicalrelid = 'seat'::regclass AND seat.shardminvalue = game.shardminvalue
    JOIN pg_dist_shard AS tenure
        ON tenure.logicalrelid = 'tenure'::regclass AND tenure.shardminvalue = game.shardminvalue
    JOIN pg_dist_shard AS event ON event.logicalrelid = 'event'::regclass AND event.shardminvalue = game.shardminvalue
    JOIN pg_dist_placement AS placement ON placement.shardid = game.shardid
    JOIN pg_dist_node AS node ON node.groupid = placement.groupid AND node.noderole = 'primary'
    WHERE game.logicalrelid = 'game'::regclass
    ORDER BY game.shardminvalue::integer
"""

_WORD = 0xFFFFFFFF


class Shard(NamedTuple):
    """A part of the games: the least of its hashes, and what the tables are called on the node."""

    least: int
    tables: TableNames


class ClusterNode:
    """A node. Calls about its games hold some connections of the pool at most, so that others are left if it hangs.

    `quiet_until`: no deadline of its games comes before that, as far as is known.
    """

    def __init__(self, number: int, places: int) -> None:
        self.number = number
        self.host = ""
        self.port = 0
        self.shards: list[Shard] = []
        self.away = False
        self.quiet_until: datetime | None = None
        self._places = asyncio.Semaphore(places)

    @property
    def name(self) -> str:
        """What it is called to everybody: its address is for operators."""
        return f"node {self.number}"

    @asynccontextmanager
    async def place(self, wait: float) -> AsyncIterator[None]:
        """One of its connections, within `wait` seconds. Raises `LogUnavailable`, at once while it is away."""
        if self.away:
            raise LogUnavailable(f"{self.name} does not answer")
        try:
            async with asyncio.timeout(wait):
                await self._places.acquire()
        except TimeoutError:
            raise LogUnavailable(f"too many wait for {self.name}") from None
        try:
            yield
        finally:
            self._places.release()


class ClusterNodes:
    """All nodes that hold games, each of which may take `places` connections."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._nodes: dict[int, ClusterNode] = {}
        self._least: list[int] = []
        self._owners: list[ClusterNode] = []

    def __iter__(self) -> Iterator[ClusterNode]:
        return iter(list(self._nodes.values()))

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node: ClusterNode) -> bool:
        return node.number in self._nodes

    def of(self, game_id: UUID) -> ClusterNode:
        """The node of a game."""
        return self._owners[bisect_right(self._least, hash_of(game_id)) - 1]

    def away(self) -> list[ClusterNode]:
        """Those that do not answer."""
        return [node for node in self._nodes.values() if node.away]

    async def find(self, connection: AsyncConnection) -> None:
        """Look up which nodes there are, and which shards each of them has: they move when a cluster grows."""
        rows = await (await connection.execute(_SHARDS)).fetchall()
        shards: dict[int, list[Shard]] = {}
        owners = []
        for number, host, port, least, *names in rows:
            node = self._nodes.setdefault(number, ClusterNode(number, self._places))
            node.host, node.port = host, port
            shards.setdefault(number, []).append(Shard(least, TableNames(*names)))
            owners.append(node)
        for number, node in list(self._nodes.items()):
            if number in shards:
                node.shards = shards[number]
            else:
                del self._nodes[number]
        self._least, self._owners = [row[3] for row in rows], owners


def hash_of(game_id: UUID) -> int:
    """The hash by which Citus spreads ids: PostgreSQL's `uuid_hash` on little-endian machines, lookup3."""
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
