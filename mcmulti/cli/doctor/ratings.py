"""Check stored ratings against the games that they follow from."""

from collections.abc import AsyncIterator
from uuid import UUID

from psycopg import AsyncConnection

from mcmulti.api.telling.ladder import LadderBoard
from mcmulti.cli.doctor.observation import DoctorWords, Observation
from mcmulti.events.ports.computed import KeptAssessment
from mcmulti.events.ports.log import Log
from mcmulti.projections.statistics.checkpoint import is_sound, shape
from mcmulti.referee.referee import Referee

AT_ONCE = 500
"""Rows read at a time."""

_ASSESSMENTS = "SELECT game_id, shape, assessment FROM assessment WHERE shape = %s"
_MISSING = """
    SELECT id FROM game
    WHERE rated AND (ended_at, id) <= (SELECT ended_at, game_id FROM ladder WHERE shape = %(shape)s)
    AND NOT EXISTS (SELECT FROM assessment WHERE game_id = game.id AND shape = %(shape)s)
"""
_OTHERS = "SELECT count(*) FROM assessment WHERE shape <> %s"
_DROP_OTHERS = "DELETE FROM assessment WHERE shape <> %s"


async def stored_ratings(
    log: Log, connection: AsyncConnection, key: bytes, say: DoctorWords, mend: bool
) -> AsyncIterator[Observation]:
    """Faults of stored ratings, checked with the key of digests. None if all are sound.

    `mend`: rate all games again, and delete what other builds stored.
    """
    board, mended = LadderBoard(log, Referee(log)), "ratings.mended" if mend else "ratings.advice"
    sound = await board.is_stored_right()
    if not sound:
        yield Observation(None if mend else False, say("ladder"), say(mended))
    async for game_id, what in _faults(connection, key):
        sound = False
        yield Observation(None if mend else False, say(what, game=game_id), say(mended), str(game_id))
    if mend and not sound:
        await board.rebuild()
    ((others,),) = await (await connection.execute(_OTHERS, [shape()])).fetchall()
    if others:
        yield Observation(None, say("ratings.others", number=others), say("ratings.others.advice"))
    if mend and others:
        await connection.execute(_DROP_OTHERS, [shape()])
        await connection.commit()


async def _faults(connection: AsyncConnection, key: bytes) -> AsyncIterator[tuple[UUID, str]]:
    """Games whose assessment was changed or deleted, and the word for it."""
    async with connection.cursor("assessments") as cursor:
        await cursor.execute(_ASSESSMENTS, [shape()])
        while rows := await cursor.fetchmany(AT_ONCE):
            for row in rows:
                stored = KeptAssessment(*row)
                if not is_sound(key, stored):
                    yield stored.game_id, "assessment"
    for (game_id,) in await (await connection.execute(_MISSING, {"shape": shape()})).fetchall():
        yield game_id, "assessment.missing"
