"""Timekeeping in a cluster, for each shard, so that the outage of a node affects only its own games."""

import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec import Struct
from psycopg import AsyncClientCursor

from mcmulti.events.cluster.answers import SpreadAnswers
from mcmulti.events.cluster.nodes import ClusterNode
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.timekeeping import BEAT, OUTAGE, DueGame
from mcmulti.events.postgres.stores.timekeeping import DUE, GIVE_BACK, PostgresTimekeeping, note_time
from mcmulti.events.postgres.tables import GameMoment, OfGame, composed

LOOK_AROUND = 60.0
"""Seconds until shards are located again."""
CHUNK = 1000
"""The number of games whose deadlines one statement moves."""

_BEATS = """
    SELECT place, at, extract(epoch FROM clock_timestamp() - at)::float8 AS gap, clock_timestamp() AS clock
    FROM {heartbeat} AS heartbeat
"""
# Of a shard itself: what a move of it loses, the next beat makes up for.
_BEAT = "UPDATE {heartbeat} SET at = $1 WHERE at < $1"
_FIRST_BEAT = "INSERT INTO heartbeat (place, at) VALUES (%s, now()) ON CONFLICT (place) DO NOTHING"
_GIVE_BACK_SOME = f"{GIVE_BACK} AND id = ANY (%s::uuid[])"
_STILL_TO_COME = "SELECT id AS game_id FROM {game} AS game WHERE deadline_at > %s"
_NO_MOMENT = datetime.max.replace(tzinfo=UTC)
"""For a question that is about none."""


class _Beat(Struct):
    place: UUID
    at: datetime
    gap: float
    clock: datetime


class SpreadTimekeeping(SpreadAnswers, PostgresTimekeeping):
    """Implements the `Timekeeping` protocol."""

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """See `Timekeeping.due`. Nothing is due on a node where `keep_time` failed."""
        if time.monotonic() - self._looked_around > LOOK_AROUND:
            await self._look_around()

        async def due(node: ClusterNode) -> list[GameMoment]:
            if not node.timely:
                raise LogUnavailable(f"time is not kept on {node.name}")
            return await self._rows(node, GameMoment, DUE, (limit,), "at, game_id", limit, moment=now)

        return sorted(DueGame(row.at, row.game_id) for row in await self._each(due, away))[:limit]

    async def keep_time(self, game_id: UUID | None = None) -> timedelta:
        """See `Timekeeping.keep_time`. Time is kept for each shard, so that the outage of a node affects only its own
        games.
        """
        given = await self._each(self._keep_time, set() if game_id is None else None, game_id)
        return max(given, default=timedelta())

    async def _keep_time(self, node: ClusterNode) -> list[timedelta]:
        """Keep time for the shards of a node. Returns the time given back to each shard that had an outage."""
        try:
            given = await self._note_time(node)
        except LogUnavailable:
            node.timely = False
            raise
        node.timely = True
        return given

    async def _note_time(self, node: ClusterNode) -> list[timedelta]:
        beats = await self._rows(node, _Beat, _BEATS, (), "place", len(node.shards), moment=_NO_MOMENT)
        late = [beat for beat in beats if abs(beat.gap) >= BEAT.total_seconds()]
        given: list[timedelta] = []
        if short := [beat for beat in late if 0 < beat.gap <= OUTAGE.total_seconds()]:
            await self._beat(node, {beat.place for beat in short}, min(beat.clock for beat in short))
        given = [await self._give_back(node, beat) for beat in late if beat not in short]
        if missing := {shard.place for shard in node.shards} - {beat.place for beat in beats}:
            async with self._at(node) as connection:  # a shard was split
                for place in missing:
                    await connection.execute(_FIRST_BEAT, (place,))
        return [gap for gap in given if gap]

    async def _beat(self, node: ClusterNode, places: set[UUID], clock: datetime) -> None:
        """Note in one statement that somebody keeps time for some of a node's shards, unless they have it later."""
        if shards := [shard for shard in node.shards if shard.place in places]:
            beats = ", ".join(f"beat_{shard.shard_number} AS ({composed(_BEAT, shard.tables)})" for shard in shards)
            async with self._at(node) as connection:
                await self._answer_of(connection, node, f"WITH {beats} SELECT 1", shards[0].place, clock)

    async def _give_back(self, node: ClusterNode, beat: _Beat) -> timedelta:
        """Give the games of a shard the time back that was not kept. Returns how much that was."""
        [shard] = [shard for shard in node.shards if shard.place == beat.place]
        moved = await self._rows(node, OfGame, _STILL_TO_COME, (beat.at,), "game_id", None, shard)
        async with self._at(node, patient=True) as connection, connection.transaction():
            at, gap = await note_time(connection, beat.place)
            if gap:
                # Ids as literals show the planner that they are in one shard.
                cursor = AsyncClientCursor(connection)
                games = [row.game_id for row in moved]
                for start in range(0, len(games), CHUNK):
                    await cursor.execute(_GIVE_BACK_SOME, (gap, at, games[start : start + CHUNK]))
        return gap
