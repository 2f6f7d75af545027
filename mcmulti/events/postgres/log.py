"""The log in PostgreSQL."""

import asyncio
import os
import select
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import datetime, timedelta
from itertools import starmap
from socket import SHUT_RDWR, socket
from typing import Any, Self
from uuid import UUID

from msgspec import UnsetType
from msgspec.structs import asdict
from psycopg import AsyncConnection, Error, IsolationLevel, OperationalError, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.string import ByteaBinaryLoader
from psycopg_pool import AsyncConnectionPool

from mcmulti.domain.core.setup import IfLeft
from mcmulti.domain.core.table import Status
from mcmulti.domain.rulesets import DECIDE_NOTHING, ROUNDS_OF_ORDERS
from mcmulti.events.cluster.citus import is_distributed
from mcmulti.events.log.envelope import START, Head, Recorded, head_after
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.postgres import tokens
from mcmulti.events.postgres.appending import (
    Append,
    add_events,
    append_alone,
    append_together,
    as_json,
    columns,
    fill_seats,
    keep_tenures,
    minute,
)
from mcmulti.events.postgres.keys import signing_key_in
from mcmulti.events.postgres.rights import SERVER_ROLE
from mcmulti.events.store.group_commit import GroupCommit, QueuedWrite
from mcmulti.events.store.names import name_key, name_skeleton, name_words
from mcmulti.events.store.ports import (
    ABANDONED,
    ALL_GAMES,
    BEAT,
    FOR_ALL,
    OUTAGE,
    SEATS,
    Access,
    Bookmark,
    Conflict,
    DueGame,
    Ended,
    Game,
    GamesWanted,
    Holder,
    ListOrder,
    LogError,
    LogUnavailable,
    NameTaken,
    Pending,
    Player,
    Pool,
    Question,
    RatedGame,
    Receipt,
    TableRow,
    TenureRow,
    Token,
    UnknownGame,
    UnknownPlayer,
    starters_of,
)
from mcmulti.metrics import DATABASE_FAILURES

_OPEN_GAME = """
    INSERT INTO game (id, ruleset, version, status, head_seq, head_hash, created_at, ended_at, opened_by,
        players, to_move, turn, winners, ended_by, deadline_at, banks, moved_at, moved_minute, listed, closed, invited,
        code_hash, asked_hash, rematch_of, rated, if_left, leavers, bots)
    VALUES (%(id)s, %(ruleset)s, %(version)s, %(status)s, %(head_seq)s, %(head_hash)s, %(created_at)s, %(ended_at)s,
        %(opened_by)s, %(players)s, %(to_move)s, %(turn)s, %(winners)s, %(ended_by)s, %(deadline)s, %(banks)s,
        %(moved_at)s, %(moved_minute)s, %(listed)s, %(closed)s, %(invited)s, %(code_hash)s, %(asked_hash)s,
        %(rematch_of)s, %(rated)s, %(if_left)s, %(leavers)s, %(bots)s)
"""

_CHANGE_ACCESS = """
    UPDATE game SET invited = %(invited)s, code_hash = %(code_hash)s
    WHERE id = %(id)s AND invited = %(invited_before)s AND code_hash IS NOT DISTINCT FROM %(code_before)s
"""

_KEEP_SECRET = "INSERT INTO secret (game_id, seed) VALUES (%s, %s)"

_KEEP_KEY = "INSERT INTO signing_key (seed) VALUES (%s)"

DUE = "SELECT deadline_at, id FROM game WHERE deadline_at <= %s ORDER BY deadline_at, id LIMIT %s"

_ASK = """
    INSERT INTO question (game_id, answer_at, open) VALUES (%s, %s, %s)
    ON CONFLICT (game_id) DO UPDATE SET answer_at = excluded.answer_at, open = excluded.open
"""
_QUESTION = "SELECT answer_at, open FROM question WHERE game_id = %s"
_UNANSWERED = """
    SELECT answer_at, game_id FROM question WHERE open AND answer_at <= %s ORDER BY answer_at, game_id LIMIT %s
"""
_CLOSE_QUESTION = "UPDATE question SET open = false WHERE game_id = %s AND answer_at = %s AND open"

_KEPT = "SELECT abs(extract(epoch FROM now() - at)) < extract(epoch FROM %s::interval) FROM heartbeat"
_LAST_KEPT = "SELECT at, clock_timestamp() - at FROM heartbeat FOR UPDATE"
_KEEP_TIME = "UPDATE heartbeat SET at = %s"
_GIVE_BACK = "UPDATE game SET deadline_at = deadline_at + %s WHERE deadline_at > %s"

