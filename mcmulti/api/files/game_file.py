"""A whole game in one signed file."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from uuid import UUID

from mcmulti.api.caching.folds import Folds
from mcmulti.api.caching.moments import moment
from mcmulti.api.caching.representation import Perspective, Representation
from mcmulti.api.http.answers import Answer, StreamAnswer
from mcmulti.api.http.contract import DEAR, Call, operation
from mcmulti.api.readings.proof import signed_with
from mcmulti.api.streams.writing import NDJSON
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import EventItem
from mcmulti.events.ports.accounts import Player
from mcmulti.events.store.game_file import GameFile, event_lines, heading, line
from mcmulti.events.store.redaction import for_reader


@operation(
    "GET",
    "/v1/games/{game}/file",
    id="getGameFile",
    tag="log",
    summary="Download the complete game as one signed file",
    json=False,
    streams={NDJSON: (GameFile, EventItem)},
    etag=True,
    cost=DEAR,
    named=True,
    beside=signed_with,
)
async def get_game_file(call: Call, caller: Player | None, game: UUID) -> Answer:
    """The first line is about the game, and each further line is an event. `mcmulti verify` proves the file without any
    server, and `mcmulti import` copies it to another one.
    """
    at = await moment(call, game)
    held = await call.service.folds.check(at.position)  # every time, since a file is evidence
    chunks = _chunks(call.service.folds, at, caller, held)
    response = StreamAnswer(chunks, NDJSON, whole=True)
    name = f"{game}.mcmulti.jsonl"
    response.headers |= {
        "Content-Disposition": f'attachment; filename="{name}"',
        "ETag": Representation(call, at).tag,
    }
    return response


async def _chunks(
    folds: Folds, at: Perspective, reader: Player | None, held: list[Sequence[Recorded]]
) -> AsyncGenerator[bytes, None]:
    """The file up to the requested position; the game may go on meanwhile.

    What the reader may not know yet is sealed.
    """
    position, ruleset, (key, seed) = at.position, at.position.ruleset, at.beside.value
    opening = line(heading(position.game_id, ruleset.name, ruleset.version, position.head, key, at.called, seed))
    lines = folds.written(position, lambda events: event_lines(for_reader(position, reader, events)), held, opening)
    async with aclosing(lines):
        async for piece in lines:
            yield piece
