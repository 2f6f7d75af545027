"""Rewind the games of a database to an earlier moment, which a log of events makes possible.

Each game ends with the last event that was recorded by then. All events of a command have the same time, so none is
split. Derived data is rebuilt. Players, names, and tokens are not in a log and stay as they are.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.types.string import ByteaBinaryLoader

from mcmulti.events.log.codec import opened_with
from mcmulti.events.log.envelope import START, Head, Recorded, broken_link
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.postgres.appending import Append, append_alone, minute
from mcmulti.events.postgres.stores.event_store import READ
from mcmulti.events.store.standing import retraced, tenures

_LATER = "SELECT game_id, min(seq) FROM event WHERE recorded_at > %s GROUP BY game_id ORDER BY game_id"
_FORGET_LATER = "DELETE FROM {} WHERE game_id = %s AND seq >= %s"
_FORGET = "DELETE FROM {} WHERE game_id = %s"
_FORGET_GAME = "DELETE FROM game WHERE id = %s"
_SET_HEAD = """
    UPDATE game SET head_seq = %s, head_hash = %s, moved_at = %s, moved_minute = %s WHERE id = %s
"""
_KEPT_TIME_UNTIL = "UPDATE heartbeat SET at = least(at, %s)"


class Rewound(NamedTuple):
    """How many games were rewound, how many were not open yet and are removed, and how many events that was."""

    shortened: int
    removed: int
    events: int


async def rewind(connection: AsyncConnection, until: datetime) -> Rewound:
    """Rewind every game to a moment, in the transaction of the connection, as the owner of the tables.

    Raises `DamagedGame`.
    """
    shortened = removed = events = 0
    connection.adapters.register_loader("json", ByteaBinaryLoader)  # the stored bytes, not the parsed value
    later: Sequence[tuple[UUID, int]] = await (await connection.execute(_LATER, (until,))).fetchall()
    for game_id, seq in later:
        for table in ("receipt", "notice", "event"):  # events that happen again are reported again
            cut = await connection.execute(_FORGET_LATER.format(table), (game_id, seq))
        events += cut.rowcount
        derived = ("checked", "question", *(("seat", "tenure", "secret", "snapshot") if seq == 1 else ()))
        for table in derived:
            await connection.execute(_FORGET.format(table), (game_id,))
        if seq == 1:
            removed += 1
            await connection.execute(_FORGET_GAME, (game_id,))
        else:
            shortened += 1
            await _stand(connection, game_id, until)
    await connection.execute(_KEPT_TIME_UNTIL, (until,))  # so that servers give back the time since then
    return Rewound(shortened, removed, events)


async def _stand(connection: AsyncConnection, game_id: UUID, until: datetime) -> None:
    """Update the rows of a game to match its events, of which the last ones were removed.

    The players that the game waits for get their whole time for a move, from `until` on.
    """
    rows: Sequence[Any] = await (await connection.execute(READ, (game_id, 0, None), binary=True)).fetchall()
    events = [Recorded(*row) for row in rows]
    if fault := broken_link(events, START):
        raise DamagedGame(game_id, fault)
    head, moved_at = Head(events[-1].seq, events[-1].hash), events[-1].recorded_at
    ruleset = opened_with(events[0])
    await connection.execute(_SET_HEAD, (*head, moved_at, minute(moved_at), game_id))
    append = Append(game_id, head, head, [], retraced(ruleset, events, until), None)
    await append_alone(connection, append, reseated=True, tenures=tenures(ruleset, events))