# The latest seats come from their index, so that it does not matter how many a player ever took.
OPEN_GAMES = """
    SELECT id FROM game
    WHERE opened_by = %(player)s AND status <> 'finished' AND created_at > now() - %(abandoned)s
    UNION
    SELECT game.id FROM (
        SELECT game_id FROM seat WHERE player_id = %(player)s AND taken_at > now() - %(abandoned)s
        ORDER BY taken_at DESC LIMIT %(seats)s
    ) AS latest
    JOIN game ON game.id = latest.game_id
    WHERE game.status <> 'finished' AND game.created_at > now() - %(abandoned)s
"""

_UNFINISHED = "SELECT id FROM game WHERE id = ANY (%s::uuid[]) AND status <> 'finished' AND created_at > now() - %s"

ENDED = """
    SELECT id, ended_at FROM game
    WHERE ended_at IS NOT NULL AND (ended_at, id) > (%s, %s)
        AND EXISTS (SELECT FROM seat WHERE seat.game_id = game.id AND seat.player_id = %s)
    ORDER BY ended_at, id LIMIT %s
"""

RATED = """
    SELECT ended_at, id, ruleset, players, leavers, winners, ARRAY(
        SELECT seat FROM event, generate_series(0, cardinality(players) - 1) AS seat
        WHERE event.game_id = game.id
            AND CASE WHEN event.type = ANY (%s) THEN NOT EXISTS (
                SELECT FROM json_array_elements_text(event.data->'missing') AS missing WHERE missing::integer = seat
            )
            ELSE event.actor = seat AND event.command IS NOT NULL AND event.command->>'type' <> ALL (%s) END
            AND (leavers = '{}' OR NOT EXISTS (
                SELECT FROM event AS vacated
                WHERE vacated.game_id = game.id AND vacated.type = 'SeatVacated' AND vacated.seq < event.seq
                    AND (vacated.data->>'seat')::integer = seat
            ))
    ) AS decided
    FROM game
    WHERE rated AND ended_at IS NOT NULL AND (ended_at, id) > (%s, %s) ORDER BY ended_at, id LIMIT %s
"""

TENURES_OF = """
    SELECT player_id, ruleset, against, began_at, substitute, result, missed, resigned, vacated
    FROM tenure WHERE player_id = %s ORDER BY began_at DESC LIMIT %s
"""

_TENURES_AT = """
    SELECT player_id, ruleset, against, began_at, substitute, result, missed, resigned, vacated
    FROM tenure WHERE game_id = %s
"""

_READ = """
    SELECT game_id, seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash
    FROM event WHERE game_id = %s AND seq > %s ORDER BY seq LIMIT %s
"""

_GAME = """
    SELECT id, ruleset, version, status, players, to_move, turn, winners, ended_by, deadline_at, banks, head_seq,
        head_hash, created_at, moved_at, opened_by, listed, closed, invited, code_hash, asked_hash, rematch_of,
        rated, if_left, leavers, bots
    FROM game
"""

_HEADS = "SELECT id, head_seq, head_hash FROM game WHERE id = ANY (%s::uuid[])"

_NARROWED_BY = {
    "game_ids": "id = ANY (%(game_ids)s::uuid[])",
    "status": "status = %(status)s",
    "ruleset": "ruleset = %(ruleset)s",
    "free": "status = 'open' AND array_position(players, NULL::uuid) IS NOT NULL",
    "asks": """
        status = 'running' AND players @> ARRAY[%(asks)s::uuid]
        AND (array_position(players, %(asks)s::uuid) - 1)::smallint = ANY (to_move)
    """,
    "invited": """
        status = 'open' AND array_position(players, NULL::uuid) IS NOT NULL AND invited @> ARRAY[%(invited)s::uuid]
        AND NOT players @> ARRAY[%(invited)s::uuid]
    """,
    "bots": """
        status = 'open' AND bots > 0
        AND array_position(players[greatest(1, cardinality(players) - bots + 1):], NULL::uuid) IS NOT NULL
    """,
    "left": "status = 'running' AND array_position(players, NULL::uuid) IS NOT NULL AND if_left = %(left)s",
}

# What `Game.is_seen_by` says, for who says no name and for a player.
_SEEN_BY_ALL = "listed"
_SEEN_BY = """
    (listed OR opened_by = %(seen_by)s OR players @> ARRAY[%(seen_by)s::uuid] OR invited @> ARRAY[%(seen_by)s::uuid])
"""

_BEHIND = {
    "opened": "(created_at, id) < (%(at)s, %(before)s)",
    "moved": "moved_minute <= %(minute)s AND (moved_at, id) < (%(at)s, %(before)s)",
}

# The minute has an index, and the moment has none.
_IN_ORDER = {"opened": "created_at DESC, id DESC", "moved": "moved_minute DESC, moved_at DESC, id DESC"}

_SITS = "EXISTS (SELECT FROM seat WHERE seat.game_id = game.id AND seat.player_id = %(player_{})s)"

