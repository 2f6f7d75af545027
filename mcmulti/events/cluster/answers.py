"""Combines the answers of several nodes of a cluster to one query."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec.structs import asdict, replace
from psycopg import AsyncClientCursor, sql

from mcmulti.events.cluster.connections import ShardsMovedError, SpreadConnections
from mcmulti.events.cluster.nodes import ClusterNode, Shard
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.postgres.connections import PostgresConnections, RowT
from mcmulti.events.postgres.tables import Bytea, composed

TRIES = 5
"""The most attempts to ask nodes while shards move between them."""

T = TypeVar("T")


class SpreadAnswers(SpreadConnections):
    """Asks each node about its own games, so that one that is down does not block access to the others."""

    def _by_node(self, game_ids: Sequence[UUID]) -> Collection[list[UUID]]:
        """Group games by node."""
        by_node: dict[int, list[UUID]] = {}
        for game_id in game_ids:
            by_node.setdefault(self.node_of(game_id), []).append(game_id)
        return by_node.values()

    async def _each(
        self,
        ask: Callable[[ClusterNode], Coroutine[Any, Any, list[T]]],
        away: set[str] | None,
        game_id: UUID | None = None,
    ) -> list[T]:
        """The answer of each node, or of a game's node. All are asked again if shards have moved.

        Nodes that do not answer are added to `away`. Raises `LogUnavailable` if that is None.
        """
        for _ in range(TRIES):
            nodes = list(self._nodes) if game_id is None else [self._nodes.owner_of(game_id)]
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

    async def _rows_about(self, game_ids: Sequence[UUID], query: str, *values: object) -> list[tuple[Any, ...]]:
        async def rows(some: list[UUID]) -> list[tuple[Any, ...]]:
            with suppress(LogUnavailable):
                return await PostgresConnections._rows_about(self, some, query, *values)
            return []

        return [row for found in await asyncio.gather(*map(rows, self._by_node(game_ids))) for row in found]

    async def _rows_of_all(
        self,
        row: type[RowT],
        query: str,
        asked: Mapping[str, Any] | Sequence[Any],
        order: tuple[str, ...],
        limit: int | None,
        away: set[str] | None = None,
        *,
        latest: bool = False,
        moment: datetime | None = None,
    ) -> list[RowT]:
        async def rows(node: ClusterNode) -> list[RowT]:
            by = ", ".join([f"{column} DESC" if latest else column for column in order])
            return await self._rows(node, row, query, asked, by, limit, moment=moment)

        return sorted(await self._each(rows, away), key=attrgetter(*order), reverse=latest)[:limit]

    async def _rows(
        self,
        node: ClusterNode,
        row: type[RowT],
        query: str,
        asked: Mapping[str, Any] | Sequence[Any],
        order: str,
        limit: int | None,
        shard: Shard | None = None,
        moment: datetime | None = None,
    ) -> list[RowT]:
        """The rows of a query, as `composed` takes it, on a node: at most `limit` rows of all shards, in order.

        If there is a `moment`, the first value of the query is this moment, as $1.
        """
        shards = [shard] if shard else node.shards
        about = query if moment is None else query.replace("%s", "$1", 1)
        async with self._at(node) as connection:
            if not shards:
                return []
            cursor = AsyncClientCursor(connection)
            every = sql.SQL(" UNION ALL ").join(
                sql.SQL("({})").format(sql.SQL(cursor.mogrify(composed(about, shard.tables, row), asked)))
                for shard in shards
            )
            rows = sql.SQL("SELECT * FROM ({}) AS every ORDER BY {} LIMIT {}").format(every, sql.SQL(order), limit)
            command = sql.SQL("SELECT coalesce(json_agg(rows), '[]') FROM ({}) AS rows").format(rows)
            answer = await self._answer_of(connection, node, command.as_string(connection), shards[0].place, moment)
        found: list[RowT] = msgspec.json.decode(answer, type=list[row], dec_hook=_bytea)  # type: ignore[valid-type]
        return [_in_utc(each) for each in found]


def _in_utc(row: RowT) -> RowT:
    moments = {name: at.astimezone(UTC) for name, at in asdict(row).items() if isinstance(at, datetime)}
    return replace(row, **moments)


def _bytea(_: type, said: str) -> Bytea:
    return Bytea.fromhex(said.removeprefix("\\x"))
