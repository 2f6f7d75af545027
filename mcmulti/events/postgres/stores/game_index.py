"""The index of games in PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from msgspec import Struct, UnsetType, convert
from msgspec.structs import replace
from psycopg import Error

from mcmulti.domain.core.capabilities.leaving import IfLeft
from mcmulti.domain.core.capabilities.rating import COMPANION
from mcmulti.domain.core.table import Status
from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.chat import ChatRoom
from mcmulti.events.ports.errors import Conflict, UnknownGame
from mcmulti.events.ports.game_index import (
    ABANDONED,
    ALL_GAMES,
    SEATS,
    Access,
    Bookmark,
    Ended,
    FinishedGame,
    Game,
    GamesWanted,
    ListOrder,
    RatedGame,
    TableRow,
    TenureRow,
    starters_of,
)
from mcmulti.events.ports.notices import Notification
from mcmulti.events.postgres.appending import minute
from mcmulti.events.postgres.connections import PostgresConnections, raise_in_our_words
from mcmulti.events.postgres.line import QuickLine
from mcmulti.events.postgres.stores.notices import keep_notices
from mcmulti.events.postgres.tables import Bytea, GameMoment, OfGame, composed

_CHANGE_ACCESS = """
    UPDATE game SET invited = %(invited)s, code_hash = %(code_hash)s
    WHERE id = %(id)s AND invited = %(invited_before)s AND code_hash IS NOT DISTINCT FROM %(code_before)s
"""

# The latest seats come from their index, so that the total number of a player's seats does not matter.
_OPEN_GAMES = """
    SELECT id AS game_id FROM {game} AS game
    WHERE opened_by = %(player)s AND status <> 'finished' AND created_at > now() - %(abandoned)s
    UNION
    SELECT game.id FROM (
        SELECT game_id FROM {seat} AS seat WHERE player_id = %(player)s AND taken_at > now() - %(abandoned)s
        ORDER BY taken_at DESC LIMIT %(seats)s
    ) AS latest
    JOIN {game} AS game ON game.id = latest.game_id
    WHERE game.status <> 'finished' AND game.created_at > now() - %(abandoned)s
"""

_UNFINISHED = "SELECT id FROM game WHERE id = ANY (%s::uuid[]) AND status <> 'finished' AND created_at > now() - %s"

_ENDED = """
    SELECT ended_at AS at, id AS game_id FROM {game} AS game
    WHERE ended_at IS NOT NULL AND (ended_at, id) > (%s, %s)
        AND EXISTS (SELECT FROM {seat} AS seat WHERE seat.game_id = game.id AND seat.player_id = %s)
    ORDER BY ended_at, id LIMIT %s
"""

_OVER = """
    SELECT ended_at AS at, id AS game_id FROM {game} AS game
    WHERE ended_at IS NOT NULL AND (ended_at, id) > (%s, %s) AND ended_at <= %s ORDER BY ended_at, id LIMIT %s
"""

# Each rule set has its own part of one index.
_PUBLISHED = """
    SELECT found.* FROM unnest(%(rulesets)s::text[]) AS wanted (name) CROSS JOIN LATERAL (
        SELECT {columns} FROM {game} AS game
        WHERE game.ruleset = wanted.name AND listed AND NOT practice
            AND ended_at IS NOT NULL AND (ended_at, id) > (%(at)s, %(game)s) AND ended_at < %(until)s
        ORDER BY ended_at, id LIMIT %(limit)s
    ) AS found
    ORDER BY ended_at, id LIMIT %(limit)s
"""

_RATED = """
    SELECT {columns} FROM {game} AS game CROSS JOIN LATERAL (
        SELECT ARRAY(
            SELECT seat FROM {event} AS event, generate_series(0, cardinality(players) - 1) AS seat
            WHERE event.game_id = game.id
                AND CASE WHEN event.type = ANY (%s) THEN NOT EXISTS (
                    SELECT FROM json_array_elements_text(event.data->'missing') AS missing WHERE missing::integer = seat
                )
                ELSE event.actor = seat AND event.command IS NOT NULL AND event.command->>'type' <> ALL (%s) END
                AND (leavers = '{{}}' OR NOT EXISTS (
                    SELECT FROM {event} AS vacated
                    WHERE vacated.game_id = game.id AND vacated.type = 'SeatVacated' AND vacated.seq < event.seq
                        AND (vacated.data->>'seat')::integer = seat
                ))
        ) AS decided
    ) AS decisions
    WHERE rated AND ended_at IS NOT NULL AND (ended_at, id) > (%s, %s) ORDER BY ended_at, id LIMIT %s
