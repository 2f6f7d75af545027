"""The statements that write events to PostgreSQL.

Rows travel as JSON text in one parameter: building an array per column takes Python thirty times as long.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict
from psycopg import AsyncConnection

from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.ports.errors import Conflict, UnknownGame
from mcmulti.events.ports.event_store import Receipt
from mcmulti.events.ports.game_index import TableRow, TenureRow
from mcmulti.events.postgres.tables import composed

_EVENT_COLUMNS = "(game_id, seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash)"

# data and command are text inside the JSON: a value that Postgres parsed would not come back byte by byte.
_EVENTS = """
    e.seq, e.type, e.data::json, e.rule, e.actor, e.command_id, e.command::json, e.recorded_at, e.prev_hash, e.hash
    FROM {source}(seq integer, type text, data text, rule text, actor smallint, command_id uuid, command text,
        recorded_at timestamptz, prev_hash bytea, hash bytea)
"""

_ADD_EVENTS = f"""
    INSERT INTO event {_EVENT_COLUMNS}
    SELECT %s::uuid, {_EVENTS.format(source="json_to_recordset(%s::json) AS e ")}
"""

# The clock is computed next to the game: a cluster refuses to call it inside CASE or COALESCE.
_MOVE_HEAD = """
    UPDATE game SET head_seq = %(head_seq)s, head_hash = %(head_hash)s, status = %(status)s, players = %(players)s,
        to_move = %(to_move)s, turn = %(turn)s, winners = %(winners)s, ended_by = %(ended_by)s,
        moved_at = coalesce(%(moved_at)s, moved_at), moved_minute = coalesce(%(moved_minute)s, moved_minute),
        banks = %(banks)s, leavers = %(leavers)s,
        deadline_at = CASE WHEN %(keeps_deadline)s THEN deadline_at ELSE %(deadline)s END,
        ended_at = CASE WHEN %(status)s = 'finished' THEN coalesce(ended_at, clock.at) END
    FROM (SELECT now() AS at) AS clock
    WHERE id = %(game_id)s AND head_seq = %(expected_seq)s AND head_hash = %(expected_hash)s
"""

_HEAD = "SELECT head_seq FROM game WHERE id = %s"

KEEP_RECEIPT = composed("INSERT INTO receipt (game_id, {columns}) VALUES (%(game)s, {values})", row=Receipt)
"""Stores a receipt of the `game`."""

_CLEAR_SEATS = "DELETE FROM seat WHERE game_id = %s"

_FILL_SEATS = "INSERT INTO seat (game_id, player_id) SELECT DISTINCT %s::uuid, unnest(%s::uuid[])"

_CLEAR_TENURES = "DELETE FROM tenure WHERE game_id = %s"

_BEGIN_TENURE = composed("INSERT INTO tenure (game_id, {columns}) VALUES (%(game)s, {values})", row=TenureRow)

# An erased player has no row anymore, and gets none.
_CHANGE_TENURE = """
    UPDATE tenure SET against = %(against)s, substitute = substitute OR %(substitute)s, result = %(result)s,
        missed = missed + %(missed)s, resigned = resigned + %(resigned)s, vacated = vacated + %(vacated)s
    WHERE game_id = %(game)s AND player_id = %(player_id)s
"""

# A game locked by another connection is skipped, not waited for, so that no two batches can deadlock, and one slow game
# does not hold up the others.
APPEND_TOGETHER = f"""
    WITH held AS (
        SELECT a.* FROM json_to_recordset(%s::json) AS a (
            game_id uuid, expected_seq integer, expected_hash bytea, head_seq integer, head_hash bytea, status text,
            players uuid[], to_move smallint[], turn integer, winners smallint[], ended_by text, moved_at timestamptz,
            moved_minute integer, keeps_deadline boolean, deadline timestamptz, banks integer[],
            leavers uuid[], events json, receipt json
        )
        JOIN {{game}} AS game
            ON game.id = a.game_id AND game.head_seq = a.expected_seq AND game.head_hash = a.expected_hash
        FOR NO KEY UPDATE OF game SKIP LOCKED
    ), moved AS (
        UPDATE {{game}} AS game SET head_seq = held.head_seq, head_hash = held.head_hash, status = held.status,
            players = held.players, to_move = held.to_move, turn = held.turn, winners = held.winners,
            ended_by = held.ended_by, banks = held.banks, leavers = held.leavers,
            moved_at = coalesce(held.moved_at, game.moved_at),
            moved_minute = coalesce(held.moved_minute, game.moved_minute),
            deadline_at = CASE WHEN held.keeps_deadline THEN game.deadline_at ELSE held.deadline END,
            ended_at = CASE WHEN held.status = 'finished' THEN now() END
        FROM held WHERE game.id = held.game_id
        RETURNING held.game_id, held.events, held.receipt
    ), added AS (
        INSERT INTO {{event}} {_EVENT_COLUMNS}
        SELECT moved.game_id, {_EVENTS.format(source="moved, json_to_recordset(moved.events) AS e ")}
    ), kept AS (
        INSERT INTO {{receipt}} (game_id, player_id, key, request_hash, after_seq, seq, digest)
        SELECT moved.game_id, r.player_id, r.key, r.request_hash, r.after, r.seq, r.digest
        FROM moved, json_to_record(moved.receipt) AS r (
            player_id uuid, key text, request_hash bytea, after integer, seq integer, digest bytea
        )
        WHERE moved.receipt IS NOT NULL
    )
    SELECT game_id FROM moved
