"""The log in a database that is spread over a Citus cluster.

What concerns one game goes to its node, in calls of which none holds connections that games on other nodes need. What
concerns many asks each node for itself, so that one that is away keeps nobody from what the others have.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import asdict, replace
from psycopg import AsyncClientCursor, AsyncConnection, sql

from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.cluster.citus import begin_changing
from mcmulti.events.cluster.nodes import ClusterNode, ClusterNodes
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.errors import LogError, LogUnavailable
from mcmulti.events.ports.game_index import (
    ABANDONED,
    ALL_GAMES,
    SEATS,
    Bookmark,
    Ended,
    Game,
    GamesWanted,
    ListOrder,
    RatedGame,
    TenureRow,
)
from mcmulti.events.ports.timekeeping import DueGame
from mcmulti.events.postgres.appending import Append, append_by_call
from mcmulti.events.postgres.game_index import (
    ENDED,
    HEADS,
    OPEN_GAMES,
    RATED,
    TENURES_OF,
    GameRow,
    RatedRow,
    listing,
    narrowed,
)
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.tables import Bytea, TableNames, composed
from mcmulti.events.postgres.timekeeping import DUE

AHEAD = timedelta(seconds=10)
"""How far ahead a node is asked for deadlines, and how long it may be before it is asked again."""
LOOK_AROUND = 60.0
"""Seconds after which is looked up anew which shards are on which node."""
PAUSE = 0.5
"""Seconds between two tries whether a node answers again, at least; as long as the last try took if that is more."""

_ON_NODE = "SELECT success, result FROM master_run_on_worker(%s::text[], %s::integer[], %s::text[], false)"

_HEADS = HEADS.format("%s")

_MOMENT = {"opened": "created_at", "moved": "moved_at"}

_log = structlog.get_logger(__name__)

T = TypeVar("T")
RowT = TypeVar("RowT", bound=Struct)


class _Open(Struct):
    game_id: UUID


class _Moment(Struct):
    at: datetime
    game_id: UUID


class SpreadLog(PostgresLog):
    """Keeps the `Log` protocol in a database that `citus.distribute` has spread; connects to any of its nodes."""

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        super().__init__(conninfo, pool_size=pool_size, patience=patience)
        self._nodes = ClusterNodes(max(1, pool_size // 2))
        self._looked_around = 0.0
        self._few = asyncio.Semaphore(max(1, pool_size // 4))
        self._watching: dict[int, asyncio.Task[None]] = {}

    async def _begin(self) -> None:
        await self._look_around()

    async def _end(self) -> None:
        for watching in self._watching.values():
            watching.cancel()
        await asyncio.gather(*self._watching.values(), return_exceptions=True)
        await super()._end()

    async def _append_quickly(self, append: Append) -> bool:
        async with self._connection(append.game_id) as connection:
            return await append_by_call(connection, append)

    def node_of(self, game_id: UUID) -> int:
        return self._nodes.of(game_id).number

    def nodes_away(self) -> Sequence[str]:
        return [node.name for node in self._nodes.away()]

    async def ready(self) -> None:
        await super().ready()
        if len(self._nodes.away()) == len(self._nodes):
            raise LogUnavailable("no node answers")

    async def writable(self) -> None:
        """See `Log.writable`. What is on every node cannot be written while one is away, and games on others go on."""
        await self.ready()

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        async def heads(some: list[UUID]) -> list[tuple[UUID, int, bytes]]:
            async with self._connection(some[0]) as connection:
                return await (await connection.execute(_HEADS, (some,), binary=True)).fetchall()

        found = await asyncio.gather(*map(heads, self._by_node(game_ids)))
        return {game_id: Head(seq, hash_) for rows in found for game_id, seq, hash_ in rows}

    def _by_node(self, game_ids: Sequence[UUID]) -> Collection[list[UUID]]:
        """Games that live together."""
        by_node: dict[int, list[UUID]] = {}
        for game_id in game_ids:
            by_node.setdefault(self.node_of(game_id), []).append(game_id)
        return by_node.values()

    async def games(
        self,
        limit: int,
        before: Bookmark | None = None,
        wanted: GamesWanted = ALL_GAMES,
        away: set[str] | None = None,
        order: ListOrder = "opened",
    ) -> list[Game]:
        narrowing, asked = narrowed(limit, before, wanted, order)

        async def listed(node: ClusterNode) -> list[GameRow]:
            query = partial(listing, narrowing, order)
            return await self._rows(node, GameRow, query, asked, f"{_MOMENT[order]} DESC, id DESC", limit)

        games = [row.game() for row in await self._each(listed, away)]
        return sorted(games, key=lambda game: game.mark(order), reverse=True)[:limit]

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """See `Timekeeping.due`. A node is asked only where a deadline of its games may have come.

        What other servers set within `AHEAD` may be seen as much later.
        """
        if time.monotonic() - self._looked_around > LOOK_AROUND:
            await self._look_around()

        async def due(node: ClusterNode) -> list[_Moment]:
            if node.quiet_until is not None and now < node.quiet_until <= now + AHEAD:
                return []
            rows = await self._rows(node, _Moment, partial(composed, DUE), (now + AHEAD, limit), "at, game_id", limit)
            node.quiet_until = rows[0].at if rows else now + AHEAD
            return [row for row in rows if row.at <= now]

        return sorted(DueGame(row.at, row.game_id) for row in await self._each(due, away))[:limit]

    async def keep_time(self) -> timedelta:
        """See `Timekeeping.keep_time`. While a node is away nothing is noted: then all games get the time back."""
        if self._nodes.away():
            return timedelta()
        gap = await super().keep_time()
        if gap:
            for node in self._nodes:
                node.quiet_until = None
        return gap

    async def open_games(self, player_id: UUID) -> set[UUID]:
        """See `GameIndex.open_games`. Games on nodes that are away do not count: they keep nobody from other games."""

        async def open_(node: ClusterNode) -> list[_Open]:
            asked = {"player": player_id, "abandoned": ABANDONED, "seats": SEATS}
            return await self._rows(node, _Open, partial(composed, OPEN_GAMES), asked, "game_id", SEATS)

        return {row.game_id for row in await self._each(open_, set())}

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        """See `GameIndex.unfinished`. Games on nodes that are away do not count."""
        found: set[UUID] = set()
        for some in self._by_node(game_ids):
            with suppress(LogUnavailable):
                found |= await super().unfinished(some)
        return found

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        async def ended(node: ClusterNode) -> list[_Moment]:
            asked = (*after, player_id, limit)
            return await self._rows(node, _Moment, partial(composed, ENDED), asked, "at, game_id", limit)

        return sorted(Ended(row.at, row.game_id) for row in await self._each(ended, away))[:limit]

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        async def rated(node: ClusterNode) -> list[RatedRow]:
            query = partial(composed, RATED, row=RatedRow)
            asked = (list(ROUNDS_OF_ORDERS), list(DECIDE_NOTHING), *after, limit)
            return await self._rows(node, RatedRow, query, asked, "ended_at, id", limit)

        return sorted(row.game() for row in await self._each(rated, None))[:limit]

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        async def played(node: ClusterNode) -> list[TenureRow]:
            query = partial(composed, TENURES_OF, row=TenureRow)
            return await self._rows(node, TenureRow, query, (player_id, limit), "began_at DESC", limit)

        return sorted(await self._each(played, away), key=attrgetter("began_at"), reverse=True)[:limit]

    def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        raise LogUnavailable("nodes do not tell each other what is revoked")

    @asynccontextmanager
    async def _everywhere(self) -> AsyncIterator[AsyncConnection]:
        """See `PostgresConnections._everywhere`. Every node keeps what is written, so all of them have to answer."""
        for node in self._nodes.away():
            raise LogUnavailable(f"{node.name} does not answer, and keeps all players too")
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
            async with self._at(self._nodes.of(about), patient=patient) as connection:
                yield connection

    @asynccontextmanager
    async def _at(self, node: ClusterNode, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection for what one node is asked. If that does not answer, nobody else asks the node until it does."""
        asked = False
        if node.away:
            self._watch(node)  # whatever became of who did
        async with node.place(self._patience / 3):
            try:
                async with super()._connection(patient=patient) as connection:
                    asked = True
                    yield connection
            except LogUnavailable as error:
                if asked and not node.away:
                    _log.warning("a node does not answer", node=node.name, host=node.host, reason=str(error))
                    node.away = True
                    self._watch(node)
                raise

    async def _each(self, ask: Callable[[ClusterNode], Coroutine[Any, Any, list[T]]], away: set[str] | None) -> list[T]:
        """What each node answers. Those that do not are put into `away`; raises `LogUnavailable` where that is None."""
        nodes = list(self._nodes)
        answers = await asyncio.gather(*map(ask, nodes), return_exceptions=True)
        found: list[T] = []
        for node, answer in zip(nodes, answers, strict=True):
            if isinstance(answer, LogUnavailable) and away is not None:
                away.add(node.name)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                found += answer
        return found

    async def _rows(
        self,
        node: ClusterNode,
        row: type[RowT],
        query: Callable[[TableNames], str],
        asked: Mapping[str, Any] | Sequence[Any],
        order: str,
        limit: int,
    ) -> list[RowT]:
        """What a query of games, for given tables, says on a node: at most `limit` rows of all shards, in order."""
        async with self._at(node) as connection:
            cursor = AsyncClientCursor(connection)
            every = sql.SQL(" UNION ALL ").join(
                sql.SQL("({})").format(sql.SQL(cursor.mogrify(query(shard.tables), asked))) for shard in node.shards
            )
            rows = sql.SQL("SELECT * FROM ({}) AS every ORDER BY {} LIMIT {}").format(every, sql.SQL(order), limit)
            command = sql.SQL("SELECT coalesce(json_agg(rows), '[]') FROM ({}) AS rows").format(rows)
            answer = await self._answer_of(connection, node, command.as_string(connection))
        found: list[RowT] = msgspec.json.decode(answer, type=list[row], dec_hook=_bytea)  # type: ignore[valid-type]
        return [_in_utc(each) for each in found]

    async def _answer_of(self, connection: AsyncConnection, node: ClusterNode, command: str) -> str:
        """What a node says to a command, in its only row and column."""
        cursor = await connection.execute(_ON_NODE, ([node.host], [node.port], [command]))
        row = await cursor.fetchone()
        if row is None or not row[0]:
            raise LogUnavailable(f"{node.name} does not answer: {row and row[1]}")
        return str(row[1])

    async def _look_around(self) -> None:
        async with super()._connection() as connection:
            await self._nodes.find(connection)
        self._looked_around = time.monotonic()

    def _watch(self, node: ClusterNode) -> None:
        """Ask a node until it answers, beside the work: then others may ask it again."""
        if node.number not in self._watching:
            task = self._watching[node.number] = asyncio.create_task(self._watched(node))
            task.add_done_callback(lambda _: self._watching.pop(node.number))

    async def _watched(self, node: ClusterNode) -> None:
        while node in self._nodes:
            started = time.monotonic()
            with suppress(LogError):
                async with super()._connection() as connection:
                    await self._answer_of(connection, node, "SELECT 1")
                await self._look_around()  # its shards may be on others by now
                if node.away:
                    _log.info("a node answers again", node=node.name, host=node.host)
                node.away = False
                return
            node.away = True
            await asyncio.sleep(max(PAUSE, time.monotonic() - started))


def _in_utc(row: RowT) -> RowT:
    moments = {name: at.astimezone(UTC) for name, at in asdict(row).items() if isinstance(at, datetime)}
    return replace(row, **moments)


def _bytea(_: type, said: str) -> Bytea:
    return Bytea.fromhex(said.removeprefix("\\x"))


@asynccontextmanager
async def open_log(conninfo: str, *, pool_size: int = 10, patience: float = 3.0) -> AsyncIterator[PostgresLog]:
    """The log in a database, as `PostgresLog.open`, be it spread over several nodes or not."""
    async with PostgresLog.open(conninfo, pool_size=pool_size, patience=patience) as log:
        if not await log.is_distributed():
            yield log
            return
    async with SpreadLog.open(conninfo, pool_size=pool_size, patience=patience) as log:
        yield log
