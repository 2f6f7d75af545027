"""Check rows derived from events: snapshots, receipts, seats, and names."""

from collections.abc import AsyncIterator
from uuid import UUID

from psycopg import AsyncConnection

from mcmulti.cli.doctor.observation import DoctorWords, Observation
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.snapshot import Snapshot, is_sound
from mcmulti.events.ports.event_store import Receipt, signed
from mcmulti.events.postgres.tables import composed
from mcmulti.events.store.names import name_key, name_skeleton

AT_ONCE = 500
"""Rows read at a time."""

_SNAPSHOTS = "SELECT game_id, seq, hash, shape, state FROM snapshot"
_DROP = "DELETE FROM snapshot WHERE game_id = %s AND shape = %s AND seq = %s"

_RECEIPTS = composed("SELECT game_id, head_seq, {columns} FROM receipt LEFT JOIN game ON id = game_id", row=Receipt)

_PLAYERS = "SELECT id, name, name_key, name_skeleton FROM player WHERE name IS NOT NULL"

_SEATS = """
    SELECT id FROM game WHERE
        ARRAY(SELECT DISTINCT player FROM unnest(players) AS player WHERE player IS NOT NULL ORDER BY player)
        <> ARRAY(SELECT player_id FROM seat WHERE game_id = game.id ORDER BY player_id)
"""


async def beside_events(
    connection: AsyncConnection, key: bytes, say: DoctorWords, mend: bool
) -> AsyncIterator[Observation]:
    """Faults in rows next to the events of games, checked with the key of digests. None if all are sound.

    `mend`: delete damaged snapshots.
    """
    dropped = []
    async with connection.cursor("snapshots", withhold=True) as cursor:
        await cursor.execute(_SNAPSHOTS)
        while rows := await cursor.fetchmany(AT_ONCE):
            for game_id, seq, hash_, shape, state in rows:
                if not is_sound(key, game_id, Snapshot(Head(seq, hash_), shape, state)):
                    dropped.append((game_id, shape, seq))
                    advice = say("snapshot.mended" if mend else "snapshot.advice")
                    what = say("snapshot", game=game_id, seq=seq)
                    yield Observation(None if mend else False, what, advice, str(game_id))
    if mend and dropped:
        await connection.cursor().executemany(_DROP, dropped)
        await connection.commit()
    async with connection.cursor("receipts") as cursor:
        await cursor.execute(_RECEIPTS)
        while rows := await cursor.fetchmany(AT_ONCE):
            for game_id, head_seq, *kept in rows:
                receipt = Receipt(*kept)
                if receipt != signed(key, game_id, *receipt[:-1]):
                    yield _receipt(say, "receipt", game_id, receipt)
                elif head_seq is None or receipt.seq > head_seq:
                    yield _receipt(say, "receipt.beyond", game_id, receipt)
    for (game_id,) in await (await connection.execute(_SEATS)).fetchall():
        yield Observation(False, say("seats", game=game_id), say("listed.advice"), str(game_id))
    async with connection.cursor("players") as cursor:
        await cursor.execute(_PLAYERS)
        while rows := await cursor.fetchmany(AT_ONCE):
            for player_id, name, *keys in rows:
                if keys != [name_key(name), name_skeleton(name)]:
                    yield Observation(False, say("player", player=player_id), say("damaged.advice"))


def _receipt(say: DoctorWords, what: str, game_id: UUID, receipt: Receipt) -> Observation:
    return Observation(
        False, say(what, game=game_id, key=receipt.key, seq=receipt.seq), say("damaged.advice"), str(game_id)
    )