# By an index that has none of the games which a player has ended.
_SITS_STILL = "status <> 'finished' AND players @> ARRAY[%(player_{})s::uuid]"

# Each part by its own index.
_NAMED = """
    id IN (
        SELECT game_id FROM seat WHERE player_id = ANY (%(named)s::uuid[])
        UNION ALL
        SELECT id FROM game WHERE id BETWEEN %(first)s AND %(last)s
    )
"""

_RECEIPT = """
    SELECT player_id, key, request_hash, after_seq, seq
    FROM receipt WHERE game_id = %s AND player_id = %s AND key = %s
"""

_SNAPSHOT = """
    SELECT seq, hash, state FROM snapshot
    WHERE game_id = %s AND shape = %s AND seq <= %s ORDER BY seq DESC LIMIT 1
"""

_KEEP_SNAPSHOT = """
    INSERT INTO snapshot (game_id, shape, seq, hash, state) VALUES (%s, %s, %s, %s, %s)
    ON CONFLICT (game_id, shape, seq) DO NOTHING
"""

_PLAYER = "SELECT id, coalesce(name, ''), kind FROM player WHERE id = %s"

_PLAYERS = "SELECT id, coalesce(name, ''), kind, origin FROM player WHERE id = ANY (%s::uuid[])"

_CALLED = "SELECT name_key, id, name, kind FROM player WHERE name_key = ANY (%s)"

# The words as `player_by_words` and `visitor_by_words` index them. Who is erased has none.
_FOUND = """
    SELECT id FROM (
        SELECT id, name_key FROM player
        WHERE array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')) @@ %(words)s::tsquery
        UNION ALL
        SELECT id, name_key FROM visitor
        WHERE array_to_tsvector(array_remove(string_to_array(left(name_key, 200), ' '), '')) @@ %(words)s::tsquery
            AND NOT EXISTS (SELECT FROM player WHERE player.id = visitor.id)
    ) AS found
    ORDER BY char_length(name_key), id LIMIT %(limit)s
"""

_ADD_PLAYER = "INSERT INTO player (id, name, kind, origin, name_key, name_skeleton) VALUES (%s, %s, %s, %s, %s, %s)"

# An erased player has a row without a name: what was kept of a namesake elsewhere does not come in its place.
_NAMES = """
    SELECT id, name FROM player WHERE id = ANY (%(ids)s::uuid[]) AND name IS NOT NULL
    UNION ALL
    SELECT id, name FROM visitor WHERE id = ANY (%(ids)s::uuid[])
        AND NOT EXISTS (SELECT FROM player WHERE player.id = visitor.id)
"""

_RENAME = """
    UPDATE player SET name = %s, name_key = %s, name_skeleton = %s WHERE id = %s AND name IS NOT NULL
"""

_ERASE = """
    UPDATE player SET name = NULL, name_key = NULL, name_skeleton = NULL,
        pending = NULL, pending_token = NULL, pending_due = NULL
    WHERE id = %s
"""

_FORGET_TENURES = "DELETE FROM tenure WHERE player_id = %s"

_CHANGE_NAME = "UPDATE visitor SET name = %s, name_key = %s WHERE id = %s"

_KEEP_NAME = "INSERT INTO visitor (name, name_key, id) VALUES (%s, %s, %s)"

_USE_TOKEN = "UPDATE token SET used_at = %s WHERE id = %s"

_KEEPALIVES = {"keepalives_idle": 10, "keepalives_interval": 3, "keepalives_count": 3}
"""Seconds, and how often, after which TCP asks whether an idle connection still has another end."""

PULSE = 1.0
"""Seconds between two looks at a connection that only listens; it has as long to answer."""

MANY = 1000
"""Events from which on a game that comes as a whole may take its time."""


