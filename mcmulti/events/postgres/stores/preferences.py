"""Preferences for messages, in PostgreSQL."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from mcmulti.events.ports.notices import NO_GAME, DailyHours, DueDigest, GamePreferences, Preferences
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.stores.players import lock_player

_COLUMNS = """
    SELECT player_id, game_id, topics, remind, time_zone, quiet_begin, quiet_end, digest, digest_at FROM preference
"""
_ALL = f"{_COLUMNS} WHERE player_id = ANY (%s::uuid[])"
_SOME = f"{_ALL} AND game_id = ANY (%s::uuid[])"
_OTHERS = "SELECT count(*) FROM preference WHERE player_id = %s AND game_id NOT IN (%s, %s)"
# In a cluster, ON CONFLICT needs a lock that servers may not take.
_FORGET = "DELETE FROM preference WHERE player_id = %s AND game_id = %s"
_ADD = """
    INSERT INTO preference (player_id, game_id, topics, remind, time_zone, quiet_begin, quiet_end, digest, digest_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_DUE = f"{_COLUMNS} WHERE digest_at <= %s ORDER BY digest_at, player_id LIMIT %s"
_PLAN = "UPDATE preference SET digest_at = %s WHERE player_id = %s AND game_id = %s AND digest_at = %s"


class PostgresPreferences(PostgresConnections):
    """Implements the `PreferenceStore` protocol."""

    async def preferences(
        self, player_ids: Collection[UUID], game_ids: Collection[UUID] | None = None
    ) -> dict[UUID, Preferences]:
        players = list(player_ids)
        query, asked = (_ALL, (players,)) if game_ids is None else (_SOME, (players, [NO_GAME, *game_ids]))
        async with self._connection() as connection:
            rows = await (await connection.execute(query, asked, binary=True)).fetchall()
        general = {row[0]: _general(row) for row in rows if row[1] == NO_GAME}
        games: dict[UUID, dict[UUID, GamePreferences]] = {}
        for player_id, game_id, topics, remind, *_ in rows:
            own = games.setdefault(player_id, {})
            if game_id != NO_GAME:
                own[game_id] = GamePreferences(tuple(topics), remind)
        return {player: general.get(player, Preferences())._replace(games=own) for player, own in games.items()}

    async def set_preferences(self, player_id: UUID, preferences: Preferences, digest_at: datetime | None) -> None:
        topics, remind, time_zone, quiet, digest, _ = preferences
        async with self._everywhere() as connection:
            await lock_player(connection, player_id)
            await connection.execute(_FORGET, (player_id, NO_GAME))
            row = player_id, NO_GAME, list(topics), remind, time_zone, *(quiet or (None, None)), digest, digest_at
            await connection.execute(_ADD, row)

    async def set_game_preferences(
        self, player_id: UUID, game_id: UUID, preferences: GamePreferences, most: int
    ) -> bool:
        async with self._everywhere() as connection:
            await lock_player(connection, player_id)
            counted = await connection.execute(_OTHERS, (player_id, NO_GAME, game_id))
            [(others,)] = await counted.fetchall()
            if others >= most:
                return False
            await connection.execute(_FORGET, (player_id, game_id))
            row = player_id, game_id, list(preferences.topics), preferences.remind, *[None] * 5
            await connection.execute(_ADD, row)
            return True

    async def reset_game_preferences(self, player_id: UUID, game_id: UUID) -> None:
        async with self._everywhere() as connection:
            await connection.execute(_FORGET, (player_id, game_id))

    async def digests_due(self, now: datetime, limit: int) -> list[DueDigest]:
        async with self._connection() as connection:
            cursor = await connection.execute(_DUE, (now, limit), binary=True)
            return [DueDigest(row[0], row[8], _general(row)) for row in await cursor.fetchall()]

    async def plan_digest(self, digest: DueDigest, at: datetime) -> None:
        async with self._everywhere() as connection:
            await connection.execute(_PLAN, (at, digest.player_id, NO_GAME, digest.at))


def _general(row: tuple[Any, ...]) -> Preferences:
    _, _, topics, remind, time_zone, begin, end, digest, _ = row
    return Preferences(tuple(topics), remind, time_zone, None if begin is None else DailyHours(begin, end), digest)
