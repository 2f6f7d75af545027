"""The log in a database that is spread over a Citus cluster.

What concerns one game goes to its node, in calls of which none holds connections that games on other nodes need. What
concerns many asks each node for itself, so that one that is away keeps nobody from what the others have.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any, TypeVar
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import asdict, replace
from psycopg import AsyncClientCursor, AsyncConnection

from mcmulti.domain.core.setup import IfLeft
from mcmulti.domain.core.table import Status
from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.cluster.citus import begin_changing
from mcmulti.events.cluster.nodes import ClusterNode, ClusterNodes, Shard
from mcmulti.events.log.envelope import Head
from mcmulti.events.postgres.appending import Append, append_by_call
from mcmulti.events.postgres.log import (
    DUE,
    ENDED,
    OPEN_GAMES,
    RATED,
    TENURES_OF,
    PostgresLog,
    game,
    listing,
    rated_game,
)
from mcmulti.events.store.ports import (
    ABANDONED,
    ALL_GAMES,
    SEATS,
    Bookmark,
    DueGame,
    Ended,
    Game,
    GamesWanted,
    ListOrder,
    LogError,
    LogUnavailable,
    Pending,
    Player,
    RatedGame,
    TenureRow,
    Token,
)

AHEAD = timedelta(seconds=10)
"""How far ahead a node is asked for deadlines, and how long it may be before it is asked again."""
LOOK_AROUND = 60.0
"""Seconds after which is looked up anew which shards are on which node."""
PAUSE = 0.5
"""Seconds between two tries whether a node answers again, at least; as long as the last try took if that is more."""

_ON_NODE = "SELECT success, result FROM master_run_on_worker(%s::text[], %s::integer[], %s::text[], false)"

_NAMES = re.compile(r"\b(FROM|JOIN) (game|seat|tenure|event)\b(?: AS (\w+))?")
"""Where a query names the tables that a node has a part of."""

_MOMENT = {"opened": "created_at", "moved": "moved_at"}

_log = structlog.get_logger(__name__)

T = TypeVar("T")


class _Listed(Struct):
    id: UUID
    ruleset: str
    version: int
    status: Status
    players: list[UUID | None]
    to_move: list[int]
    turn: int
    winners: list[int] | None
    ended_by: str | None
    deadline_at: datetime | None
    banks: list[int]
    head_seq: int
    head_hash: str
    created_at: datetime
    moved_at: datetime
    opened_by: UUID | None
    listed: bool
    closed: bool
    invited: list[UUID]
    code_hash: str | None
    asked_hash: str | None
    rematch_of: UUID | None
    rated: bool
    if_left: IfLeft
    leavers: list[UUID | None]
    bots: int

    def game(self) -> Game:
        """What the row says, as the log says it of one PostgreSQL."""
        said = asdict(self)
        for name in ("deadline_at", "created_at", "moved_at"):
            said[name] = said[name] and said[name].astimezone(UTC)
        for name in ("head_hash", "code_hash", "asked_hash"):
            said[name] = said[name] and bytes.fromhex(said[name].removeprefix("\\x"))
        return game(*said.values())


class _Due(Struct):
    id: UUID
    deadline_at: datetime


class _Open(Struct):
    id: UUID


class _Ended(Struct):
    id: UUID
    ended_at: datetime


class _Rated(Struct):
    ended_at: datetime
    id: UUID
    ruleset: str
    players: list[UUID | None]
    leavers: list[UUID | None]
    winners: list[int] | None
    decided: list[int]


class SpreadLog(PostgresLog):
    """Keeps the `Log` protocol in a database that `citus.distribute` has spread; connects to any of its nodes."""

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        super().__init__(conninfo, pool_size=pool_size, patience=patience)
        self._nodes = ClusterNodes(max(1, pool_size // 2))
        self._looked_around = 0.0
        self._everywhere = asyncio.Semaphore(max(1, pool_size // 4))
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

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        found = await asyncio.gather(*(super(SpreadLog, self).heads(some) for some in self._by_node(game_ids)))
        return {game_id: head for heads in found for game_id, head in heads.items()}

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
        query, asked = listing(limit, before, wanted, order)

        async def listed(node: ClusterNode) -> list[_Listed]:
            return await self._rows(node, _Listed, query, asked, f"{_MOMENT[order]} DESC, id DESC", limit)

        games = [row.game() for row in await self._each(listed, away)]
        return sorted(games, key=lambda game: game.mark(order), reverse=True)[:limit]

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """See `Log.due`. A node is asked only where a deadline of its games may have come.

        What other servers set within `AHEAD` may be seen as much later.
        """
        if time.monotonic() - self._looked_around > LOOK_AROUND:
            await self._look_around()

        async def due(node: ClusterNode) -> list[_Due]:
            if node.quiet_until is not None and now < node.quiet_until <= now + AHEAD:
                return []
            rows = await self._rows(node, _Due, DUE, (now + AHEAD, limit), "deadline_at, id", limit)
            node.quiet_until = rows[0].deadline_at if rows else now + AHEAD
            return [row for row in rows if row.deadline_at <= now]

        found = await self._each(due, away)
        return sorted(DueGame(row.deadline_at.astimezone(UTC), row.id) for row in found)[:limit]

    async def keep_time(self) -> timedelta:
        """See `Log.keep_time`. While a node is away nothing is noted: when it is back, all games get the time back."""
        if self._nodes.away():
            return timedelta()
        async with self._on_every_node():
            return await super().keep_time()

    async def _give_back(self, connection: AsyncConnection, since: datetime, gap: timedelta) -> None:
        await begin_changing(connection)
        await super()._give_back(connection, since, gap)
        for node in self._nodes:
            node.quiet_until = None

    async def open_games(self, player_id: UUID) -> set[UUID]:
        """See `Log.open_games`. Games on nodes that are away do not count: they keep nobody from other games."""

        async def open_(node: ClusterNode) -> list[_Open]:
            asked = {"player": player_id, "abandoned": ABANDONED, "seats": SEATS}
            return await self._rows(node, _Open, OPEN_GAMES, asked, "id", SEATS)

        return {row.id for row in await self._each(open_, set())}

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        """See `Log.unfinished`. Games on nodes that are away do not count."""
        found: set[UUID] = set()
        for some in self._by_node(game_ids):
            with suppress(LogUnavailable):
                found |= await super().unfinished(some)
        return found

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        async def ended(node: ClusterNode) -> list[_Ended]:
            return await self._rows(node, _Ended, ENDED, (*after, player_id, limit), "ended_at, id", limit)

        found = await self._each(ended, away)
        return sorted(Ended(row.ended_at.astimezone(UTC), row.id) for row in found)[:limit]

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        async def rated(node: ClusterNode) -> list[_Rated]:
            asked = (list(ROUNDS_OF_ORDERS), list(DECIDE_NOTHING), *after, limit)
            return await self._rows(node, _Rated, RATED, asked, "ended_at, id", limit)

        found = await self._each(rated, None)
        games = [rated_game(row.ended_at.astimezone(UTC), *list(asdict(row).values())[1:]) for row in found]
        return sorted(games)[:limit]

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        async def played(node: ClusterNode) -> list[TenureRow]:
            return await self._rows(node, TenureRow, TENURES_OF, (player_id, limit), "began_at DESC", limit)

        found = [(row.began_at.astimezone(UTC), row) for row in await self._each(played, away) if row.began_at]
        latest = sorted(found, key=itemgetter(0), reverse=True)[:limit]
        return [replace(row, began_at=began_at) for began_at, row in latest]

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        async with self._on_every_node():
            await super().add_player(player, token, token_hash)

    async def rename(self, player_id: UUID, name: str) -> None:
        async with self._on_every_node():
            await super().rename(player_id, name)

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        async with self._on_every_node():
            return await super().erase(player_id, announced)

    async def _forget(self, connection: AsyncConnection, player_id: UUID) -> None:
        await begin_changing(connection)
        await super()._forget(connection, player_id)

    async def keep_names(self, names: Mapping[UUID, str]) -> None:
        async with self._on_every_node():
            await super().keep_names(names)

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        async with self._on_every_node():
            await super().add_token(player_id, token, token_hash)

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        async with self._on_every_node():
            return await super().revoke_tokens(player_id, token_ids)

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        async with self._on_every_node():
            return await super().replace_owner(player_id, announced)

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        async with self._on_every_node():
            await super().announce(player_id, pending)

    async def use_token(self, token_id: UUID, at: datetime) -> None:
        async with self._on_every_node():
            await super().use_token(token_id, at)

    def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        raise LogUnavailable("nodes do not tell each other what is revoked")

    @asynccontextmanager
    async def _on_every_node(self) -> AsyncIterator[None]:
        """What is written meanwhile is kept by every node, so all of them have to answer."""
        for node in self._nodes.away():
            raise LogUnavailable(f"{node.name} does not answer, and keeps all players too")
        async with self._everywhere:
            try:
                yield
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
        row: type[T],
        query: str,
        asked: Mapping[str, Any] | Sequence[Any],
        order: str,
        limit: int,
    ) -> list[T]:
        """What a query of games says on a node, shard by shard: at most `limit` rows, in order."""
        async with self._at(node) as connection:
            cursor = AsyncClientCursor(connection)
            parts = [cursor.mogrify(_on_shard(query, shard), asked) for shard in node.shards]
            every = " UNION ALL ".join(f"({part})" for part in parts)
            rows = f"SELECT * FROM ({every}) AS every ORDER BY {order} LIMIT {limit:d}"  # nosec B608  # of our own
            command = f"SELECT coalesce(json_agg(rows), '[]') FROM ({rows}) AS rows"  # nosec B608
            answer = await self._answer_of(connection, node, command)
        return msgspec.json.decode(answer, type=list[row])  # type: ignore[valid-type]

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


def _on_shard(query: str, shard: Shard) -> str:
    names = {"game": shard.game, "seat": shard.seat, "tenure": shard.tenure, "event": shard.event}
    return _NAMES.sub(lambda named: f"{named[1]} {names[named[2]]} AS {named[3] or named[2]}", query)


@asynccontextmanager
async def open_log(conninfo: str, *, pool_size: int = 10, patience: float = 3.0) -> AsyncIterator[PostgresLog]:
    """The log in a database, as `PostgresLog.open`, be it spread over several nodes or not."""
    async with PostgresLog.open(conninfo, pool_size=pool_size, patience=patience) as log:
        if not await log.is_distributed():
            yield log
            return
    async with SpreadLog.open(conninfo, pool_size=pool_size, patience=patience) as log:
        yield log
