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
from psycopg import AsyncClientCursor, AsyncConnection, Error, errors, sql

from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.cluster.citus import begin_changing
from mcmulti.events.cluster.direct import DirectAppends
from mcmulti.events.cluster.nodes import ClusterNode, ClusterNodes, Shard
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
from mcmulti.events.ports.timekeeping import BEAT, OUTAGE, DueGame
from mcmulti.events.postgres.appending import Append, append_by_call
from mcmulti.events.postgres.connections import raise_in_our_words
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.stores.game_index import (
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
from mcmulti.events.postgres.stores.timekeeping import DUE, GIVE_BACK, UNANSWERED, note_time
from mcmulti.events.postgres.stores.tokens import meant
from mcmulti.events.postgres.tables import Bytea, TableNames, composed

LOOK_AROUND = 60.0
"""Seconds after which is looked up anew which shards are on which node."""
PROBE = 5.0
"""Seconds between two looks whether the coordinator answers."""
POLL = 0.5
"""Seconds between two looks for announcements about tokens and players."""
TRIES = 5
"""How often nodes are asked at most while shards move between them."""
CHUNK = 1000
"""Games whose deadlines one statement moves."""
PAUSE = 0.5
"""Seconds between two tries whether a node answers again, at least; as long as the last try took if that is more."""

_ASK_NODE = "SELECT ask_node(%s, %s)"
_ASK_ADDRESS = "SELECT success, result FROM master_run_on_worker(%s::text[], %s::integer[], %s::text[], false)"

_BEATS = """
    SELECT place, at, extract(epoch FROM clock_timestamp() - at)::float8 AS gap, clock_timestamp() AS clock
    FROM {heartbeat} AS heartbeat
"""
_BEAT = "UPDATE heartbeat SET at = %s WHERE place = %s AND at = %s"
_FIRST_BEAT = "INSERT INTO heartbeat (place, at) VALUES (%s, now()) ON CONFLICT (place) DO NOTHING"
_GIVE_BACK_SOME = f"{GIVE_BACK} AND id = ANY (%s::uuid[])"
_ANNOUNCED = "SELECT number, what FROM announcement WHERE number > %s ORDER BY number"
_LAST_ANNOUNCED = "SELECT number FROM last_announcement"
_STILL_TO_COME = "SELECT id AS game_id FROM {game} AS game WHERE deadline_at > %s"

_HEADS = HEADS.format("%s")

_MOMENT = {"opened": "created_at", "moved": "moved_at"}

_log = structlog.get_logger(__name__)

T = TypeVar("T")
RowT = TypeVar("RowT", bound=Struct)


class ShardsMovedError(LogError):
    """Shards are on other nodes than was known."""


class _Open(Struct):
    game_id: UUID


class _Beat(Struct):
    place: UUID
    at: datetime
    gap: float
    clock: datetime


class _Moment(Struct):
    at: datetime
    game_id: UUID


class SpreadLog(PostgresLog):
    """Keeps the `Log` protocol in a database that `citus.distribute` has spread; connects to any of its nodes."""

    _several = True

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        super().__init__(conninfo, pool_size=pool_size, patience=patience)
        self._nodes = ClusterNodes(max(1, pool_size // 2))
        self._looked_around = 0.0
        self._few = asyncio.Semaphore(max(1, pool_size // 4))
        self._watching: dict[int, asyncio.Task[None]] = {}
        self._probing: asyncio.Task[None] | None = None
        self._appends: dict[tuple[str, int], DirectAppends] = {}

    async def _begin(self) -> None:
        await self._look_around()
        self._probing = asyncio.create_task(self._probe())

    async def _end(self) -> None:
        for appends in self._appends.values():
            await appends.close()
        tasks = [*self._watching.values(), *([self._probing] if self._probing else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await super()._end()

    async def _append_quickly(self, append: Append) -> bool:
        """Append over a connection to the node of the game, or over any node where that cannot be reached."""
        node = self._nodes.of(append.game_id)
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

    def node_of(self, game_id: UUID) -> int:
        return self._nodes.of(game_id).number

    def nodes_away(self) -> Sequence[str]:
        return [node.name for node in self._nodes.away()]

    async def ready(self) -> None:
        await super().ready()
        if all(node.away for node in self._nodes):
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
        """See `Timekeeping.due`. Nothing is due on a node where `keep_time` did not go through."""
        if time.monotonic() - self._looked_around > LOOK_AROUND:
            await self._look_around()

        async def due(node: ClusterNode) -> list[_Moment]:
            if not node.timely:
                raise LogUnavailable(f"time is not kept on {node.name}")
            return await self._rows(node, _Moment, partial(composed, DUE), (now, limit), "at, game_id", limit)

        return sorted(DueGame(row.at, row.game_id) for row in await self._each(due, away))[:limit]

    async def unanswered(self, until: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        async def unanswered(node: ClusterNode) -> list[_Moment]:
            query = partial(composed, UNANSWERED)
            return await self._rows(node, _Moment, query, (until, limit), "at, game_id", limit)

        return sorted(DueGame(row.at, row.game_id) for row in await self._each(unanswered, away))[:limit]

    async def keep_time(self, game_id: UUID | None = None) -> timedelta:
        """See `Timekeeping.keep_time`. Time is kept for each shard: an outage of a node concerns its own games only."""
        given = await self._each(self._keep_time, set() if game_id is None else None, game_id)
        return max(given, default=timedelta())

    async def _keep_time(self, node: ClusterNode) -> list[timedelta]:
        """Keep time for the shards of a node; what was given back to each that nobody kept it for."""
        try:
            given = await self._note_time(node)
        except LogUnavailable:
            node.timely = False
            raise
        node.timely = True
        return given

    async def _note_time(self, node: ClusterNode) -> list[timedelta]:
        beats = await self._rows(node, _Beat, partial(composed, _BEATS), (), "place", len(node.shards))
        late = [beat for beat in beats if abs(beat.gap) >= BEAT.total_seconds()]
        given: list[timedelta] = []
        if short := [beat for beat in late if abs(beat.gap) <= OUTAGE.total_seconds()]:
            async with self._at(node) as connection:
                for beat in short:  # not at once: what changes several shards is committed in two phases
                    await connection.execute(_BEAT, (beat.clock, beat.place, beat.at))
        given = [await self._give_back(node, beat) for beat in late if beat not in short]
        if missing := {shard.place for shard in node.shards} - {beat.place for beat in beats}:
            async with self._at(node) as connection:  # a shard was split
                for place in missing:
                    await connection.execute(_FIRST_BEAT, (place,))
        return [gap for gap in given if gap]

    async def _give_back(self, node: ClusterNode, beat: _Beat) -> timedelta:
        """Give the games of a shard the time back that nobody kept; how much that was."""
        [shard] = [shard for shard in node.shards if shard.place == beat.place]
        moved = await self._rows(node, _Open, partial(composed, _STILL_TO_COME), (beat.at,), "game_id", None, shard)
        async with self._at(node, patient=True) as connection, connection.transaction():
            at, gap = await note_time(connection, beat.place)
            if gap:
                # Ids as literals tell the planner that they are of one shard.
                cursor = AsyncClientCursor(connection)
                games = [row.game_id for row in moved]
                for start in range(0, len(games), CHUNK):
                    await cursor.execute(_GIVE_BACK_SOME, (gap, at, games[start : start + CHUNK]))
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

    async def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        """See `TokenStore.revocations`. Nodes do not notify each other, so announcements are polled."""
        number = await self._last_announced()
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

    async def _last_announced(self) -> int:
        row = await self._one_row(None, _LAST_ANNOUNCED)
        if row is None:
            raise LogUnavailable("nothing is announced here")
        return int(row[0])

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

    async def _each(
        self,
        ask: Callable[[ClusterNode], Coroutine[Any, Any, list[T]]],
        away: set[str] | None,
        game_id: UUID | None = None,
    ) -> list[T]:
        """What each node answers, or the one of a game: all are asked again if shards have moved.

        Those that do not answer are put into `away`; raises `LogUnavailable` where that is None.
        """
        for _ in range(TRIES):
            nodes = list(self._nodes) if game_id is None else [self._nodes.of(game_id)]
            answers = await asyncio.gather(*map(ask, nodes), return_exceptions=True)
            if not any(isinstance(answer, ShardsMovedError) for answer in answers):
                break
            await self._look_around()
        else:
            raise LogUnavailable("the shards of the database keep moving")
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
        limit: int | None,
        shard: Shard | None = None,
    ) -> list[RowT]:
        """What a query of games, for given tables, says on a node: at most `limit` rows of all shards, in order."""
        shards = [shard] if shard else node.shards
        async with self._at(node) as connection:
            if not shards:
                return []
            cursor = AsyncClientCursor(connection)
            every = sql.SQL(" UNION ALL ").join(
                sql.SQL("({})").format(sql.SQL(cursor.mogrify(query(shard.tables), asked))) for shard in shards
            )
            rows = sql.SQL("SELECT * FROM ({}) AS every ORDER BY {} LIMIT {}").format(every, sql.SQL(order), limit)
            command = sql.SQL("SELECT coalesce(json_agg(rows), '[]') FROM ({}) AS rows").format(rows)
            answer = await self._answer_of(connection, node, command.as_string(connection), shards[0].place)
        found: list[RowT] = msgspec.json.decode(answer, type=list[row], dec_hook=_bytea)  # type: ignore[valid-type]
        return [_in_utc(each) for each in found]

    async def _answer_of(
        self, connection: AsyncConnection, node: ClusterNode, command: str, place: UUID | None = None
    ) -> str:
        """What a node says to a command, in its only row and column; `place`: an id that lives there, if any does."""
        if place is not None:
            try:
                cursor = await connection.execute(_ASK_NODE, (place, command))
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
        """Ask the coordinator again and again whether it answers: play needs it for nothing, so nobody else does."""
        while True:
            await asyncio.sleep(PROBE)
            coordinator = self._nodes.coordinator
            if coordinator is not None and not coordinator.away:
                try:
                    async with super()._connection() as connection:
                        await self._answer_of(connection, coordinator, "SELECT 1")
                except LogError as error:
                    _log.warning("the coordinator does not answer", host=coordinator.host, reason=str(error))
                    coordinator.away = True
                    self._watch(coordinator)

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
        while node in self._nodes or node is self._nodes.coordinator:
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