"""  # noqa: S608 # of constants alone

_encode = msgspec.json.Encoder().encode


class Append(NamedTuple):
    """The arguments of `Log.append`, with the head that it leads to."""

    game_id: UUID
    expected: Head
    head: Head
    events: Sequence[Recorded]
    standing: TableRow
    receipt: Receipt | None


def as_json(append: Append) -> str:
    """An append in the format of `APPEND_TOGETHER`, which does not change the seats."""
    receipt = append.receipt
    kept = None
    if receipt is not None:
        kept = {
            "player_id": receipt.player_id,
            "key": receipt.key,
            "request_hash": "\\x" + receipt.request_hash.hex(),
            "after": receipt.after_seq,
            "seq": receipt.seq,
            "digest": "\\x" + receipt.digest.hex(),
        }
    return _encode({**moved(append), "events": [_event(event) for event in append.events], "receipt": kept}).decode()


def moved(append: Append) -> dict[str, Any]:
    """What an append changes in the row of its game, and where the head must be before."""
    expected, head, standing = append.expected, append.head, append.standing
    moved_at = append.events[-1].recorded_at if append.events else None
    return {
        "game_id": append.game_id,
        "expected_seq": expected.seq,
        "expected_hash": "\\x" + expected.hash.hex(),
        "head_seq": head.seq,
        "head_hash": "\\x" + head.hash.hex(),
        "status": standing.status,
        "players": list(standing.players),
        "to_move": list(standing.to_move),
        "turn": standing.turn,
        "winners": None if standing.winners is None else list(standing.winners),
        "ended_by": standing.ended_by,
        "banks": list(standing.banks),
        "leavers": list(standing.leavers),
        "moved_at": moved_at,
        "moved_minute": None if moved_at is None else minute(moved_at),
        "keeps_deadline": standing.deadline is UNSET,
        "deadline": standing.deadline or None,
    }


async def append_by_call(connection: AsyncConnection, append: Append) -> bool:
    """Append to one game, except for its seats, in one call that a cluster delegates to the game's node. Returns
    whether it did.

    If not, the game's head is elsewhere or the game is unknown, and nothing was done.
    """
    called = (append.game_id, as_json(append))
    cursor = await connection.execute("SELECT append_to_game(%s, %s::json)", called, prepare=True, binary=True)
    row = await cursor.fetchone()
    return row is not None and bool(row[0])


async def append_alone(
    connection: AsyncConnection, append: Append, *, reseated: bool, tenures: Sequence[TenureRow]
) -> None:
    """Append to one game in the transaction of the connection. Waits for other writers.

    `reseated`: replace the seats, and without events the `tenures` too. Raises `Conflict` if the head is elsewhere, and
    `UnknownGame`.
    """
    game_id, expected, _, events, standing, receipt = append
    cursor = await connection.execute(_MOVE_HEAD, moved(append))
    if cursor.rowcount == 0:
        cursor = await connection.execute(_HEAD, (game_id,))
        row = await cursor.fetchone()
        if row is None:
            raise UnknownGame(f"there is no game {game_id}")
        raise Conflict(f"game {game_id} stands at event {row[0]}, not at {expected.seq}")
    await add_events(connection, game_id, events)
    if receipt is not None:
        await connection.execute(KEEP_RECEIPT, {"game": game_id, **receipt._asdict()})
    if reseated:
        await connection.execute(_CLEAR_SEATS, (game_id,))
        await fill_seats(connection, game_id, standing.players)
        if not events:
            await connection.execute(_CLEAR_TENURES, (game_id,))
    await keep_tenures(connection, game_id, tenures)


async def add_events(connection: AsyncConnection, game_id: UUID, events: Sequence[Recorded]) -> None:
    """Insert the events of one game."""
    rows = _encode([_event(event) for event in events]).decode()
    await connection.execute(_ADD_EVENTS, (game_id, rows), prepare=True)


async def fill_seats(connection: AsyncConnection, game_id: UUID, players: Sequence[UUID | None]) -> None:
    """Seat players at a game without any."""
    await connection.execute(_FILL_SEATS, (game_id, [player for player in players if player is not None]))


async def keep_tenures(connection: AsyncConnection, game_id: UUID, tenures: Sequence[TenureRow]) -> None:
    """Store changes in who plays a game."""
    told: dict[str, list[dict[str, Any]]] = {}
    for tenure in tenures:
        row = {**asdict(tenure), "game": game_id, "against": list(tenure.against)}
        told.setdefault(_CHANGE_TENURE if tenure.began_at is None else _BEGIN_TENURE, []).append(row)
    for statement, rows in told.items():
        await connection.cursor().executemany(statement, rows)  # in one round trip


def minute(moment: datetime) -> int:
    """The minute of a moment, counted from 1970. It seldom changes, so that its indexes are seldom written to."""
    return int(moment.timestamp() // 60)


def _event(event: Recorded) -> dict[str, Any]:
    return {
        "seq": event.seq,
        "type": event.type,
        "data": event.data.decode(),
        "rule": event.rule,
        "actor": event.actor,
        "command_id": event.command_id,
        "command": None if event.command is None else event.command.decode(),
        "recorded_at": event.recorded_at,
        "prev_hash": "\\x" + event.prev_hash.hex(),
        "hash": "\\x" + event.hash.hex(),
    }