"""

_TENURES_OF = "SELECT {columns} FROM {tenure} AS tenure WHERE player_id = %s ORDER BY began_at DESC LIMIT %s"

_TENURES_AT = "SELECT {columns} FROM tenure WHERE game_id = %s"

_GAMES = "SELECT {columns} FROM {game} AS game WHERE {conditions} ORDER BY {order} LIMIT %(limit)s"

_ONE_GAME = "SELECT {columns} FROM game WHERE id = %s"

HEADS = "SELECT id, head_seq, head_hash FROM game WHERE id = ANY ({}::uuid[])"

_NARROWED_BY = {
    "game_ids": "id = ANY (%(game_ids)s::uuid[])",
    "status": "status = %(status)s",
    "ruleset": "ruleset = %(ruleset)s",
    "free": "status = 'open' AND array_position(players, NULL::uuid) IS NOT NULL",
    "asks": """
        status = 'running' AND players @> ARRAY[%(asks)s::uuid]
        AND ((array_position(players, %(asks)s::uuid) - 1)::smallint = ANY (to_move)
            OR practice AND opened_by = %(asks)s AND EXISTS (
                SELECT FROM unnest(players) WITH ORDINALITY AS sits (player, place)
                WHERE (place - 1)::smallint = ANY (to_move) AND player::text ~ %(companion)s
            ))
    """,
    "invited": """
        status = 'open' AND array_position(players, NULL::uuid) IS NOT NULL AND invited @> ARRAY[%(invited)s::uuid]
        AND NOT players @> ARRAY[%(invited)s::uuid]
    """,
    "bots": """
        status = 'open' AND bots > 0
        AND array_position(
            players[greatest(1, cardinality(players) - cardinality(house_bots) - bots + 1)
                :cardinality(players) - cardinality(house_bots)],
            NULL::uuid
        ) IS NOT NULL
    """,
    "house_bots": "status <> 'finished' AND house_bots <> '{{}}'",
    "left": "status = 'running' AND array_position(players, NULL::uuid) IS NOT NULL AND if_left = %(left)s",
    "sits": "EXISTS (SELECT FROM {seat} AS seat WHERE seat.game_id = game.id AND seat.player_id = {player})",
    # Uses an index without the games that a player has finished.
    "sits_still": "status <> 'finished' AND players @> ARRAY[{player}::uuid]",
    # Each part uses its own index.
    "named": """
        id IN (
            SELECT game_id FROM {seat} AS seat WHERE player_id = ANY (%(named)s::uuid[])
            UNION ALL
            SELECT id FROM {game} AS game WHERE id BETWEEN %(first)s AND %(last)s
        )
    """,
    # The same as `Game.is_seen_by`, for anonymous readers and for players.
    "seen_by_all": "listed",
    "seen_by": """
        (listed OR opened_by = %(seen_by)s OR players @> ARRAY[%(seen_by)s::uuid]
            OR invited @> ARRAY[%(seen_by)s::uuid])
    """,
    "behind_opened": "(created_at, id) < (%(at)s, %(before)s)",
    "behind_moved": "moved_minute <= %(minute)s AND (moved_at, id) < (%(at)s, %(before)s)",
}
"""Conditions on `game` for lists of games."""

_IN_ORDER = {"opened": "created_at DESC, id DESC", "moved": "moved_minute DESC, moved_at DESC, id DESC"}
"""The minute has an index; the exact moment has none."""
_MOMENT = {"opened": "created_at", "moved": "moved_at"}


class PostgresGames(PostgresConnections):
    """Implements the `GameIndex` protocol."""

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        super().__init__(conninfo, pool_size=pool_size, patience=patience)
        self._heads = QuickLine(f"(uuid[]) AS {HEADS.format('$1')}", self._beside, self._answer)

    async def _end(self) -> None:
        self._heads.close()
        await super()._end()

    def node_of(self, game_id: UUID) -> int:
        return 0

    def nodes_away(self) -> Sequence[str]:
        return ()

    async def game(self, game_id: UUID) -> Game:
        row = await self._one_row(game_id, composed(_ONE_GAME, row=GameRow), game_id)
        if row is None:
            raise UnknownGame(f"there is no game {game_id}")
        return GameRow(*row).game()

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        asked = {game_id.bytes: game_id for game_id in game_ids}
        try:
            rows = await self._heads.ask(("{" + ",".join([id_.hex() for id_ in asked]) + "}").encode())
        except Error as error:
            raise_in_our_words(error)
        return {asked[id_]: Head(int.from_bytes(seq), hash_) for id_, seq, hash_ in rows}

    async def games(
        self,
        limit: int,
        before: Bookmark | None = None,
        wanted: GamesWanted = ALL_GAMES,
        away: set[str] | None = None,
        order: ListOrder = "opened",
    ) -> list[Game]:
        asked: dict[str, Any] = {
            "game_ids": None if wanted.game_ids is None else list(wanted.game_ids),
            "status": wanted.status,
            "ruleset": wanted.ruleset,
            "free": wanted.free or None,
            "asks": wanted.asks,
            "invited": wanted.invited,
            "left": wanted.left,
            "bots": wanted.bots or None,
            "house_bots": wanted.house_bots or None,
        }
        narrowing = [(name, 0) for name, value in asked.items() if value is not None]
        if wanted.asks is not None:
            asked["companion"] = COMPANION
        for number, player_id in enumerate(wanted.player_ids):
            asked[f"player_{number}"] = player_id
            narrowing.append(("sits" if wanted.status in (None, "finished") else "sits_still", number))
        if wanted.named is not None:
            begins = wanted.named.begins
            first, last = (UUID(begins.ljust(32, digit)) if begins else None for digit in "0f")
            asked |= {"named": list(wanted.named.players), "first": first, "last": last}
            narrowing.append(("named", 0))
        if not isinstance(wanted.seen_by, UnsetType):
            asked["seen_by"] = wanted.seen_by
            narrowing.append(("seen_by_all" if wanted.seen_by is None else "seen_by", 0))
        if before is not None:
            asked |= {"at": before.at, "minute": minute(before.at), "before": before.game_id}
            narrowing.append((f"behind_{order}", 0))
        query, by = _listing(tuple(narrowing), order), (_MOMENT[order], "id")
        rows = await self._rows_of_all(GameRow, query, {**asked, "limit": limit}, by, limit, away, latest=True)
        return [row.game() for row in rows]

    async def change_access(
        self, game_id: UUID, before: Access, after: Access, notices: Sequence[Notification] = ()
    ) -> None:
        change = {
            "id": game_id,
            "invited": list(after.invited),
            "code_hash": after.code_hash,
            "invited_before": list(before.invited),
            "code_before": before.code_hash,
        }
        async with self._transaction(game_id) as connection:
            cursor = await connection.execute(_CHANGE_ACCESS, change)
            if cursor.rowcount == 0:
                raise Conflict(f"others may sit down at game {game_id} by now")
            await keep_notices(connection, notices)

    async def open_games(self, player_id: UUID) -> set[UUID]:
        """See `GameIndex.open_games`. Games on nodes that are down do not count, so that players can join others."""
        asked = {"player": player_id, "abandoned": ABANDONED, "seats": SEATS}
        rows = await self._rows_of_all(OfGame, _OPEN_GAMES, asked, ("game_id",), None, set())
        return {row.game_id for row in rows}

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        return {game_id for (game_id,) in await self._rows_about(game_ids, _UNFINISHED, ABANDONED)}

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        asked, order = (*after, player_id, limit), ("at", "game_id")
        rows = await self._rows_of_all(GameMoment, _ENDED, asked, order, limit, away)
        return [Ended(row.at, row.game_id) for row in rows]

    async def over(self, after: Ended, until: datetime, limit: int) -> list[Ended]:
        rows = await self._rows_of_all(GameMoment, _OVER, (*after, until, limit), ("at", "game_id"), limit)
        return [Ended(row.at, row.game_id) for row in rows]

    async def published(self, rulesets: Sequence[str], after: Ended, until: datetime, limit: int) -> list[FinishedGame]:
        asked = {"rulesets": list(rulesets), "at": after.at, "game": after.game_id, "until": until, "limit": limit}
        rows = await self._rows_of_all(_FinishedRow, _PUBLISHED, asked, ("ended_at", "id"), limit)
        return [
            FinishedGame(Ended(row.ended_at, row.id), row.ruleset, row.version, Head(row.head_seq, row.head_hash))
            for row in rows
        ]

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        asked = (list(ROUNDS_OF_ORDERS), list(DECIDE_NOTHING), *after, limit)
        return [row.game() for row in await self._rows_of_all(_RatedRow, _RATED, asked, ("ended_at", "id"), limit)]

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        asked, order = (player_id, limit), ("began_at",)
        rows = await self._rows_of_all(TenureRow, _TENURES_OF, asked, order, limit, away, latest=True)
        return [_tenure(row) for row in rows]

    async def tenures_at(self, game_id: UUID) -> list[TenureRow]:
        rows = await self._all_rows(game_id, composed(_TENURES_AT, row=TenureRow), game_id)
        return [_tenure(TenureRow(*row)) for row in rows]

    async def size(self) -> int:
        row = await self._one_row(None, "SELECT coalesce(sum(head_seq), 0)::bigint FROM game")
        return int(row[0]) if row else 0


class GameRow(Struct):
    """A row of ``game``, as far as lists need it, by column names."""

    id: UUID
    ruleset: str
    version: int
    status: Status
    players: Sequence[UUID | None]
    to_move: Sequence[int]
    turn: int
    winners: Sequence[int] | None
    ended_by: str | None
    deadline_at: datetime | None
    banks: Sequence[int]
    head_seq: int
    head_hash: Bytea
    created_at: datetime
    moved_at: datetime
    opened_by: UUID | None
    listed: bool
    closed: bool
    invited: Sequence[UUID]
    code_hash: Bytea | None
    asked_hash: Bytea | None
    rematch_of: UUID | None
    rated: bool
    if_left: IfLeft
    leavers: Sequence[UUID | None]
    practice: bool
    bots: int
    house_bots: Sequence[str]
    chat: Sequence[ChatRoom]

    def game(self) -> Game:
        """The row as a game."""
        standing = replace(convert(self, TableRow, from_attributes=True), deadline=self.deadline_at)
        access = convert(self, Access, from_attributes=True)
        head = Head(self.head_seq, self.head_hash)
        moments = (self.created_at, self.moved_at)
        return Game(self.id, self.ruleset, self.version, standing, head, *moments, self.opened_by, access)


class _FinishedRow(Struct):
    """A row of `_PUBLISHED`."""

    ended_at: datetime
    id: UUID
    ruleset: str
    version: int
    head_seq: int
    head_hash: Bytea


class _RatedRow(Struct):
    """A row of `_RATED`; `decided`: the seat of each decision."""

    ended_at: datetime
    id: UUID
    ruleset: str
    players: Sequence[UUID | None]
    leavers: Sequence[UUID | None]
    winners: Sequence[int] | None
    decided: Sequence[int]

    def game(self) -> RatedGame:
        """The row as a game."""
        left, ended = tuple(self.leavers), Ended(self.ended_at, self.id)
        starters = starters_of(tuple(self.players), left)
        decisions = tuple(self.decided.count(seat) for seat in range(len(starters)))
        return RatedGame(ended, self.ruleset, starters, left, tuple(self.winners or ()), decisions)


@lru_cache(maxsize=4096)
def _listing(narrowing: tuple[tuple[str, int], ...], order: ListOrder) -> str:
    """The query for a page of games, as `composed` takes it.

    `narrowing`: names of conditions, each with the index of its player, if the condition takes one of several.
    """
    conditions = [_NARROWED_BY[name].replace("{player}", f"%(player_{number})s") for name, number in narrowing]
    return _GAMES.replace("{conditions}", " AND ".join(conditions or ["true"])).replace("{order}", _IN_ORDER[order])


def _tenure(row: TenureRow) -> TenureRow:
    """The row as a tenure."""
    return replace(row, against=tuple(row.against))
