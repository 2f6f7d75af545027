"""Preferences for messages, in PostgreSQL."""

from collections.abc import Collection
from datetime import datetime
from itertools import starmap
from typing import Any, NamedTuple
from uuid import UUID

from mcmulti.events.ports.notices import NO_GAME, DailyHours, DueDigest, GamePreferences, Preferences, Topic
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.stores.players import lock_player
from mcmulti.events.postgres.tables import composed


class _PreferenceRow(NamedTuple):
    """A row of `preference`; one about a game has topics and `remind` only."""

    player_id: UUID
    game_id: UUID
    topics: list[Topic]
    remind: int | None
    time_zone: Any = None
    quiet_begin: Any = None
    quiet_end: Any = None
    digest: int | None = None
    digest_at: Any = None

    def general(self) -> Preferences:
        """A row in general as preferences."""
        quiet = None if self.quiet_begin is None else DailyHours(self.quiet_begin, self.quiet_end)
        return Preferences(tuple(self.topics), self.remind, self.time_zone, quiet, self.digest)


_FIND = composed("SELECT {columns} FROM preference", row=_PreferenceRow)
_ALL = f"{_FIND} WHERE player_id = ANY (%s::uuid[])"
_SOME = f"{_ALL} AND game_id = ANY (%s::uuid[])"
_OTHERS = "SELECT count(*) FROM preference WHERE player_id = %s AND game_id NOT IN (%s, %s)"
# In a cluster, ON CONFLICT needs a lock that servers may not take.
_FORGET = "DELETE FROM preference WHERE player_id = %s AND game_id = %s"
_ADD = composed("INSERT INTO preference ({columns}) VALUES ({values})", row=_PreferenceRow)
_DUE = f"{_FIND} WHERE digest_at <= %s ORDER BY digest_at, player_id LIMIT %s"
_PLAN = "UPDATE preference SET digest_at = %s WHERE player_id = %s AND game_id = %s AND digest_at = %s"


class PostgresPreferences(PostgresConnections):
    """Implements the `PreferenceStore` protocol."""

    async def preferences(
        self, player_ids: Collection[UUID], game_ids: Collection[UUID] | None = None
    ) -> dict[UUID, Preferences]:
        players = list(player_ids)
        query, asked = (_ALL, (players,)) if game_ids is None else (_SOME, (players, [NO_GAME, *game_ids]))
        rows = list(starmap(_PreferenceRow, await self._all_rows(None, query, *asked)))
        general = {row.player_id: row.general() for row in rows if row.game_id == NO_GAME}
        games: dict[UUID, dict[UUID, GamePreferences]] = {}
        for row in rows:
            own = games.setdefault(row.player_id, {})
            if row.game_id != NO_GAME:
                own[row.game_id] = GamePreferences(tuple(row.topics), row.remind)
        return {player: general.get(player, Preferences())._replace(games=own) for player, own in games.items()}

    async def set_preferences(self, player_id: UUID, preferences: Preferences, digest_at: datetime | None) -> None:
        topics, remind, time_zone, quiet, digest, _ = preferences
        async with self._everywhere() as connection:
            await lock_player(connection, player_id)
            await connection.execute(_FORGET, (player_id, NO_GAME))
            begin, end = quiet or (None, None)
            row = _PreferenceRow(player_id, NO_GAME, list(topics), remind, time_zone, begin, end, digest, digest_at)
            await connection.execute(_ADD, row._asdict())

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
            row = _PreferenceRow(player_id, game_id, list(preferences.topics), preferences.remind)
            await connection.execute(_ADD, row._asdict())
            return True

    async def reset_game_preferences(self, player_id: UUID, game_id: UUID) -> None:
        await self._changed_everywhere(_FORGET, player_id, game_id)

    async def digests_due(self, now: datetime, limit: int) -> list[DueDigest]:
        rows = starmap(_PreferenceRow, await self._all_rows(None, _DUE, now, limit))
        return [DueDigest(row.player_id, row.digest_at, row.general()) for row in rows]

    async def plan_digest(self, digest: DueDigest, at: datetime) -> None:
        await self._changed_everywhere(_PLAN, at, digest.player_id, NO_GAME, digest.at)
