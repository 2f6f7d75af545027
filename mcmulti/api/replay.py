"""The replay: page by page, or line by line."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from itertools import islice
from typing import Annotated
from uuid import UUID

from litestar import get
from litestar.params import FromPath
from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.answers import Answer, StreamAnswer
from mcmulti.api.caching import tag_of, varies
from mcmulti.api.contract import AnyRequest, Operation, accepted, answer, encoded, query
from mcmulti.api.moments import moment
from mcmulti.api.service import service
from mcmulti.api.stream import NDJSON
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.core.telling import Language
from mcmulti.events.item import Hash, Seq
from mcmulti.projections.replay import By, Frame, frames
from mcmulti.referee.ruling import UnknownMoment

PAGE = 100
"""Frames of a page, unless told."""
CHUNK = 50
"""Frames that are made at a time while a replay is sent line by line."""


class ReplayQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: begin behind this event. `until`: end with this one.
    `limit`: at most so many frames; unless told, 100 in a page, and as many as there are line by line.
    `by`: a frame for each event, or one for each turn. `language`: of sentences and rules.
    """

    after: Seq = 0
    until: Seq | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    by: By = "event"
    language: Language = "en"


class Replay(Struct, frozen=True):
    """A page of the replay. `seq` and `hash` are the head, `frames` the steps in order.

    `next` continues the page as ``after``, null at the end.
    """

    game: UUID
    seq: Seq
    hash: Hash
    frames: Annotated[tuple[Frame, ...], Meta(max_length=1000)]
    next: Seq | None


@get(
    "/v1/games/{game:str}/replay",
    opt={
        "operation": Operation(
            id="replayGame",
            tag="log",
            summary="See the game move by move: what happened, why, and what changed",
            answer=Replay,
            streams={NDJSON: (Frame,)},
            query=ReplayQuery,
            auth="optional",
            etag=True,
            problems=("unknown_game", "unknown_moment"),
        )
    },
)
async def replay_game(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, ReplayQuery)
    at = await moment(request, game)
    head = at.position.head
    if wanted.after > head.seq:
        raise UnknownMoment(head)
    referee = service(request).referee
    before = (await referee.position_at(at.position.game_id, wanted.after)).state if wanted.after else None
    line_by_line = accepted(request) == NDJSON
    limit = wanted.limit
    if isinstance(limit, UnsetType):
        limit = MOST if line_by_line else PAGE
    last = head.seq if isinstance(wanted.until, UnsetType) else min(wanted.until, head.seq)
    events = last - wanted.after
    if wanted.by == "event":
        events = min(events, limit)
    log = service(request).log
    told = frames(
        at.position.ruleset,
        before,
        await log.read(at.position.game_id, wanted.after, max(events, 0)),
        seat=at.seat,
        language=wanted.language,
        by=wanted.by,
        now=at.position.state,
    )
    told = islice(told, limit)
    if line_by_line:
        return StreamAnswer(_lines(told), NDJSON, whole=True)
    shown = await asyncio.to_thread(tuple, told)
    more = shown[-1].seq if shown and shown[-1].seq < last else None
    return answer(
        Replay(at.position.game_id, head.seq, head.hash.hex(), shown, more),
        head=head,
        tag=tag_of(request, head, seat=at.seat, language=wanted.language),
        Cache_Control="no-store",
        Vary=varies(request),
    )


async def _lines(told: Iterator[Frame]) -> AsyncGenerator[bytes, None]:
    while lines := await asyncio.to_thread(lambda: [encoded(frame) + b"\n" for frame in islice(told, CHUNK)]):
        yield b"".join(lines)