class PostgresLog:
    """Keeps the `Log` protocol in a database that `migrate` has prepared.

    Every connection of the pool acts as `SERVER_ROLE`. A pooler in between has to pool by session.
    """

    def __init__(self, conninfo: str, *, pool_size: int, patience: float) -> None:
        self._patience = patience
        self._answer = 2 * patience
        self._listening: set[AsyncConnection] = set()
        self._cutting: set[asyncio.Task[None]] = set()
        self._commits = GroupCommit(self._write)
        self._parameters: dict[str, Any] = {
            "autocommit": True,
            "client_encoding": "UTF8",
            "connect_timeout": 5,
            **_KEEPALIVES,
            "tcp_user_timeout": round(1000 * self._answer),
            **conninfo_to_dict(conninfo),
        }
        self._pool = AsyncConnectionPool(
            kwargs=self._parameters,
            min_size=pool_size,
            max_size=pool_size,
            open=False,
            configure=self._configure,
            check=self._check,
            timeout=patience,
            reconnect_timeout=2.0,  # then the next call tries afresh, and no long backoff outlives an outage
        )

    @classmethod
    @asynccontextmanager
    async def open(cls, conninfo: str, *, pool_size: int = 10, patience: float = 3.0) -> AsyncIterator[Self]:
        """The log in the database `conninfo`, over `pool_size` connections.

        A call waits up to `patience` seconds for a connection and twice that for its answer, and then raises
        `LogUnavailable`; so does opening, after ten times that.
        """
        log = cls(conninfo, pool_size=pool_size, patience=patience)
        try:
            try:
                await log._pool.open(wait=True, timeout=10 * patience)
            except OperationalError as error:
                raise LogUnavailable(f"the database does not answer: {error}") from error
            await log._begin()
            yield log
        finally:
            try:
                await log._end()
            finally:
                for listener in list(log._listening):
                    await listener.close()
                await log._pool.close()

    async def _begin(self) -> None:
        """Whatever has to be known before the first call."""

    async def _end(self) -> None:
        """Bring what is under way to its end."""
        await self._commits.close()

    async def create(
        self,
        game_id: UUID,
        ruleset: str,
        version: int,
        standing: TableRow,
        secret: bytes,
        events: Sequence[Recorded],
        opened_by: UUID | None = None,
        access: Access = FOR_ALL,
        *,
        tenures: Sequence[TenureRow] = (),
    ) -> None:
        head = head_after(game_id, START, events)
        moved_at = events[-1].recorded_at
        game = {
            "id": game_id,
            "ruleset": ruleset,
            "version": version,
            **columns(standing),
            "head_seq": head.seq,
            "head_hash": head.hash,
            "created_at": events[0].recorded_at,
            "moved_at": moved_at,
            "moved_minute": minute(moved_at),
            "ended_at": moved_at if standing.status == "finished" else None,
            "opened_by": opened_by,
            **asdict(access),
            "invited": list(access.invited),
        }
        async with self._transaction(game_id, patient=len(events) > MANY) as connection:
            await connection.execute(_OPEN_GAME, game)
            await connection.execute(_KEEP_SECRET, (game_id, secret))
            await add_events(connection, game_id, events)
            await fill_seats(connection, game_id, standing.players)
            await keep_tenures(connection, game_id, tenures)

    async def append(
        self,
        game_id: UUID,
        expected: Head,
        events: Sequence[Recorded],
        standing: TableRow,
        receipt: Receipt | None = None,
        *,
        reseated: bool = False,
        tenures: Sequence[TenureRow] = (),
    ) -> None:
        """See `Log.append`. A connection lost while the commit is under way leaves the outcome unknown."""
        append = Append(game_id, expected, head_after(game_id, expected, events), events, standing, receipt)
        if not reseated and not tenures and await self._append_quickly(append):
            return
        async with self._transaction(game_id) as connection:
            await append_alone(connection, append, reseated=reseated, tenures=tenures)

    async def _append_quickly(self, append: Append) -> bool:
        """Append, but for seats and tenures, as costs the least; whether that went through. If not, nothing was."""
        return await self._commits.commit(append.game_id, as_json(append))

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        async with self._connection(game_id) as connection:
            cursor = await connection.execute(_READ, (game_id, after, limit), binary=True)
            return list(starmap(Recorded, await cursor.fetchall()))

    async def size(self) -> int:
        row = await self._one_row(None, "SELECT coalesce(sum(head_seq), 0)::bigint FROM game")
        return int(row[0]) if row else 0

    def node_of(self, game_id: UUID) -> int:
        return 0

    def nodes_away(self) -> Sequence[str]:
        return ()

    async def game(self, game_id: UUID) -> Game:
        async with self._connection(game_id) as connection:
            return await _one_game(connection, game_id)

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, Head]:
        async with self._connection(next(iter(game_ids), None)) as connection:
            cursor = await connection.execute(_HEADS, (list(game_ids),), binary=True)
            return {game_id: Head(seq, hash_) for game_id, seq, hash_ in await cursor.fetchall()}

    async def games(
        self,
        limit: int,
        before: Bookmark | None = None,
        wanted: GamesWanted = ALL_GAMES,
        away: set[str] | None = None,
        order: ListOrder = "opened",
    ) -> list[Game]:
        query, asked = listing(limit, before, wanted, order)
        async with self._connection() as connection:
            cursor = await connection.execute(query, asked, binary=True)
            return [game(*row) for row in await cursor.fetchall()]

    async def change_access(self, game_id: UUID, before: Access, after: Access) -> None:
        change = {
            "id": game_id,
            "invited": list(after.invited),
            "code_hash": after.code_hash,
            "invited_before": list(before.invited),
            "code_before": before.code_hash,
        }
        async with self._connection(game_id) as connection:
            cursor = await connection.execute(_CHANGE_ACCESS, change)
            if cursor.rowcount == 0:
                raise Conflict(f"others may sit down at game {game_id} by now")

    async def open_games(self, player_id: UUID) -> set[UUID]:
        async with self._connection() as connection:
            asked = {"player": player_id, "abandoned": ABANDONED, "seats": SEATS}
            cursor = await connection.execute(OPEN_GAMES, asked, binary=True)
            return {game_id for (game_id,) in await cursor.fetchall()}

    async def unfinished(self, game_ids: Sequence[UUID]) -> set[UUID]:
        async with self._connection(next(iter(game_ids), None)) as connection:
            cursor = await connection.execute(_UNFINISHED, (list(game_ids), ABANDONED), binary=True)
            return {game_id for (game_id,) in await cursor.fetchall()}

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        async with self._connection() as connection:
            cursor = await connection.execute(DUE, (now, limit), binary=True)
            return list(starmap(DueGame, await cursor.fetchall()))

    async def ask(self, game_id: UUID, question: Question) -> None:
        async with self._connection(game_id) as connection:
            await connection.execute(_ASK, (game_id, *question))

    async def question(self, game_id: UUID) -> Question | None:
        row = await self._one_row(game_id, _QUESTION, game_id)
        return None if row is None else Question(*row)

    async def unanswered(self, until: datetime, limit: int) -> list[DueGame]:
        async with self._connection() as connection:
            cursor = await connection.execute(_UNANSWERED, (until, limit), binary=True)
            return list(starmap(DueGame, await cursor.fetchall()))

    async def close_question(self, game_id: UUID, question: Question) -> None:
        async with self._connection(game_id) as connection:
            await connection.execute(_CLOSE_QUESTION, (game_id, question.answer_at))

    async def keep_time(self) -> timedelta:
        row = await self._one_row(None, _KEPT, BEAT)
        if row is None or row[0]:
            return timedelta()
        async with self._transaction(None) as connection:
            cursor = await connection.execute(_LAST_KEPT)
            last = await cursor.fetchone()
            assert last is not None  # nobody may delete it
            at, gap = last
            if timedelta() <= gap < BEAT:  # another server was quicker
                return timedelta()
            await connection.execute(_KEEP_TIME, (at + gap,))
            if gap <= OUTAGE:
                return timedelta()
            await self._give_back(connection, at, gap)
            return gap  # type: ignore[no-any-return]

    async def _give_back(self, connection: AsyncConnection, since: datetime, gap: timedelta) -> None:
        """Move the deadlines that were to come at that moment."""
        await connection.execute(_GIVE_BACK, (gap, since))

    async def ended(self, player_id: UUID, after: Ended, limit: int, away: set[str] | None = None) -> list[Ended]:
        async with self._connection() as connection:
            cursor = await connection.execute(ENDED, (*after, player_id, limit), binary=True)
            return [Ended(at, game_id) for game_id, at in await cursor.fetchall()]

    async def rated(self, after: Ended, limit: int) -> list[RatedGame]:
        async with self._connection() as connection:
            asked = (list(ROUNDS_OF_ORDERS), list(DECIDE_NOTHING), *after, limit)
            cursor = await connection.execute(RATED, asked, binary=True)
            return [rated_game(*row) for row in await cursor.fetchall()]

    async def tenures_of(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[TenureRow]:
        async with self._connection() as connection:
            cursor = await connection.execute(TENURES_OF, (player_id, limit), binary=True)
            return [_tenure(*row) for row in await cursor.fetchall()]

    async def tenures_at(self, game_id: UUID) -> list[TenureRow]:
        async with self._connection(game_id) as connection:
            cursor = await connection.execute(_TENURES_AT, (game_id,), binary=True)
            return [_tenure(*row) for row in await cursor.fetchall()]

    async def now(self) -> datetime:
        row = await self._one_row(None, "SELECT now()")
        assert row is not None
        moment: datetime = row[0]
        return moment

    async def secret(self, game_id: UUID) -> bytes:
        row = await self._one_row(game_id, "SELECT seed FROM secret WHERE game_id = %s", game_id)
        if row is None:
            raise UnknownGame(f"there is no game {game_id}")
        seed: bytes = row[0]
        return seed

    async def signing_key(self, new: bytes) -> bytes:
        return (await self.signer(new)).seed

    async def signer(self, new: bytes) -> SigningKey:
        async with self._connection() as connection:
            found = await signing_key_in(connection)
            if found is None:
                with suppress(errors.UniqueViolation):  # another server was first; ON CONFLICT is not for all clusters
                    await connection.execute(_KEEP_KEY, (new,))
                found = await signing_key_in(connection)
            assert found is not None  # nobody may delete it
            return found

    async def receipt(self, game_id: UUID, player_id: UUID, key: str) -> Receipt | None:
        row = await self._one_row(game_id, _RECEIPT, game_id, player_id, key)
        return None if row is None else Receipt(*row)

    async def snapshot(self, game_id: UUID, until: int, shape: bytes) -> Snapshot | None:
        row = await self._one_row(game_id, _SNAPSHOT, game_id, shape, until)
        return None if row is None else Snapshot(Head(row[0], row[1]), shape, row[2])

    async def keep_snapshots(self, game_id: UUID, snapshots: Sequence[Snapshot]) -> None:
        async with self._connection(game_id) as connection:
            await connection.cursor().executemany(
                _KEEP_SNAPSHOT,
                [(game_id, snapshot.shape, *snapshot.head, snapshot.state) for snapshot in snapshots],
            )

    async def drop_snapshots(self, game_id: UUID) -> None:
        async with self._connection(game_id) as connection:
            await connection.execute("DELETE FROM snapshot WHERE game_id = %s", (game_id,))

    async def add_player(self, player: Player, token: Token, token_hash: bytes) -> None:
        keys = name_key(player.name), name_skeleton(player.name)
        try:
            async with self._transaction(None) as connection:
                await connection.execute(_ADD_PLAYER, (*player, *keys))
                await tokens.add(connection, player.player_id, token, token_hash)
        except Conflict as error:
            raise NameTaken(f"the name {player.name!r} is taken") from error

    async def player(self, player_id: UUID) -> Player | None:
        row = await self._one_row(None, _PLAYER, player_id)
        return None if row is None else Player(*row)

    async def players_called(self, names: Sequence[str]) -> dict[str, Player]:
        keys = {name: name_key(name) for name in names if "\0" not in name}  # of which PostgreSQL knows no text
        async with self._connection(None) as connection:
            cursor = await connection.execute(_CALLED, (list(keys.values()),), binary=True)
            by_key = {row[0]: Player(*row[1:]) for row in await cursor.fetchall()}
        return {name: by_key[key] for name, key in keys.items() if key in by_key}

    async def players_found(self, text: str, limit: int) -> list[UUID]:
        words = [] if "\0" in text else name_words(name_key(text))
        if not words:
            return []
        quoted = (word.replace("\\", r"\\").replace("'", "''") for word in words)
        asked = {"words": " & ".join(f"'{word}':*" for word in quoted), "limit": limit}
        async with self._connection(None) as connection:
            cursor = await connection.execute(_FOUND, asked, binary=True)
            return [player_id for (player_id,) in await cursor.fetchall()]

    async def names(self, player_ids: Sequence[UUID]) -> dict[UUID, str]:
        async with self._connection(None) as connection:
            cursor = await connection.execute(_NAMES, {"ids": list(player_ids)}, binary=True)
            return dict(await cursor.fetchall())

    async def rename(self, player_id: UUID, name: str) -> None:
        try:
            async with self._transaction(None) as connection:
                cursor = await connection.execute(_RENAME, (name, name_key(name), name_skeleton(name), player_id))
                if cursor.rowcount == 0:
                    raise UnknownPlayer(f"there is no player {player_id}")
                await tokens.tell(connection, player_id)
        except Conflict as error:
            raise NameTaken(f"the name {name!r} is taken") from error

    async def erase(self, player_id: UUID, announced: Pending | None = None) -> list[bytes]:
        async with self._transaction(None) as connection:
            await self._forget(connection, player_id)
            revoked = await tokens.revoke_all(connection, player_id)
            if announced is not None:
                await tokens.confirm(connection, player_id, announced)
            await connection.execute(_ERASE, (player_id,))
            await tokens.tell(connection, player_id)
            return revoked

    async def _forget(self, connection: AsyncConnection, player_id: UUID) -> None:
        """Forget what a player played, whatever the game."""
        await connection.execute(_FORGET_TENURES, (player_id,))

    async def keep_names(self, names: Mapping[UUID, str]) -> None:
        async with self._transaction(None) as connection:
            for player_id, name in names.items():
                kept = (name, name_key(name), player_id)
                cursor = await connection.execute(_CHANGE_NAME, kept)
                if cursor.rowcount == 0:
                    await connection.execute(_KEEP_NAME, kept)
                await tokens.tell(connection, player_id)

    async def players(self, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        async with self._connection(None) as connection:
            cursor = await connection.execute(_PLAYERS, (list(player_ids),), binary=True)
            return {row[0]: Player(*row) for row in await cursor.fetchall()}

    async def add_token(self, player_id: UUID, token: Token, token_hash: bytes) -> None:
        async with self._transaction(None) as connection:
            await tokens.add(connection, player_id, token, token_hash)

    async def holder(self, token_hash: bytes) -> Holder | None:
        async with self._connection(None) as connection:
            return await tokens.holder(connection, token_hash)

    async def tokens(self, player_id: UUID) -> list[Token]:
        async with self._connection(None) as connection:
            return await tokens.tokens(connection, player_id)

    async def revoke_tokens(self, player_id: UUID, token_ids: Collection[UUID]) -> list[bytes]:
        async with self._transaction(None) as connection:
            return await tokens.revoke(connection, player_id, token_ids)

    async def replace_owner(self, player_id: UUID, announced: Pending) -> list[bytes]:
        async with self._transaction(None) as connection:
            return await tokens.replace_owner(connection, player_id, announced)

    async def announce(self, player_id: UUID, pending: Pending | None) -> None:
        async with self._transaction(None) as connection:
            await tokens.announce(connection, player_id, pending)

    async def use_token(self, token_id: UUID, at: datetime) -> None:
        async with self._connection(None) as connection:
            await connection.execute(_USE_TOKEN, (at, token_id))

    async def revocations(self) -> AsyncGenerator[bytes | UUID | None, None]:
        if self._pool.closed:
            raise LogUnavailable("the log is closed")
        try:
            connection = await AsyncConnection.connect(**self._parameters)
            self._listening.add(connection)
            try:
                while True:
                    late = asyncio.get_running_loop().call_later(PULSE, _shut, connection)
                    await connection.execute(f"LISTEN {tokens.REVOKED}")  # again and again: is there another end?
                    late.cancel()
                    yield None
                    async with aclosing(connection.notifies(timeout=PULSE)) as heard:
                        async for told in heard:
                            with suppress(ValueError):
                                yield tokens.heard(told.payload)
            finally:
                self._listening.discard(connection)
                await connection.close()
        except OperationalError as error:
            raise LogUnavailable(f"the database does not answer: {error}") from error

    def pool(self) -> Pool:
        told = self._pool.get_stats()
        idle = told.get("pool_available", 0)
        return Pool(idle, told.get("pool_size", 0) - idle, told.get("requests_waiting", 0))

    async def ready(self) -> None:
        await self._one_row(None, "SELECT 1")

    async def is_distributed(self) -> bool:
        """Whether games are spread over the nodes of a cluster, which `spread.SpreadLog` knows."""
        async with self._connection() as connection:
            return await is_distributed(connection)

    async def _write(self, batch: Sequence[QueuedWrite]) -> set[UUID]:
        """Append a batch. Where the database refuses it, nothing was written, and each has to try alone."""
        async with self._connection() as connection:
            try:
                return await append_together(connection, [queued.what for queued in batch])
            except Error:
                if connection.closed:
                    raise
                return set()

    async def _one_row(self, about: UUID | None, query: str, *values: object) -> tuple[Any, ...] | None:
        async with self._connection(about) as connection:
            cursor = await connection.execute(query, values, binary=True)
            return await cursor.fetchone()

    @asynccontextmanager
    async def _transaction(self, about: UUID | None, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        async with self._connection(about, patient=patient) as connection, connection.transaction():
            if patient:
                await connection.execute("SET LOCAL statement_timeout = 0")
            yield connection

    @asynccontextmanager
    async def _connection(self, about: UUID | None = None, *, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection of the pool, with the database's refusals in the log's own words. A `patient` one may take long.

        `about`: the game that it is for, if it is for one.

        One that does not answer in time is cut, and all that are idle are replaced: they may be as deaf.
        """
        loop = asyncio.get_running_loop()
        try:
            async with self._pool.connection() as connection:
                late = None if patient else loop.call_later(self._answer, self._cut, connection)
                try:
                    yield connection
                finally:
                    if late is not None:
                        late.cancel()
        except errors.UniqueViolation as error:
            raise Conflict(f"somebody else was first: {error.diag.message_primary}") from error
        except (OperationalError, errors.ReadOnlySqlTransaction) as error:
            DATABASE_FAILURES.inc()
            raise LogUnavailable(f"the database does not answer: {error}") from error
        except errors.InternalError_ as error:
            if "connection" not in str(error.diag.message_primary):
                raise LogError(f"the database failed: {error.diag.message_primary}") from None
            DATABASE_FAILURES.inc()
            raise LogUnavailable("a node of the database does not answer") from error  # as a cluster says it
        except Error as error:
            # Without its details, which would tell the values: the dice of events that were not recorded.
            said = error.diag.message_primary or "refused by the driver"
            raise LogError(f"{type(error).__name__} {error.sqlstate}: {said}") from None

    async def _configure(self, connection: AsyncConnection) -> None:
        connection.adapters.register_loader("json", ByteaBinaryLoader)  # the stored bytes, not what they mean
        await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
        milliseconds = round(750 * self._answer)  # so that the database is first to give up where it can be heard
        await connection.execute(
            f"SET ROLE {SERVER_ROLE}; SET TIME ZONE 'UTC'; SET statement_timeout = {milliseconds}; "
            f"SET idle_in_transaction_session_timeout = {2 * milliseconds}"
        )

    def _cut(self, connection: AsyncConnection) -> None:
        """End a connection whose other end is silent, and replace the others, which may be as deaf."""
        _shut(connection)
        draining = asyncio.create_task(self._pool.drain())
        self._cutting.add(draining)
        draining.add_done_callback(self._cutting.discard)

    async def _check(self, connection: AsyncConnection) -> None:
        """Refuse a connection that the server has closed, and replace the others, which will be closed too.

        An idle connection has nothing to read unless it is at its end, so this needs no round trip.
        """
        poll = select.poll()
        poll.register(connection.fileno(), select.POLLIN)
        if poll.poll(0):
            await self._pool.drain()
            raise OperationalError("the server closed the connection")


def _shut(connection: AsyncConnection) -> None:
    """End a connection below the driver: to cancel a query waits for an answer again."""
    if not connection.closed:
        with socket(fileno=os.dup(connection.fileno())) as deaf, suppress(OSError):
            deaf.shutdown(SHUT_RDWR)


def listing(limit: int, before: Bookmark | None, wanted: GamesWanted, order: ListOrder) -> tuple[str, dict[str, Any]]:
    """The query for a page of games behind `before`, and its parameters."""
    asked: dict[str, Any] = {
        "game_ids": None if wanted.game_ids is None else list(wanted.game_ids),
        "status": wanted.status,
        "ruleset": wanted.ruleset,
        "free": wanted.free or None,
        "asks": wanted.asks,
        "invited": wanted.invited,
        "left": wanted.left,
        "bots": wanted.bots or None,
    }
    narrowing = [_NARROWED_BY[name] for name, value in asked.items() if value is not None]
    for number, player_id in enumerate(wanted.player_ids):
        asked[f"player_{number}"] = player_id
        narrowing.append((_SITS if wanted.status in (None, "finished") else _SITS_STILL).format(number))
    if wanted.named is not None:
        begins = wanted.named.begins
        first, last = (UUID(begins.ljust(32, digit)) if begins else None for digit in "0f")
        asked |= {"named": list(wanted.named.players), "first": first, "last": last}
        narrowing.append(_NAMED)
    if not isinstance(wanted.seen_by, UnsetType):
        asked["seen_by"] = wanted.seen_by
        narrowing.append(_SEEN_BY_ALL if wanted.seen_by is None else _SEEN_BY)
    if before is not None:
        asked |= {"at": before.at, "minute": minute(before.at), "before": before.game_id}
        narrowing.append(_BEHIND[order])
    query = f"{_GAME} WHERE {' AND '.join(narrowing or ['true'])} ORDER BY {_IN_ORDER[order]} LIMIT %(limit)s"
    return query, {**asked, "limit": limit}


async def _one_game(connection: AsyncConnection, game_id: UUID) -> Game:
    cursor = await connection.execute(f"{_GAME} WHERE id = %s", (game_id,), binary=True)
    row = await cursor.fetchone()
    if row is None:
        raise UnknownGame(f"there is no game {game_id}")
    return game(*row)


def _tenure(player_id: UUID, ruleset: str, against: Sequence[UUID], *told: Any) -> TenureRow:
    return TenureRow(player_id, ruleset, tuple(against), *told)


def game(
    game_id: UUID,
    ruleset: str,
    version: int,
    status: Status,
    players: Sequence[UUID | None],
    to_move: Sequence[int],
    turn: int,
    winners: Sequence[int] | None,
    ended_by: str | None,
    deadline: datetime | None,
    banks: Sequence[int],
    head_seq: int,
    head_hash: bytes,
    created_at: datetime,
    moved_at: datetime,
    opened_by: UUID | None,
    listed: bool,
    closed: bool,
    invited: Sequence[UUID],
    code_hash: bytes | None,
    asked_hash: bytes | None,
    rematch_of: UUID | None,
    rated: bool,
    if_left: IfLeft,
    leavers: Sequence[UUID | None],
    bots: int,
) -> Game:
    won = None if winners is None else tuple(winners)
    clock = (deadline, tuple(banks))
    standing = TableRow(status, tuple(players), tuple(to_move), turn, won, ended_by, *clock, if_left, tuple(leavers))
    access = Access(listed, closed, tuple(invited), code_hash, asked_hash, rematch_of, bots, rated)
    return Game(game_id, ruleset, version, standing, Head(head_seq, head_hash), created_at, moved_at, opened_by, access)


def rated_game(
    at: datetime,
    game_id: UUID,
    ruleset: str,
    players: Sequence[UUID | None],
    leavers: Sequence[UUID | None],
    winners: Sequence[int] | None,
    decided: Sequence[int],
) -> RatedGame:
    """What a row says; `decided`: the seat of each decision."""
    left = tuple(leavers)
    starters = starters_of(tuple(players), left)
    decisions = tuple(decided.count(seat) for seat in range(len(starters)))
    return RatedGame(Ended(at, game_id), ruleset, starters, left, tuple(winners or ()), decisions)
